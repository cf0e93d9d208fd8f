import { closeSync, mkdirSync, openSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { createPace } from './pace.ts';
import { codeOf, makeScratch, memoryDir, type Scratch } from './testing.ts';
import { type SlicedVisit, visitInSlices } from './visit-in-slices.ts';

let scratch: Scratch;
afterEach(() => scratch.remove());
const OPTIONS: SlicedVisit = { maxDepth: 9, denyList: true, pace: createPace() };

describe.each(['by path', 'by descriptor'])('a walk in slices, %s', (how) => {
  /** Paths met, with kind and depth. */
  async function walk(options: Partial<SlicedVisit> = {}, onEntry?: Parameters<typeof visitInSlices>[2]) {
    const fd = openSync(scratch.workspace, 'r');
    const seen: string[] = [];
    try {
      const self = how === 'by path' ? scratch.workspace : `/proc/self/fd/${fd}`;
      const { tooDeep } = await visitInSlices(self, { ...OPTIONS, ...options }, (entry) => {
        seen.push(`${entry.path} ${entry.type} ${entry.depth}`);
        return onEntry?.(entry);
      });
      return { seen: seen.sort(), tooDeep };
    } finally {
      closeSync(fd);
    }
  }

  it('meets every entry with its kind and depth, and follows no link', async () => {
    scratch = makeScratch(['a/b/f', 'link => a', 'out => $OUT', 'g']);
    expect(await walk()).toEqual({
      seen: ['a directory 1', 'a/b directory 2', 'a/b/f file 3', 'g file 1', 'link link 1', 'out link 1'],
      tooDeep: false,
    });
  });

  it('says which names it does not report', async () => {
    scratch = makeScratch(['.env', '.croft-tmp-1', 'f']);
    const hidden: string[] = [];
    expect((await walk({ onHidden: (name) => hidden.push(name) })).seen).toEqual(['f file 1']);
    expect(hidden.sort()).toEqual(['.croft-tmp-1', '.env']);
    const { seen } = await walk({ denyList: false, showReserved: true });
    expect(seen).toEqual(['.croft-tmp-1 file 1', '.env file 1', 'f file 1']);
  });

  it('leaves deep directories closed and says so, and those that the caller skips without saying so', async () => {
    scratch = makeScratch(['a/b/c', 'x/y']);
    expect(await walk({ maxDepth: 1 })).toEqual({ seen: ['a directory 1', 'x directory 1'], tooDeep: true });
    expect(await walk({ maxDepth: 1 }, () => 'skip')).toMatchObject({ tooDeep: false });
    const { seen } = await walk({}, async ({ name }) => (name === 'b' ? 'skip' : undefined));
    expect(seen).toEqual(['a directory 1', 'a/b directory 2', 'x directory 1', 'x/y file 2']);
  });

  it('leaves out a directory that was exchanged for a link after it was met', async () => {
    scratch = makeScratch(['a/f', 'link => $OUT']);
    const { seen } = await walk({}, ({ path }) => {
      if (path !== 'a') return;
      renameSync(join(scratch.workspace, 'a'), join(scratch.workspace, 'away'));
      renameSync(join(scratch.workspace, 'link'), join(scratch.workspace, 'a'));
    });
    expect(seen.filter((line) => line.includes('/'))).toEqual([]);
  });

  it('passes on failures of the visitor and ends when it is cancelled', async () => {
    scratch = makeScratch(['f']);
    const failing = walk({}, () => {
      throw new Error('failed');
    });
    await expect(failing).rejects.toThrow('failed');
    expect(await codeOf(() => walk({ pace: createPace([AbortSignal.abort()]) }))).toBe('cancelled');
  });
});

it('passes on the failure of each directory that it leaves out', async () => {
  scratch = makeScratch(['a/f', 'g/f']);
  const failures: unknown[] = [];
  const onUnread = (error: unknown) => void failures.push((error as NodeJS.ErrnoException).code);
  const seen: string[] = [];
  await visitInSlices(scratch.workspace, { ...OPTIONS, onUnread }, ({ path }) => {
    seen.push(path);
    if (path === 'a') renameSync(join(scratch.workspace, 'a'), join(scratch.workspace, 'away'));
  });
  expect([failures, seen.includes('g/f')]).toEqual([['ENOENT'], true]);
});

it('waits for each pause before it meets the next entry', async () => {
  scratch = makeScratch(['a', 'b', 'c']);
  let isOver = false;
  const pause = async () => {
    isOver = false;
    await nextTurn();
    isOver = true;
  };
  const met: boolean[] = [];
  const pace = { check: () => undefined, pause };
  await visitInSlices(scratch.workspace, { ...OPTIONS, pace }, () => void met.push(isOver));
  expect(met).toEqual([true, true, true]);
});

it('reads a large directory in parts, and all of it', async () => {
  scratch = makeScratch([], [], memoryDir());
  const dir = join(scratch.workspace, 'large');
  mkdirSync(dir);
  for (let i = 0; i < 700; i++) writeFileSync(join(dir, `a-name-that-takes-room-${i}`), '');
  const seen = new Set<string>();
  await visitInSlices(dir, OPTIONS, ({ name }) => void seen.add(name));
  expect(seen.size).toBe(readdirSync(dir).length);
  await visitInSlices(join(scratch.workspace, 'gone'), OPTIONS, () => expect.unreachable());
});
