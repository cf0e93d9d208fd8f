import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createPace } from './pace.ts';
import { removeAny, removeQuietly, removeTemp, removeTree } from './remove-tree.ts';
import { bindMount, countFileRequests, type FileRequests, makeScratch, type Scratch } from './testing.ts';
import { useWorkspaces } from './use-workspaces.ts';

const open = useWorkspaces();

it('removes everything below a directory, hidden names and names that are not UTF-8 too', async () => {
  const { at } = open(['d/a', 'd/.env', 'd/e/f/g']);
  writeFileSync(Buffer.concat([Buffer.from(`${at('d/e')}/`), Buffer.from([0xff, 0xfe])]), 'x');
  await removeTree(at('d'), createPace());
  expect(existsSync(at('d'))).toBe(false);
});

it('enters no link', async () => {
  const { scratch, at } = open(['d/l => $OUT', 'd/f => $OUT/secret.txt']);
  await removeTree(at('d'), createPace());
  expect(existsSync(at('d'))).toBe(false);
  expect(readFileSync(join(scratch.outside, 'secret.txt'), 'utf8')).toBe('SECRET');
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

describe('the removals of names', () => {
  let scratch: Scratch;
  let requests: FileRequests;
  // Not a workspace, which makes requests of its own when it is opened.
  const setUp = (counts: Readonly<Record<string, number>>) => {
    const lines = Object.entries(counts).flatMap(([directory, count]) =>
      Array.from({ length: count }, (_, i) => `${directory}/${i}`),
    );
    scratch = makeScratch(lines);
    requests = countFileRequests();
  };
  const at = (name: string) => join(scratch.workspace, name);
  afterEach(() => {
    requests.stop();
    scratch.remove();
  });

  it('run in threads of libuv, no more than two at a time in the whole process', async () => {
    setUp({ 'd/a': 40, 'd/b': 40, e: 40 });
    await Promise.all([removeTree(at('d'), createPace()), removeTree(at('e'), createPace())]);
    // 120 files and 4 directories.
    expect(requests.total).toBe(124);
    // A directory that was given is removed last, perhaps beside two names of the other.
    expect(requests.most).toBeLessThanOrEqual(3);
  });

  it('are complete when a removal ends early, because its descriptors are closed then', async () => {
    setUp({ 'd/sub': 10 });
    let pauses = 0;
    const pause = () => {
      if (++pauses > 3) throw new Error('stopped');
      return undefined;
    };
    await expect(removeTree(at('d'), { pause, check() {} })).rejects.toThrow('stopped');
    expect(requests.total).toBe(2);
    expect(requests.running).toBe(0);
    expect(readdirSync(at('d/sub'))).toHaveLength(8);
  });
});

it('fails where a name cannot be removed', async () => {
  const { scratch, at } = open(['d/file/x', 'd/other']);
  const unmount = bindMount(join(scratch.outside, 'secret.txt'), at('d/other'));
  if (!unmount) return;
  try {
    await expect(removeTree(at('d'), createPace())).rejects.toThrow(/EBUSY/);
    await expect(removeAny(at('d/other'), createPace())).rejects.toThrow(/EBUSY/);
  } finally {
    unmount();
  }
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
