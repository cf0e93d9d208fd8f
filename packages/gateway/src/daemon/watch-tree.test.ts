import fs, { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withReplaced } from '@croft/workspace/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import type { ScannedTree } from './scan-tree.ts';
import { type TreeWatch, watchTree } from './watch-tree.ts';

let watch: TreeWatch | undefined;
afterEach(() => watch?.close());

const scanned = (...directories: string[]) =>
  ({ entries: directories.map((path) => ({ path, type: 'directory' })), truncated: false }) as unknown as ScannedTree;

/** A watch, and a promise of the next reported change. */
function start(root: string) {
  let resolve: () => void = () => undefined;
  const next = () => new Promise<void>((done) => (resolve = done));
  let count = 0;
  const onChange = () => {
    count++;
    resolve();
  };
  return { watching: watchTree(root, onChange, 'linux'), next, count: () => count };
}

it('reports changes in the directories of the scan, until it is closed', async () => {
  const root = testDir();
  mkdirSync(join(root, 'a'));
  const { watching, next, count } = start(root);
  watch = watching;
  watching.follow(scanned('a'));
  for (const name of ['f', 'a/f']) {
    const changed = next();
    writeFileSync(join(root, name), 'x');
    await changed;
  }
  watching.close();
  await new Promise((resolve) => setImmediate(resolve));
  const before = count();
  writeFileSync(join(root, 'a/g'), 'x');
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
  expect(count()).toBe(before);
});

it('watches a directory that took the name of another one', async () => {
  const root = testDir();
  mkdirSync(join(root, 'a'));
  const { watching, next } = start(root);
  watch = watching;
  watching.follow(scanned('a'));
  let changed = next();
  rmSync(join(root, 'a'), { recursive: true });
  mkdirSync(join(root, 'a'));
  await changed;
  await new Promise((resolve) => setImmediate(resolve));
  watching.follow(scanned('a'));
  changed = next();
  writeFileSync(join(root, 'a/f'), 'x');
  await changed;
});

it('does not fail for a directory that is gone', () => {
  const { watching } = start(join(testDir(), 'gone'));
  watch = watching;
  expect(() => watching.follow(scanned('a'))).not.toThrow();
});

describe('the watches of a scan', () => {
  const POLL_MS = 60_000;
  /** Runs `act` with watches that a test reports changes of; `full` is when the system has none left. */
  async function withWatches(platform: string, act: (fake: ReturnType<typeof fakeWatches>) => void) {
    const fake = fakeWatches(platform);
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      await withReplaced(fs, { watch: fake.watch as unknown as typeof fs.watch }, () => act(fake));
    } finally {
      fake.watching.close();
      vi.useRealTimers();
    }
  }
  function fakeWatches(platform: string) {
    const open = new Map<string, { report: (event: string, name: string | null) => void; fail: () => void }>();
    const options: unknown[] = [];
    const state = { changes: 0, full: Number.POSITIVE_INFINITY };
    const watch = (path: string, given: unknown, report: (event: string, name: string | null) => void) => {
      if (open.size >= state.full) throw new Error('ENOSPC');
      options.push(given);
      const close = () => void open.delete(path);
      const watcher = {
        report,
        close,
        fail: () => undefined,
        on: (_: 'error', fail: () => undefined) => void (watcher.fail = fail),
      };
      open.set(path, watcher);
      return watcher;
    };
    const watching = watchTree('/root', () => state.changes++, platform);
    return { watch, open, options, state, watching, paths: () => [...open.keys()] };
  }

  it('are one for each directory, and follow the next scan', () =>
    withWatches('linux', ({ watching, paths, options }) => {
      watching.follow({
        entries: [
          { path: 'a', type: 'directory' },
          { path: 'a/b', type: 'directory' },
          { path: 'f', type: 'file' },
        ],
        truncated: false,
      } as unknown as ScannedTree);
      expect(paths()).toEqual(['/root', '/root/a', '/root/a/b']);
      watching.follow(scanned('a', 'c'));
      expect(paths()).toEqual(['/root', '/root/a', '/root/c']);
      expect(options).toEqual(Array(4).fill({ persistent: false, recursive: false }));
      watching.close();
      expect(paths()).toEqual([]);
      vi.advanceTimersByTime(POLL_MS);
    }));

  it('are one for the whole tree where the system has such', async () => {
    for (const platform of ['darwin', 'win32'])
      await withWatches(platform, ({ watching, paths, options, open, state }) => {
        watching.follow(scanned('a'));
        open.get('/root')?.report('rename', 'a');
        expect([paths(), options, state.changes]).toEqual([['/root'], [{ persistent: false, recursive: true }], 1]);
      });
  });

  it('end for a directory that is renamed, with those below it', () =>
    withWatches('linux', ({ watching, open, paths, state }) => {
      watching.follow(scanned('a', 'a/b', 'ab', 'a/b/c'));
      open.get('/root')?.report('change', 'a');
      open.get('/root')?.report('rename', null);
      expect([paths().length, state.changes]).toEqual([5, 2]);
      open.get('/root/a')?.report('rename', 'b');
      expect([paths(), state.changes]).toEqual([['/root', '/root/a', '/root/ab'], 3]);
      open.get('/root')?.report('rename', 'a');
      expect([paths(), state.changes]).toEqual([['/root', '/root/ab'], 4]);
      watching.follow(scanned('a'));
      expect(paths()).toEqual(['/root', '/root/a']);
    }));

  it('are replaced by polling once a minute where one fails or cannot be had', async () => {
    const polls = (state: { changes: number }) => {
      vi.advanceTimersByTime(POLL_MS - 1);
      const before = state.changes;
      vi.advanceTimersByTime(1);
      return [before, state.changes];
    };
    await withWatches('linux', ({ watching, open, paths, state }) => {
      watching.follow(scanned('a'));
      expect(polls(state)).toEqual([0, 0]);
      for (const path of ['/root/a', '/root']) open.get(path)?.fail();
      expect([paths(), polls(state)]).toEqual([[], [0, 1]]);
      watching.close();
      expect(polls(state)).toEqual([1, 1]);
    });
    await withWatches('linux', ({ watching, paths, state }) => {
      state.full = 2;
      watching.follow(scanned('a', 'b', 'c'));
      expect([paths(), polls(state)]).toEqual([
        ['/root', '/root/a'],
        [0, 1],
      ]);
    });
    for (const [count, expected] of [
      [1_999, 0],
      [2_000, 1],
    ] as const)
      await withWatches('linux', ({ watching, paths, state }) => {
        watching.follow(scanned(...Array.from({ length: count }, (_, n) => `d${n}`)));
        expect([paths().length, polls(state)]).toEqual([2_000, [0, expected]]);
      });
  });
});
