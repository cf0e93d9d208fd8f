import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
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
