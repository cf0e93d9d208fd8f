import { ComponentError, createGuardedAddresses, type Services } from '@croft/components';
import type { McpClients } from '@croft/server/flow-parts';
import { realpathSync } from 'node:fs';
import { importServerPart } from './import-server-part.ts';
import { PUBLISHED, serverInstallHint } from './published.ts';

type FlowParts = typeof import('@croft/server/flow-parts');

export interface RunClientOptions {
  readonly fetch: typeof globalThis.fetch;
  /** Private hosts of `--allow-host`. */
  readonly allowedHosts: readonly string[];
  /** Commands of `--allow-command`. */
  readonly allowedCommands: readonly string[];
  /** The directory that the flow writes to. */
  readonly root: string;
}

/** Parts of the server package for a run, loaded at the first use. Close it after the run. */
export interface RunClients {
  readonly services: Pick<Services, 'documents' | 'mcp' | 'sql'>;
  close(): Promise<void>;
}

/** Documents and MCP servers of `croft run`. They need libraries that the package `croft` has no room for. */
export function openRunClients({ fetch, allowedHosts, allowedCommands, root }: RunClientOptions): RunClients {
  let clients: Promise<McpClients> | undefined;
  const openClients = async () => {
    const { createMcpClients } = await loadParts('MCP tools');
    const howToAllow =
      "Allow it with --allow-command 'COMMAND', if you trust it. It runs as you, and not only in the directory of the flow.";
    return createMcpClients({ fetch, commands: () => ({ allowed: allowedCommands, writable: [root], howToAllow }) });
  };
  const documents = async () => (await loadParts('Documents of this format')).createDocuments();
  return {
    services: {
      documents: {
        read: async (...request) => (await documents()).read(...request),
        write: async (...request) => (await documents()).write(...request),
      },
      sql: async (request) => {
        const { createRunSql } = await loadParts('Databases');
        return createRunSql(createGuardedAddresses({ allow: allowedHosts }))(request);
      },
      mcp: async (...request) => (await (clients ??= openClients())).connect(...request),
    },
    async close() {
      await (await clients?.catch(() => undefined))?.close();
    },
  };
}

/** @throws ComponentError with the command that installs the package */
async function loadParts(what: string): Promise<FlowParts> {
  const parts = await importServerPart<FlowParts>('@croft/server/flow-parts');
  if (parts !== undefined) return parts;
  throw new ComponentError(
    `${what} need the package @croft/server, which is not installed.`,
    serverInstallHint(
      realpathSync(process.argv[1] ?? '.'),
      PUBLISHED,
      'Run the flow from a checkout of Croft, which has it.',
    ),
  );
}
