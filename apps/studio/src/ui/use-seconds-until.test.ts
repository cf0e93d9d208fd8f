import { act } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { usePage } from '../testing/page.ts';
import { useSecondsUntil } from './use-seconds-until.ts';

const page = usePage();
afterEach(() => void vi.useRealTimers());

it('counts whole seconds down to zero, from the first rendering on', async () => {
  vi.useFakeTimers({ now: 1_000, toFake: ['Date', 'setInterval', 'clearInterval'] });
  const seen: number[] = [];
  const hook = await page.hook(() => seen.push(useSecondsUntil(4_500)));
  const pass = (ms: number) => act(async () => void vi.advanceTimersByTime(ms));
  expect([seen[0], seen.at(-1)]).toEqual([4, 4]);
  await pass(1_000);
  expect(seen.at(-1)).toBe(3);
  await pass(9_000);
  expect(seen.at(-1)).toBe(0);
  hook.leave();
  expect(vi.getTimerCount()).toBe(0);
});

it('is zero without a time, also after one', async () => {
  vi.useFakeTimers({ now: 1_000, toFake: ['Date', 'setInterval', 'clearInterval'] });
  let time: number | undefined = 9_000;
  const hook = await page.hook(() => useSecondsUntil(time));
  expect(hook.current).toBe(8);
  time = undefined;
  hook.again();
  expect(hook.current).toBe(0);
});
