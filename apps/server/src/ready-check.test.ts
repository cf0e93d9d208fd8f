import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { resolveNamespace } from '@croft/workspace';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { testDir } from '../../../tests/support/temp-dir.ts';
import { LOCAL_USER_ID } from './local-user.ts';
import { createReadyCheck } from './ready-check.ts';

let base: string;
let isReady: boolean;
let admins: unknown[] | Error;
let mode: string;
let asked: number;
let logged: unknown[][];
beforeEach(() => {
  base = testDir();
  mkdirSync(join(base, 'workspaces'));
  [isReady, admins, mode, asked, logged] = [true, [{}], 'off', 0, []];
});

/** A database that answers the question for an admin. */
const db = {
  select: () => ({
    from: () => ({
      where: () => ({
        async limit() {
          asked++;
          if (admins instanceof Error) throw admins;
          return admins;
        },
      }),
    }),
  }),
};
const make = (autoLogin = true) =>
  createReadyCheck({
    settings: { autoLogin, baseDir: base },
    readiness: { isReady: () => isReady, db },
    sharedMount: { mode: () => mode },
    log: { error: (...args: unknown[]) => void logged.push(args) },
  } as never);

describe('the check whether the server can serve', () => {
  it('finds that it can, and leaves no file', async () => {
    expect(await make()()).toEqual({});
    expect(await make(false)()).toEqual({});
    expect([readdirSync(base), readdirSync(join(base, 'workspaces'))]).toEqual([['workspaces'], []]);
    expect(logged).toEqual([]);
  });

  it('waits for the database, and for the first admin', async () => {
    isReady = false;
    expect(await make()()).toEqual({ waitingFor: 'database' });
    expect(asked).toBe(0);
    isReady = true;
    admins = new Error('gone');
    expect(await make()()).toEqual({ waitingFor: 'database' });
    admins = [];
    expect(await make()()).toEqual({ waitingFor: 'admin' });
  });

  it('gives up on a database that does not answer within two seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      await make()();
      expect(vi.getTimerCount()).toBe(0);
      admins = new Promise(() => {}) as never;
      let state: unknown;
      void make()().then((found) => (state = found));
      await vi.advanceTimersByTimeAsync(1_999);
      expect(state).toBeUndefined();
      await vi.advanceTimersByTimeAsync(1);
      await vi.waitFor(() => expect(state).toEqual({ waitingFor: 'database' }));
    } finally {
      vi.useRealTimers();
    }
  });

  it('shares one check, and uses a good answer for a second', async () => {
    const check = make();
    expect(await Promise.all([check(), check()])).toEqual([{}, {}]);
    expect(asked).toBe(1);
    const now = vi.spyOn(Date, 'now');
    try {
      const later = Date.now();
      now.mockReturnValue(later);
      await check();
      expect(asked).toBe(1);
      now.mockReturnValue(later + 1_001);
      await check();
      expect(asked).toBe(2);
      admins = [];
      now.mockReturnValue(later + 3_000);
      expect(await check()).toEqual({ waitingFor: 'admin' });
      await check();
      expect(asked).toBe(4);
    } finally {
      now.mockRestore();
    }
  });

  it('finds that no files can be opened', async () => {
    writeFileSync(join(base, 'workspaces', 'shared'), '');
    expect(await make()()).toEqual({ waitingFor: 'files' });
    expect(logged).toEqual([[{ reason: expect.stringContaining('shared') as string }, 'files unavailable']]);
    expect(await make(false)()).toEqual({});
    mode = 'read';
    expect(await make(false)()).toEqual({ waitingFor: 'files' });
  });

  it('finds own files of the local user that cannot be opened', async () => {
    const env = { CROFT_BASE_DIR: base, CROFT_AUTO_LOGIN: 'true' };
    const { root } = resolveNamespace({ userId: LOCAL_USER_ID, forceIsolation: true, env });
    const other = join(base, 'moved');
    mkdirSync(other);
    renameSync(root, join(other, 'x'));
    symlinkSync(join(other, 'x'), root);
    expect(await make()()).toEqual({ waitingFor: 'files' });
  });

  it('counts users whose files cannot be opened, with accounts', async () => {
    const env = { CROFT_BASE_DIR: base, CROFT_AUTO_LOGIN: 'false' };
    const { root } = resolveNamespace({ userId: 'ann', forceIsolation: true, env });
    rmSync(root, { recursive: true });
    writeFileSync(root, '');
    expect(await make(false)()).toEqual({ brokenNamespaces: 1 });
    expect(logged).toEqual([[{ namespaces: [root] }, 'namespaces are not directories']]);
    expect(await make()()).toEqual({});
  });
});
