import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import { DEFAULT_LIMITS } from '../limits.ts';
import { createPace } from '../pace.ts';
import { useWorkspaces } from '../use-workspaces.ts';
import { EMPTY_TREE, treeDigest } from './tree-digest.ts';

const open = useWorkspaces();

// Records of earlier versions contain digests, and their undo compares them.
it('is the hash of the sorted entries', async () => {
  const names = Array.from({ length: 600 }, (_, i) => `d/${i % 7}/${i}.txt`);
  const { at } = open([...names, 'd/l => d', 'd/empty/']);
  const lines = [
    ...[...new Set(names.map((name) => name.split('/')[1])), 'empty'].map((name) => [name, 'directory', null, null]),
    ['l', 'link', null, null],
    ...names.map((name) => {
      const { size, mtimeMs } = lstatSync(at(name));
      return [name.slice(2), 'file', size, Math.round(mtimeMs * 1_000)];
    }),
  ].map((line) => JSON.stringify(line));
  const expected = createHash('sha256').update(lines.sort().join('\n')).digest('hex').slice(0, 32);
  expect(await treeDigest(at('d'), DEFAULT_LIMITS, createPace())).toBe(expected);
  expect(await treeDigest(at('d/empty'), DEFAULT_LIMITS, createPace())).toBe(EMPTY_TREE);
});

it('sorts no more than 256 entries at once', async () => {
  const { at } = open(Array.from({ length: 600 }, (_, i) => `d/${i}`));
  const lengths: number[] = [];
  const { sort } = Array.prototype;
  const spy = vi.spyOn(Array.prototype, 'sort').mockImplementation(function (this: unknown[], ...args) {
    lengths.push(this.length);
    return sort.apply(this, args);
  });
  await treeDigest(at('d'), DEFAULT_LIMITS, createPace()).finally(() => spy.mockRestore());
  expect(Math.max(...lengths)).toBe(256);
});

it('is missing for a directory that has more or deeper entries than the limits allow', async () => {
  const { at } = open(['d/a/b/c']);
  const digest = (limits: object) => treeDigest(at('d'), { ...DEFAULT_LIMITS, ...limits }, createPace());
  const whole = await digest({});
  expect(whole).toMatch(/^[0-9a-f]{32}$/);
  expect([
    await digest({ maxTreeEntries: 3 }),
    await digest({ maxTreeEntries: 2 }),
    await digest({ maxDepth: 3 }),
    await digest({ maxDepth: 2 }),
  ]).toEqual([whole, undefined, whole, undefined]);
});

it('has protected and reserved names too, and fails where it is cancelled', async () => {
  const { at } = open(['d/.env', 'e/.lfsig', 'f/']);
  const digests = await Promise.all(['d', 'e', 'f'].map((name) => treeDigest(at(name), DEFAULT_LIMITS, createPace())));
  expect(new Set(digests).size).toBe(3);
  expect(digests[2]).toBe(EMPTY_TREE);
  const cancelled = treeDigest(at('d'), DEFAULT_LIMITS, createPace([AbortSignal.abort()]));
  await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' });
});
