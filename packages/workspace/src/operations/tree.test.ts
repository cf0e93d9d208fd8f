import { expect, it } from 'vitest';
import { useWorkspaces } from '../use-workspaces.ts';
import type { TreeOptions } from './tree.ts';

const open = useWorkspaces();
const LINES = ['b/deep/er/f', 'a.txt = four', 'b/z', 'l => b', '.ssh/key', '.env', 'node_modules/x', '.croft-tmp-1'];

function draw(options: Partial<TreeOptions> = {}, path = '', ignoreNames: readonly string[] = []) {
  const { workspace } = open(LINES, { ignoreNames });
  const { entries, truncated } = workspace.tree(path, { maxDepth: 9, maxEntries: 100, ...options });
  return [entries.map((entry) => `${entry.depth} ${entry.path}`).join(', '), truncated];
}

it('has directories before files, each by name, down to a depth; links are shown and not entered', () => {
  const all = '1 b, 2 b/deep, 3 b/deep/er, 4 b/deep/er/f, 2 b/z, 1 node_modules, 2 node_modules/x, 1 a.txt, 1 l';
  expect(draw()).toEqual([all, false]);
  expect(draw({ maxDepth: 1 })).toEqual(['1 b, 1 node_modules, 1 a.txt, 1 l', false]);
  expect(draw({}, 'b/deep')).toEqual(['1 er, 2 er/f', false]);
});

it('has a number of entries, and says when there are more', () => {
  expect(draw({ maxEntries: 9 })[1]).toBe(false);
  expect(draw({ maxEntries: 8 })[1]).toBe(true);
  expect(draw({ maxEntries: 2 })).toEqual(['1 b, 2 b/deep', true]);
});

it('leaves out names that the workspace or the call ignores', () => {
  expect(draw({ maxDepth: 1 }, '', ['b'])[0]).toBe('1 node_modules, 1 a.txt, 1 l');
  expect(draw({ maxDepth: 1, excludeNames: new Set(['node_modules']) }, '', ['b'])[0]).toBe('1 a.txt, 1 l');
});

it('has the sizes of files on request', () => {
  const { workspace } = open(LINES);
  const sizes = (asked: boolean) =>
    workspace
      .tree('', { maxDepth: 1, maxEntries: 100, sizes: asked })
      .entries.flatMap(({ name, sizeBytes }) => (sizeBytes === undefined ? [] : [`${name} ${sizeBytes}`]));
  expect([sizes(true), sizes(false)]).toEqual([['a.txt 4'], []]);
});

it('does not go deeper than the workspace does, and says so', () => {
  const { workspace } = open(['a/b/c/d'], { limits: { maxDepth: 2 } });
  const cut = (maxDepth: number) => {
    const { entries, truncated } = workspace.tree('', { maxDepth, maxEntries: 100 });
    return [entries.length, truncated];
  };
  expect([cut(1), cut(2), cut(3)]).toEqual([
    [1, false],
    [2, false],
    [2, true],
  ]);
});
