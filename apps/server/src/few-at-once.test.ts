import { expect, it, vi } from 'vitest';
import { createFewAtOnce } from './few-at-once.ts';

/** Work that lasts until its `end` is called. */
function works(count: number, few: ReturnType<typeof createFewAtOnce>) {
  const started: number[] = [];
  const ends: (() => void)[] = [];
  const results = Array.from({ length: count }, (_, at) =>
    few(() => {
      started.push(at);
      return new Promise<number>((resolve) => ends.push(() => resolve(at)));
    }),
  );
  return { started, ends, results };
}
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

it('lets two work at once, in the order of their calls', async () => {
  const { started, ends, results } = works(4, createFewAtOnce(2));
  await turn();
  expect(started).toEqual([0, 1]);
  ends[1]?.();
  await turn();
  expect(started).toEqual([0, 1, 2]);
  ends[0]?.();
  await turn();
  for (const end of ends) end();
  expect(await Promise.all(results)).toEqual([0, 1, 2, 3]);
});

it('starts the next after work that fails, and has as many places as before', async () => {
  const few = createFewAtOnce(1);
  const failed = [1, 2].map(() => few(() => Promise.reject(new Error('no'))));
  for (const each of failed) await expect(each).rejects.toThrow('no');
  const { started } = works(2, few);
  await turn();
  expect(started).toEqual([0]);
});

it('starts the next while work waits for something, and once only', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { started, ends } = works(4, createFewAtOnce(1));
  await turn();
  vi.advanceTimersByTime(50);
  await turn();
  expect(started).toEqual([0, 1]);
  // Its place is another's by now.
  ends[0]?.();
  await turn();
  expect(started).toEqual([0, 1]);
  ends[1]?.();
  await turn();
  expect(started).toEqual([0, 1, 2]);
  vi.useRealTimers();
});
