import { expect, it, onTestFinished, vi } from 'vitest';
import { endWithin } from './wait.ts';

it('gives the end of work that ends in time', async () => {
  expect(await endWithin(Promise.resolve('done'))).toBe('done');
  await expect(endWithin(Promise.reject(new Error('no')))).rejects.toThrow('no');
});

it('gives nothing for work that takes longer', async () => {
  expect(await endWithin(new Promise(() => {}), 1)).toBeUndefined();
});

it('waits for half a minute, and keeps no timer', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  await endWithin(Promise.resolve());
  expect(vi.getTimerCount()).toBe(0);
  const ended: unknown[] = [];
  const waiting = endWithin(new Promise(() => {})).then((result) => ended.push(result));
  await vi.advanceTimersByTimeAsync(29_999);
  expect(ended).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  await waiting;
  expect([ended, vi.getTimerCount()]).toEqual([[undefined], 0]);
});
