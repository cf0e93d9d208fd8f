import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { openRunClients, type RunClients } from './run-clients.ts';

let clients: RunClients;
const open = (allowedCommands: readonly string[] = []) =>
  openRunClients({
    fetch: () => Promise.reject(new Error('no network')),
    allowedHosts: [],
    allowedCommands,
    root: testDir(),
  });
beforeEach(() => void (clients = open()));
afterEach(() => clients.close());
const { signal } = new AbortController();

describe('the clients of croft run', () => {
  it('read documents in a process of their own', async () => {
    await expect(
      clients.services.documents?.read('pdf', async () => Buffer.from('no PDF'), { signal } as never),
    ).rejects.toThrow();
  });

  it('do not start a command that was not allowed, and say how to allow it', async () => {
    const failure = await clients.services
      .mcp?.({ kind: 'command', argv: ['some-server'] }, { signal, timeoutMs: 5_000 })
      .catch((error: unknown) => error as Error & { fix?: string });
    expect(failure).toMatchObject({
      fix: "Allow it with --allow-command 'COMMAND', if you trust it. It runs as you, and not only in the directory of the flow.",
    });
  });

  it('end also where none was used', async () => {
    await open().close();
  });
});
