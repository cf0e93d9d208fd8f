import { withTurns } from '@croft/workspace/testing';
import { expect, it } from 'vitest';
import { inTurns } from './in-turns.ts';
import { receiveTree } from './receive-tree.ts';
import { packTree } from './tree/pack-tree.ts';

it('work gives way to others every few milliseconds, and is done in its order', async () => {
  const done: number[] = [];
  function* work() {
    for (let n = 0; n < 5; n++) {
      const until = performance.now() + 6;
      while (performance.now() < until);
      done.push(n);
      yield;
    }
    return 'all';
  }
  const { turns } = await withTurns(async () => expect(await inTurns(work())).toBe('all'));
  expect(done).toEqual([0, 1, 2, 3, 4]);
  expect(turns).toBeGreaterThanOrEqual(4);
});

it('a large tree is packed in turns, and is the same as packed at once', async () => {
  // The same entry thirty thousand times: all are checked, and one is kept.
  const tree = Array.from({ length: 30_000 }, () => ({
    path: `${'d/'.repeat(60)}f`,
    type: 'file' as const,
    sizeBytes: 1,
  }));
  const { turns } = await withTurns(async () => {
    expect(await receiveTree({ rootPath: '/p', tree })).toEqual(packTree(tree, false, '/p'));
  });
  expect(turns).toBeGreaterThan(3);
});

it('an invalid entry is named, and entries beyond the limit are not checked', async () => {
  const entries = (count: number) => Array.from({ length: count }, (_, n) => ({ path: `f${n}`, type: 'file' }));
  const odd = { path: 7, type: 'file' };
  await expect(receiveTree({ rootPath: '/p', tree: [...entries(3), odd] })).rejects.toThrow(
    /^The body does not fit: tree\.3\.path: /,
  );
  const packed = await receiveTree({ rootPath: '/p', tree: [...entries(10_001), odd] });
  expect(packed?.truncated).toBe(true);
});

it.each([
  [{ treeText: 'p/\n... (TRUNCATED)' }, true],
  [{ treeText: `truncated${' '.repeat(191)}` }, true],
  [{ treeText: `truncated${' '.repeat(192)}` }, false],
  [{ treeText: 'p/\nuntruncated.ts' }, false],
  [{ treeText: 'truncated', treeTruncated: false }, false],
  [{ treeText: 'p/', treeTruncated: true }, true],
  [{}, false],
])('a tree is cut if the client says so, or its drawing does at the end', async (more, truncated) => {
  const tree = [{ path: 'a', type: 'file' }];
  expect((await receiveTree({ rootPath: '/p', tree, ...more }))?.truncated).toBe(truncated);
});

it('there may be no tree', async () => {
  expect(await receiveTree({ rootPath: '/p', treeText: 'truncated' })).toBeUndefined();
});
