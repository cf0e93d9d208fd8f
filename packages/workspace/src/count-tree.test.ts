import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { countSmallTree, countTree, MAX_COUNTED_DEPTH } from './count-tree.ts';
import { createPace } from './pace.ts';
import { openDir } from './resolve/dir.ts';
import { tempName } from './temp-name.ts';
import { useWorkspaces } from './use-workspaces.ts';

const open = useWorkspaces();

/** Counts in both ways, which must agree. */
async function count(path: string, maxEntries = 1_000) {
  const dir = openDir(path, 'descriptor');
  try {
    const slow = await countTree(dir.self, createPace());
    expect(countSmallTree(dir, maxEntries)).toEqual(slow);
    return slow;
  } finally {
    dir.close();
  }
}

it('counts files with hidden and protected names, and not what links lead to', async () => {
  const { scratch } = open(['a = 12345', 'd/.env = 123', '.lfsig/x = 1', 'l => $OUT/secret.txt', 'up => $OUT']);
  expect(await count(scratch.workspace)).toEqual({ bytes: 9, files: 3, tooDeep: false });
});

it('leaves out temporary files, which a write counts when they get their name', async () => {
  const { scratch } = open(['a = 1', `${tempName()} = 12345`]);
  expect(await count(scratch.workspace)).toEqual({ bytes: 1, files: 1, tooDeep: false });
});

it('tells that directories are nested too deep to be counted', async () => {
  const { scratch, at } = open(['a = 1']);
  mkdirSync(at('d/'.repeat(MAX_COUNTED_DEPTH + 1)), { recursive: true });
  expect(await count(scratch.workspace)).toEqual({ bytes: 1, files: 1, tooDeep: true });
});

it('counts at once only where there are few entries', () => {
  const { scratch } = open(['a', 'b', 'c']);
  const dir = openDir(scratch.workspace, 'descriptor');
  expect(countSmallTree(dir, 2)).toBeUndefined();
  expect(countSmallTree(dir, 200)).toMatchObject({ files: 3 });
  dir.close();
});

it('counts at once up to the exact number of entries, with directories', () => {
  const { scratch, at } = open(['d/a', 'd/b', `${tempName()}/x`]);
  const dir = openDir(scratch.workspace, 'descriptor');
  const count = (most: number) => countSmallTree(dir, most);
  expect([count(250), MAX_COUNTED_DEPTH]).toEqual([{ bytes: 6, files: 2, tooDeep: false }, 256]);
  for (let n = 0; n < 246; n++) writeFileSync(at(`f${n}`), '');
  expect([count(250)?.files, count(249)]).toEqual([248, undefined]);
  dir.close();
});

it('reads no directory whose own size says that it is large', () => {
  const { scratch, at } = open(['d/a']);
  for (let n = 0; n < 2_000; n++) writeFileSync(at(`d/${'n'.repeat(60)}${n}`), '');
  for (let n = 0; n < 2_000; n++) rmSync(at(`d/${'n'.repeat(60)}${n}`));
  const size = statSync(at('d')).size;
  const dir = openDir(scratch.workspace, 'descriptor');
  // Some file systems make a directory smaller again.
  expect(countSmallTree(dir, Math.ceil(size / 64))).toEqual({ bytes: 3, files: 1, tooDeep: false });
  if (size > 64 * 100) expect(countSmallTree(dir, Math.floor((size - 1) / 64))).toBeUndefined();
  dir.close();
});
