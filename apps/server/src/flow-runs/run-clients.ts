import { createChannel, createGuardedAddresses, type Services } from '@croft/components';
import type { AnyTool } from '@croft/tools';
import type { Settings } from '../config/settings.ts';
import { createDocuments, createMcpClients, createRunSql } from '../flow-parts/index.ts';
import type { Db } from '../store/database.ts';
import { listFlowCommands } from '../store/flow-commands.ts';
import { getUser } from '../store/users.ts';

export interface RunClientOptions {
  /** A guarded fetch. */
  readonly fetch: typeof globalThis.fetch;
  /** The tools of a user's connected machine. Absent in a worker: a machine is connected to a server. */
  readonly machineTools?: ((userId: string) => Promise<readonly AnyTool[]>) | undefined;
  readonly settings: Pick<Settings, 'baseDir' | 'filesystemPath' | 'flowCommands' | 'flowHosts'>;
  readonly storage: () => Promise<Db>;
}

/** Other programs for the runs of a user: MCP servers, and processes for documents. */
export interface RunClients {
  readonly services: Pick<Services, 'channel' | 'documents' | 'machineTools' | 'mcp' | 'sql'>;
  close(): void;
}

const ADMIN_ONLY =
  'Only administrators run commands, and only those that Settings → Workers lists. Use an address instead.';

/** Directories that flows write to. */
export const writableDirs = ({ baseDir, filesystemPath }: Pick<Settings, 'baseDir' | 'filesystemPath'>) => [
  baseDir,
  ...(filesystemPath === undefined ? [] : [filesystemPath]),
];

/** Commands are code with the rights of the server: only runs of administrators start them. */
export function openRunClients(
  { fetch, machineTools, settings, storage }: RunClientOptions,
  userId: string,
): RunClients {
  const { baseDir, filesystemPath, flowCommands, flowHosts } = settings;
  const clients = createMcpClients({
    fetch,
    commands: async () => {
      const db = await storage();
      const isAdmin = (await getUser(db, userId))?.role === 'admin';
      return {
        allowed: isAdmin ? flowCommands : [],
        // Read at each use, so that a removed command starts in no process any more.
        confirmed: isAdmin ? await listFlowCommands(db) : [],
        writable: writableDirs({ baseDir, filesystemPath }),
        howToAllow: ADMIN_ONLY,
      };
    },
  });
  return {
    services: {
      channel: createChannel(),
      documents: createDocuments({ user: userId }),
      ...(machineTools && { machineTools: () => machineTools(userId) }),
      mcp: clients.connect,
      sql: createRunSql(createGuardedAddresses({ allow: flowHosts })),
    },
    close: () => void clients.close(),
  };
}
