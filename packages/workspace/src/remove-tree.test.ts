import { existsSync, lstatSync, mkdirSync, readFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createPace } from './pace.ts';
import { LARGE_BYTES, removeAny, removeQuietly, removeTemp, removeTree } from './remove-tree.ts';
import { bindMount } from './testing.ts';
import { useWorkspaces } from './use-workspaces.ts';

const open = useWorkspaces();

it('removes everything below a directory, hidden names, names that are not UTF-8 and large files too', async () => {
  const { at } = open(['d/a', 'd/.env', 'd/e/f/g', 'd/large']);
  writeFileSync(Buffer.concat([Buffer.from(`${at('d/e')}/`), Buffer.from([0xff, 0xfe])]), 'x');
  truncateSync(at('d/large'), LARGE_BYTES + 1);
  await removeTree(at('d'), createPace());
  expect(existsSync(at('d'))).toBe(false);
});

it('enters no link', async () => {
  const { scratch, at } = open(['d/l => $OUT', 'd/f => $OUT/secret.txt']);
  await removeTree(at('d'), createPace());
  expect(existsSync(at('d'))).toBe(false);
  expect(readFileSync(join(scratch.outside, 'secret.txt'), 'utf8')).toBe('SECRET');
});

it('removes directories that are nested deeper than a path can be written', async () => {
  const { at } = open(['d/']);
  // Each round puts what there is into 100 more directories.
  for (let round = 0; round < 30; round++) {
    mkdirSync(at(`next${round}/${'n/'.repeat(100)}`), { recursive: true });
    renameSync(at('d'), at(`next${round}/${'n/'.repeat(100)}d`));
    renameSync(at(`next${round}`), at('d'));
  }
  await removeTree(at('d'), createPace());
  expect(existsSync(at('d'))).toBe(false);
});

it('leaves what is mounted in the directory', async () => {
  const { scratch, at } = open(['d/m/', 'd/a']);
  const unmount = bindMount(scratch.outside, at('d/m'));
  if (!unmount) return;
  try {
    await expect(removeTree(at('d'), createPace())).rejects.toThrow();
    expect(readFileSync(at('d/m/secret.txt'), 'utf8')).toBe('SECRET');
  } finally {
    unmount();
  }
});

it('removes a file or a link by its name, and nothing where there is nothing', async () => {
  const { scratch, at } = open(['f', 'l => $OUT/secret.txt', 't']);
  for (const name of ['f', 'l', 'missing']) await removeAny(at(name), createPace());
  await removeQuietly(at('missing/below'), createPace());
  removeTemp(at('t'));
  removeTemp(at('t'));
  expect(['f', 'l', 't'].filter((name) => lstatSync(at(name), { throwIfNoEntry: false }))).toEqual([]);
  expect(readFileSync(join(scratch.outside, 'secret.txt'), 'utf8')).toBe('SECRET');
});

it('stops when it is cancelled', async () => {
  const { at } = open(['d/a']);
  const controller = new AbortController();
  controller.abort();
  const removal = removeTree(at('d'), createPace([controller.signal]));
  await expect(removal).rejects.toMatchObject({ code: 'cancelled' });
  expect(existsSync(at('d/a'))).toBe(true);
});
