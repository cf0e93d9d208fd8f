import fs, {
  closeSync,
  existsSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { copyRegular } from '../../packages/workspace/src/copy-file.ts';
import { createPace } from '../../packages/workspace/src/pace.ts';
import { tempName } from '../../packages/workspace/src/temp-name.ts';
import { openTrash } from '../../packages/workspace/src/trash.ts';
import { openWorkspace, type Workspace } from '../../packages/workspace/src/workspace.ts';
import { codeOf } from '../../packages/workspace/src/testing.ts';
import { textOf, withWorkspace } from './refusal.ts';

describe('a file with a second name', () => {
  const tree = ['f = text', 'second == $ROOT/f'];

  it('is not written', () =>
    withWorkspace(tree, async (workspace) => {
      expect(await codeOf(() => workspace.write('f', 'x'))).toBe('hard_linked');
    }));

  it('is not appended to', () =>
    withWorkspace(tree, async (workspace) => {
      expect(await codeOf(() => workspace.append('f', 'x'))).toBe('hard_linked');
    }));

  it('is not edited', () =>
    withWorkspace(tree, async (workspace) => {
      expect(await codeOf(() => workspace.edit('f', [{ oldString: 'text', newString: 'x' }]))).toBe('hard_linked');
      expect(await textOf(workspace, 'f')).toBe('text');
    }));
});

describe('a read-only workspace', () => {
  it('refuses every mutation', () =>
    withWorkspace(
      ['f = text'],
      async (workspace, { workspace: root }) => {
        const mutations: (() => unknown)[] = [
          () => workspace.write('f', 'x'),
          () => workspace.append('f', 'x'),
          () => workspace.edit('f', [{ oldString: 'text', newString: 'x' }]),
          () => workspace.createDir('d'),
          () => workspace.move('f', 'g'),
          () => workspace.copy('f', 'g'),
          () => workspace.delete('f'),
          () => workspace.undo({ kind: 'create', path: 'f' }),
        ];
        for (const mutate of mutations) expect(await codeOf(mutate)).toBe('read_only');
        expect(readdirSync(root)).toEqual(['f']);
      },
      { readOnly: true },
    ));
});

describe('a write', () => {
  it('never changes the old file in place: who holds it open reads the old content to its end', () =>
    withWorkspace(['f = the old content'], async (workspace, { workspace: root }) => {
      const fd = openSync(join(root, 'f'), 'r');
      try {
        workspace.write('f', 'new');
        const buffer = Buffer.alloc(100);
        expect(buffer.toString('utf8', 0, readSync(fd, buffer, 0, 100, 0))).toBe('the old content');
        expect(await textOf(workspace, 'f')).toBe('new');
      } finally {
        closeSync(fd);
      }
    }));

  it('that passes the quota leaves the old file as it was', () =>
    withWorkspace(
      ['f = small'],
      async (workspace) => {
        expect(await codeOf(() => workspace.write('f', 'x'.repeat(100)))).toBe('quota');
        expect(await textOf(workspace, 'f')).toBe('small');
      },
      { quota: { maxBytes: 50 } },
    ));

  it('of a dead process leaves no temporary file behind after the next start', () =>
    withWorkspace(['f'], async (_, { workspace: root }) => {
      const dead = spawnSync(process.execPath, ['-e', '']).pid;
      const left = join(root, tempName().replace(String(process.pid), String(dead)));
      writeFileSync(left, 'half');
      const next = openWorkspace(root);
      await next.settled();
      next.close();
      expect(existsSync(left)).toBe(false);
    }));
});

describe('the trash', () => {
  it('keeps nothing when the name has become another file or a link', () =>
    withWorkspace(['f', 'l => $OUT/secret.txt'], (_, { workspace: root, base }) => {
      const seen = statSync(join(root, 'f'));
      const trash = openTrash(join(base, 'trash'));
      // The call located `f`; before it is stored in the trash, the name leads elsewhere.
      expect(trash.keep(join(root, 'l'), seen)).toBeUndefined();
      expect(readdirSync(join(base, 'trash'))).toEqual([]);
    }));

  it('moves a link itself and not what it leads to', () =>
    withWorkspace(['l => $OUT/secret.txt'], async (workspace, { outside }) => {
      await workspace.delete('l');
      expect(readFileSync(join(outside, 'secret.txt'), 'utf8')).toBe('SECRET');
    }));
});

describe('a copy', () => {
  it('never reads through a link', () =>
    withWorkspace(['l => $OUT/secret.txt'], async (_, { workspace: root }) => {
      await expect(copyRegular(join(root, 'l'), join(root, 'copy'), createPace())).rejects.toThrow(/ELOOP/);
      expect(existsSync(join(root, 'copy'))).toBe(false);
    }));

  it('leaves out the links inside a directory', () =>
    withWorkspace(['d/f', 'd/l => $OUT/secret.txt', 'd/deep => $OUT'], async (workspace, { workspace: root }) => {
      await workspace.copy('d', 'e');
      expect(readdirSync(join(root, 'e'))).toEqual(['f']);
    }));
});

describe('a recursive delete', () => {
  it('enters no link', () =>
    withWorkspace(['d/f', 'd/out => $OUT'], async (workspace, { workspace: root, outside }) => {
      await workspace.delete('d', { recursive: true });
      expect(lstatSync(join(root, 'd'), { throwIfNoEntry: false })).toBeUndefined();
      expect(readdirSync(outside)).toEqual(['secret.txt']);
    }));

  it('spares protected files inside', () =>
    withWorkspace(['d/.env', 'd/f'], async (workspace, { workspace: root }) => {
      expect(await codeOf(() => workspace.delete('d', { recursive: true }))).toBe('denied');
      expect(readdirSync(join(root, 'd')).sort()).toEqual(['.env', 'f']);
    }));
});

describe('a deletion, when a link takes the place of the directory in the last moment', () => {
  const { lstatSync: realLstat, renameSync: realRename } = fs;
  let root = '';
  const exchange = () => {
    for (const [from, to] of [
      ['d', 'spare'],
      ['link', 'd'],
      ['spare', 'link'],
    ] as const)
      realRename(join(root, from), join(root, to));
  };
  afterEach(() => {
    vi.restoreAllMocks();
    Object.assign(fs, { lstatSync: realLstat, renameSync: realRename });
    syncBuiltinESMExports();
  });
  const withExchange = (looksUntilBack: number, use: (workspace: Workspace) => unknown) =>
    withWorkspace(['d/', 'link => $OUT'], (workspace, scratch) => {
      root = scratch.workspace;
      let looks = -1;
      const renameSync = (from: string, to: string) => {
        if (looks < 0) {
          exchange();
          looks = 0;
        }
        realRename(from, to);
      };
      const lstatSync = (at: string, options: object) => {
        if (looks >= 0 && `${at}`.endsWith('/d') && looks++ === looksUntilBack) exchange();
        return realLstat(at, options);
      };
      Object.assign(fs, { renameSync, lstatSync });
      syncBuiltinESMExports();
      return use(workspace);
    });

  it('waits for the directory to come back', () =>
    withExchange(2, async (workspace) => {
      // The call looks again for 5 ms. With the clock held, a busy machine cannot use them up.
      vi.spyOn(performance, 'now').mockReturnValue(performance.now());
      expect((await workspace.delete('d')).type).toBe('directory');
      expect(readdirSync(root)).toEqual(['link']);
    }));

  it('does not take the link instead', () =>
    withExchange(Number.POSITIVE_INFINITY, async (workspace) => {
      expect(await codeOf(() => workspace.delete('d'))).toBe('changed');
      expect(realLstat(join(root, 'd')).isSymbolicLink()).toBe(true);
    }));
});
