import fs, { readFileSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { testDir } from '../support/temp-dir.ts';
import { boundWorkspace } from '../../packages/tools/src/workspace-source.ts';
import { resolveNamespace } from '../../packages/workspace/src/namespace.ts';
import { loadOrCreatePepper } from '../../packages/workspace/src/pepper.ts';

let base: string;
beforeEach(() => void (base = testDir()));

describe('the pepper', () => {
  it('of the process that was first counts when two make it at the same time', () => {
    const path = join(base, '.fs_pepper');
    const first = Buffer.alloc(32, 7);
    const { fsyncSync } = fs;
    // The other process finishes after this one made its own pepper and before it renames it.
    fs.fsyncSync = (fd) => {
      fsyncSync(fd);
      writeFileSync(path, first);
    };
    syncBuiltinESMExports();
    try {
      expect(loadOrCreatePepper(path)).toEqual(first);
    } finally {
      fs.fsyncSync = fsyncSync;
      syncBuiltinESMExports();
    }
    expect(readFileSync(path)).toEqual(first);
  });
});

describe('a namespace', () => {
  it('is refused without a user when users are kept apart', () => {
    const env = { CROFT_BASE_DIR: base, CROFT_AUTO_LOGIN: 'false' };
    expect(() => resolveNamespace({ userId: '', env })).toThrow(/requires an authenticated user/);
  });
});

describe('tools bound to a user', () => {
  it('refuse to serve another', () => {
    let user = 'ann';
    const source = boundWorkspace({ userId: () => user, env: { CROFT_BASE_DIR: base, CROFT_AUTO_LOGIN: 'false' } });
    const own = source.acquire();
    own.write('note.txt', 'of ann');
    user = 'bob';
    expect(() => source.acquire()).toThrow(/user-id mismatch/);
    own.close();
  });
});
