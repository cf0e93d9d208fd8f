import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DAEMON_EXCLUDES } from '@croft/tools';
import { openWorkspace, type Workspace } from '@croft/workspace';
import { makeScratch, memoryDir, type Scratch } from '@croft/workspace/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { drawScannedTree, scanTree } from './scan-tree.ts';

let scratch: Scratch;
let workspace: Workspace;
const excludeNames = new Set<string>(DAEMON_EXCLUDES);

function setUp(lines: readonly string[], options: object = {}): void {
  scratch = makeScratch(lines);
  workspace = openWorkspace(scratch.workspace, { readOnly: true, ...options });
}

afterEach(() => {
  workspace.close();
  scratch.remove();
});

const pathsOf = async (options: object = {}) =>
  (await scanTree(workspace, { excludeNames, ...options })).entries.map(({ path }) => path);

describe('a scan', () => {
  it('goes breadth first, directories before files, each by name', async () => {
    setUp(['b.txt = 12345', 'a/deep/er/x', 'a/z', 'z/y', 'a.txt']);
    const { entries, truncated } = await scanTree(workspace, { excludeNames });
    expect(entries.map(({ path }) => path).join(' ')).toBe('a z a.txt b.txt a/deep a/z z/y a/deep/er a/deep/er/x');
    expect(entries[0]).toEqual({ path: 'a', type: 'directory' });
    expect(entries[3]).toEqual({ path: 'b.txt', type: 'file', sizeBytes: 5 });
    expect(truncated).toBe(false);
  });

  it('leaves out the sixteen excluded names at every level, and what the deny-list protects', async () => {
    expect(DAEMON_EXCLUDES).toHaveLength(16);
    const hidden = ['.env', 'id_rsa', 'server.pem', '.ssh/known'];
    setUp(['keep/a', ...DAEMON_EXCLUDES.flatMap((name) => [`${name}/x`, `keep/${name}/x`]), ...hidden]);
    expect(await pathsOf()).toEqual(['keep', 'keep/a']);
  });

  it('shows links as files without a size and follows none of them', async () => {
    setUp(['out => $OUT', 'file => $OUT/secret.txt', 'loop => .', 'd/a', 'in => d']);
    const { entries } = await scanTree(workspace, { excludeNames });
    expect(entries.filter(({ type }) => type === 'directory')).toEqual([{ path: 'd', type: 'directory' }]);
    expect(entries.filter(({ path }) => ['out', 'file', 'loop', 'in'].includes(path))).toEqual(
      ['file', 'in', 'loop', 'out'].map((path) => ({ path, type: 'file' })),
    );
    expect(JSON.stringify(entries)).not.toContain('secret.txt');
  });

  it('stays out of Croft’s own base directory', async () => {
    setUp(['.croft/connect.json = {"sessions":[]}', 'a']);
    workspace.close();
    workspace = openWorkspace(scratch.workspace, { baseDir: join(scratch.workspace, '.croft') });
    expect(await pathsOf()).toEqual(['a']);
  });

  it('ends at eight levels and says whether something was left below', async () => {
    const deep = Array.from({ length: 8 }, (_, i) => `l${i + 1}`).join('/');
    setUp([`${deep}/nine`]);
    const { entries, truncated } = await scanTree(workspace, { excludeNames });
    expect(entries).toHaveLength(8);
    expect(truncated).toBe(true);
    rmSync(join(scratch.workspace, deep, 'nine'));
    expect((await scanTree(workspace, { excludeNames })).truncated).toBe(false);
  });

  it('ends at the limit of entries, with upper levels complete before deeper ones', async () => {
    setUp([...Array.from({ length: 30 }, (_, i) => `big/f${i}`), 'z1', 'z2']);
    const { entries, truncated } = await scanTree(workspace, { excludeNames, maxEntries: 10 });
    expect(entries.slice(0, 3).map(({ path }) => path)).toEqual(['big', 'z1', 'z2']);
    expect(entries).toHaveLength(10);
    expect(truncated).toBe(true);
    expect((await scanTree(workspace, { excludeNames, maxEntries: 33 })).truncated).toBe(false);
    expect((await scanTree(workspace, { excludeNames, maxEntries: 32 })).truncated).toBe(true);
  });

  it('stops when it is cancelled', async () => {
    setUp(Array.from({ length: 50 }, (_, i) => `d${i}/f`));
    const slow = {
      list: (...args: Parameters<Workspace['list']>) => {
        const until = performance.now() + 10;
        while (performance.now() < until);
        return workspace.list(...args);
      },
    };
    await expect(scanTree(slow, { excludeNames, signal: AbortSignal.abort() })).rejects.toThrow();
  });

  it('reads 10,000 entries with one look at each directory', async () => {
    setUp([]);
    const base = mkdtempSync(join(memoryDir(), 'croft-scan-'));
    try {
      for (let d = 0; d < 500; d++) {
        mkdirSync(join(base, `dir${d}`));
        for (let f = 0; f < 19; f++) writeFileSync(join(base, `dir${d}`, `file${f}.txt`), 'x');
      }
      const big = openWorkspace(base, { readOnly: true });
      const looked: string[] = [];
      const watched = {
        list: (...args: Parameters<Workspace['list']>) => {
          looked.push(args[0] as string);
          return big.list(...args);
        },
      };
      const { entries, truncated } = await scanTree(watched, { excludeNames });
      expect(entries).toHaveLength(10_000);
      expect(truncated).toBe(false);
      // The bench measures the time (npm run bench:server -- --rows tree).
      expect(looked.sort()).toEqual(['.', ...Array.from({ length: 500 }, (_, d) => `dir${d}`)].sort());
      big.close();
    } finally {
      rmSync(base, { recursive: true, force: true });
    }
  });
});

describe('its drawing', () => {
  it('has everything below its own parent', async () => {
    setUp(['a/deep/x', 'a/z', 'b.txt']);
    expect(drawScannedTree('top', await scanTree(workspace, { excludeNames }))).toBe(
      ['top/', '  a/', '    deep/', '      x', '    z', '  b.txt'].join('\n'),
    );
  });

  it('says when entries were left out', () => {
    setUp([]);
    expect(drawScannedTree('', { entries: [{ path: 'a', type: 'file' }], truncated: true })).toBe(
      './\n  a\n  ... (truncated at 1 entries)',
    );
  });
});
