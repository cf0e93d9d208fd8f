import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  symlinkSync,
} from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDir } from '../../packages/workspace/src/resolve/dir.ts';
import { removeMade } from '../../packages/workspace/src/resolve/made-dirs.ts';
import { openRoot } from '../../packages/workspace/src/resolve/root.ts';
import { openWorkspace } from '../../packages/workspace/src/workspace.ts';
import { codeOf } from '../../packages/workspace/src/testing.ts';
import { textOf, withWorkspace } from './refusal.ts';

const linux = process.platform === 'linux';

describe('the boundary', () => {
  it('refuses to climb above the root', () =>
    withWorkspace(['a/f'], async (workspace) => {
      expect(await codeOf(() => workspace.readText('../outside/secret.txt'))).toBe('outside');
      expect(await codeOf(() => workspace.readText('a/../../outside/secret.txt'))).toBe('outside');
      expect(await codeOf(() => workspace.list('..'))).toBe('outside');
      expect(await textOf(workspace, 'a/../a/f')).toBe('a/f');
    }));

  it('refuses an absolute path outside', () =>
    withWorkspace(['f'], async (workspace, { outside, workspace: root }) => {
      expect(await codeOf(() => workspace.readText(join(outside, 'secret.txt')))).toBe('outside');
      expect(await textOf(workspace, join(root, 'f'))).toBe('f');
    }));

  it('refuses an absolute link that leads outside', () =>
    withWorkspace(['l => $OUT/secret.txt', 'd => $OUT'], async (workspace) => {
      expect(await codeOf(() => workspace.readText('l'))).toBe('link_outside');
      expect(await codeOf(() => workspace.readText('d/secret.txt'))).toBe('link_outside');
    }));

  it('refuses a relative link that leads outside', () =>
    withWorkspace(['l => ../outside/secret.txt', 'a/d => ../../outside'], async (workspace) => {
      expect(await codeOf(() => workspace.readText('l'))).toBe('link_outside');
      expect(await codeOf(() => workspace.readText('a/d/secret.txt'))).toBe('link_outside');
    }));

  it('makes nothing through a dangling link that leads outside', () =>
    withWorkspace(['l => $OUT/new.txt'], async (workspace, { outside, workspace: root }) => {
      expect(await codeOf(() => workspace.write('l', 'x'))).toBe('link_outside');
      expect(readdirSync(outside)).toEqual(['secret.txt']);
      expect(lstatSync(join(root, 'l')).isSymbolicLink()).toBe(true);
    }));

  it.runIf(linux)('lets the kernel follow no link on the short way', () =>
    withWorkspace(
      ['d => $OUT'],
      async (workspace, { outside }) => {
        expect(await codeOf(() => workspace.readText('d/secret.txt'))).toBe('link_outside');
        expect(await codeOf(() => workspace.write('d/new.txt', 'x'))).toBe('link_outside');
        expect(readdirSync(outside)).toEqual(['secret.txt']);
      },
      { resolver: 'openat2' },
    ),
  );

  it.runIf(linux)('opens no directory through a link', () =>
    withWorkspace(['real/f', 'l => real'], (_, { workspace: root }) => {
      expect(() => openDir(join(root, 'l'), 'descriptor')).toThrow(/ENOTDIR|ELOOP/);
      openDir(join(root, 'real'), 'descriptor').close();
    }),
  );

  it.runIf(linux)('opens no FIFO: it is refused by what it is', () =>
    withWorkspace(['f'], async (workspace, { workspace: root }) => {
      execFileSync('mkfifo', [join(root, 'pipe')]);
      expect(await codeOf(() => workspace.readText('pipe'))).toBe('not_regular');
      expect(await codeOf(() => workspace.readBytes('pipe'))).toBe('not_regular');
    }),
  );
});

describe('an unchanging link that leads outside', () => {
  for (const resolver of linux ? (['openat2', 'walk'] as const) : (['portable'] as const)) {
    it(`is refused at once by ${resolver}, without the retries meant for an exchange`, () =>
      withWorkspace(
        ['f', 'l => $OUT/secret.txt', 'd => $OUT'],
        async (workspace) => {
          // Older than the age at which a link may be half of an exchange.
          await new Promise((resolve) => setTimeout(resolve, 50));
          const leastMs = async (path: string, code: string) => {
            let least = Number.POSITIVE_INFINITY;
            for (let i = 0; i < 30; i++) {
              const began = performance.now();
              expect(await codeOf(() => workspace.readText(path))).toBe(code);
              least = Math.min(least, performance.now() - began);
            }
            return least;
          };
          // Retries cost five milliseconds, more than twenty ordinary reads.
          const ordinary = await leastMs('f', 'done');
          for (const path of ['l', 'd/secret.txt'])
            await expect.poll(() => leastMs(path, 'link_outside')).toBeLessThan(15 * ordinary);
        },
        { resolver },
      ));
  }
});

describe('a sub-path', () => {
  it('is pinned below its directory', () =>
    withWorkspace(['in/f'], (_, { workspace: root, outside }) => {
      const open = (subPath: string) => openWorkspace(root, { subPath });
      symlinkSync(outside, join(root, 'leads-out'));
      for (const subPath of ['../outside', 'in/../../outside', 'leads-out']) {
        expect(() => open(subPath).close(), subPath).toThrow(/escapes workspace boundary/);
      }
      const inner = open('in');
      expect(readdirSync(inner.root)).toEqual(['f']);
      inner.close();
    }));

  it('that was removed and made again as a link does not lead outside', () =>
    withWorkspace(['in/'], async (_, { workspace: root, outside }) => {
      const inner = openWorkspace(root, { subPath: 'in' });
      rmdirSync(join(root, 'in'));
      symlinkSync(outside, join(root, 'in'));
      expect(await codeOf(() => inner.readText('secret.txt'))).toBe('outside');
      inner.close();
    }));

  it('does not take the process to its working directory when it is empty', () =>
    withWorkspace(['f'], (_, { workspace: root }) => {
      const inner = openWorkspace(root, { subPath: '  ' });
      expect(inner.root).toBe(root);
      inner.close();
    }));
});

describe("Croft's own base directory", () => {
  const tree = ['home/.croft/token', 'home/.croft/workspaces/shared/x', 'home/f'];
  const masked = ({ workspace }: { workspace: string }) => ({ baseDir: join(workspace, 'home/.croft') });

  it('does not exist for a workspace that holds it', () =>
    withWorkspace(
      tree,
      async (workspace) => {
        expect(await codeOf(() => workspace.readText('home/.croft/token'))).toBe('outside');
        expect(await codeOf(() => workspace.write('home/.croft/token', 'x'))).toBe('outside');
        expect(await codeOf(() => workspace.list('home/.croft'))).toBe('outside');
      },
      masked,
    ));

  it('is left out of lists and trees', () =>
    withWorkspace(
      tree,
      (workspace) => {
        expect(workspace.list('home').entries.map((entry) => entry.name)).toEqual(['f']);
        expect(workspace.tree('.', { maxDepth: 9, maxEntries: 99 }).entries.map((entry) => entry.path)).toEqual([
          'home',
          'home/f',
        ]);
      },
      masked,
    ));

  it('is neither listed, walked, copied nor deleted under another name', () =>
    withWorkspace(
      tree,
      async (workspace, { workspace: root }) => {
        mkdirSync(join(root, 'other'));
        renameSync(join(root, 'home/.croft'), join(root, 'other/moved'));
        expect(workspace.list('other').entries).toEqual([]);
        const tree = workspace.tree('.', { maxDepth: 9, maxEntries: 99 }).entries;
        expect(tree.map((entry) => entry.path)).toEqual(['home', 'home/f', 'other']);
        await workspace.copy('other', 'copy');
        expect(readdirSync(join(root, 'copy'))).toEqual([]);
        expect(await codeOf(() => workspace.delete('other', { recursive: true }))).toBe('outside');
        expect(existsSync(join(root, 'other/moved/token'))).toBe(true);
      },
      masked,
    ));

  it('is not carried along when a directory above it is moved or deleted', () =>
    withWorkspace(
      tree,
      async (workspace, { workspace: root }) => {
        expect(await codeOf(() => workspace.move('home', 'elsewhere'))).toBe('outside');
        expect(await codeOf(() => workspace.delete('home', { recursive: true }))).toBe('outside');
        expect(readFileSync(join(root, 'home/.croft/token'), 'utf8')).toBe('home/.croft/token');
      },
      masked,
    ));

  it('cannot be opened as a workspace', () =>
    withWorkspace(['base/workspaces/shared/f', 'base/token'], (_, { workspace: root }) => {
      const baseDir = join(root, 'base');
      for (const dir of ['base', 'base/workspaces'])
        expect(() => openWorkspace(join(root, dir), { baseDir }).close(), dir).toThrow(/cannot be a workspace/);
      openWorkspace(join(root, 'base/workspaces/shared'), { baseDir }).close();
    }));
});

describe.runIf(linux)('a directory made for a write that then fails', () => {
  it('is not removed where a link has taken the way there', () =>
    withWorkspace(['a => $OUT'], (_, { outside, workspace: root }) => {
      mkdirSync(join(outside, 'b'));
      const { dev, ino } = lstatSync(join(outside, 'b'));
      const held = openRoot(root);
      removeMade(held, [{ parts: ['a', 'b'], dev, ino }]);
      held.close();
      expect(existsSync(join(outside, 'b'))).toBe(true);
    }));
});
