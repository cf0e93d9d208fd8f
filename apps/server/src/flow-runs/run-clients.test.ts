import { dirname } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterEach, describe, expect, it } from 'vitest';
import { useSharedDatabase } from '../../../../tests/store/use-shared-database.ts';
import type { Db } from '../store/database.ts';
import { user } from '../store/schema.ts';
import { openRunClients, type RunClients, writableDirs } from './run-clients.ts';

let clients: RunClients | undefined;
afterEach(() => clients?.close());

it('writes below the base directory and the directory of the file system', () => {
  expect(writableDirs({ baseDir: '/b', filesystemPath: undefined })).toEqual(['/b']);
  expect(writableDirs({ baseDir: '/b', filesystemPath: '/f' })).toEqual(['/b', '/f']);
});

it('has the tools of the machine of the user where the server has machines', async () => {
  const open = (machineTools?: (userId: string) => Promise<never[]>) => {
    clients?.close();
    clients = openRunClients(
      {
        fetch: () => Promise.reject(new Error('no network')),
        machineTools,
        settings: { baseDir: '/b', filesystemPath: undefined, flowCommands: [], flowHosts: [] },
        storage: () => Promise.reject(new Error('no database')),
      } as never,
      'ann',
    );
    return clients.services;
  };
  expect(open()).not.toHaveProperty('machineTools');
  const asked: string[] = [];
  const services = open(async (userId) => (asked.push(userId), []));
  expect(await services.machineTools?.()).toEqual([]);
  expect(asked).toEqual(['ann']);
  for (const name of ['channel', 'documents', 'mcp', 'sql'] as const) expect(services[name]).toBeDefined();
});

describe('a command of a flow', () => {
  let db: Db;
  useSharedDatabase((database) => void (db = database.db), ['rc-ann', 'rc-bob']);
  const argv = [process.execPath, '--version'];

  it('starts only in runs of administrators, and only where it is listed', async () => {
    await db.update(user).set({ role: 'admin' }).where(eq(user.id, 'rc-ann'));
    const refusal = async (userId: string, flowCommands: readonly string[], baseDir = '/nowhere') => {
      clients?.close();
      clients = openRunClients(
        {
          fetch: () => Promise.reject(new Error('no network')),
          settings: { baseDir, filesystemPath: undefined, flowCommands, flowHosts: [] },
          storage: async () => db,
        } as never,
        userId,
      );
      const limits = { signal: new AbortController().signal, timeoutMs: 10_000 };
      return Promise.resolve(clients.services.mcp?.({ kind: 'command', argv }, limits)).then(
        () => ({ message: 'started', fix: '' }),
        (error: Error & { fix: string }) => ({ message: error.message, fix: error.fix }),
      );
    };
    const listed = [argv.join(' ')];
    const notAllowed = {
      message: `The command '${listed[0]}' is not allowed.`,
      fix: 'Only administrators run commands, and only those that Settings → Workers lists. Use an address instead.',
    };
    expect(await refusal('rc-bob', listed)).toEqual(notAllowed);
    expect(await refusal('rc-ann', [])).toEqual(notAllowed);
    expect((await refusal('rc-ann', listed)).message).toBe('The MCP server of the command did not answer.');
    const inside = await refusal('rc-ann', listed, dirname(process.execPath));
    expect(inside.message).toContain('uses a file in the directory of the flow');
  });
});
