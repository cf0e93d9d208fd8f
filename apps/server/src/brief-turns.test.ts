import { expect, it, vi } from 'vitest';
import { createBriefTurns } from './brief-turns.ts';

/** Work that lasts until its `end` is called. */
function works(count: number, oneAtATime: ReturnType<typeof createBriefTurns>) {
  const started: number[] = [];
  const ends: (() => void)[] = [];
  const results = Array.from({ length: count }, (_, at) =>
    oneAtATime(() => {
      started.push(at);
      return new Promise<number>((resolve) => ends.push(() => resolve(at)));
    }),
  );
  return { started, ends, results };
}
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

it('lets one work at a time, in the order of their calls', async () => {
  const { started, ends, results } = works(4, createBriefTurns());
  await turn();
  for (let at = 0; at < 4; at++) {
    expect(started).toHaveLength(at + 1);
    ends[at]?.();
    await turn();
  }
  expect(started).toEqual([0, 1, 2, 3]);
  expect(await Promise.all(results)).toEqual([0, 1, 2, 3]);
});

it('starts the next after work that fails, and lets one at a time work afterwards', async () => {
  const oneAtATime = createBriefTurns();
  const failed = [1, 2].map(() => oneAtATime(() => Promise.reject(new Error('no'))));
  for (const each of failed) await expect(each).rejects.toThrow('no');
  const { started } = works(2, oneAtATime);
  await turn();
  expect(started).toEqual([0]);
});

it('starts the next while work waits for something, and once only', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { started, ends } = works(4, createBriefTurns());
  await turn();
  vi.advanceTimersByTime(20);
  await turn();
  expect(started).toEqual([0, 1]);
  // Its turn is another's by now.
  ends[0]?.();
  await turn();
  expect(started).toEqual([0, 1]);
  ends[1]?.();
  await turn();
  expect(started).toEqual([0, 1, 2]);
  vi.useRealTimers();
});
