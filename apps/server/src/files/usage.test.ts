import { expect, it } from 'vitest';
import { createUsage } from './usage.ts';

it('shares a count among requests at the same time, and keeps it until something changes', async () => {
  let counts = 0;
  const usage = createUsage(async () => ++counts);
  expect(await Promise.all([usage.bytes(), usage.bytes(), usage.bytes()])).toEqual([1, 1, 1]);
  expect(await usage.bytes()).toBe(1);
  usage.changed();
  expect(await usage.bytes()).toBe(2);
});

it('counts again when something changed during a count', async () => {
  let counts = 0;
  const usage = createUsage(async () => {
    if (++counts === 1) usage.changed();
    return counts;
  });
  await usage.bytes();
  expect(await usage.bytes()).toBe(2);
});

it('pauses after a long count, so that frequent changes do not keep the server counting', async () => {
  const tookMs: number[] = [];
  let endedAt = 0;
  const pausedMs: number[] = [];
  const usage = createUsage(async () => {
    const startedAt = performance.now();
    if (endedAt > 0) pausedMs.push(startedAt - endedAt);
    while (performance.now() - startedAt < 20);
    endedAt = performance.now();
    tookMs.push(endedAt - startedAt);
    return 1;
  });
  for (let n = 0; n < 3; n++) {
    await usage.bytes();
    usage.changed();
  }
  for (const [index, pause] of pausedMs.entries()) expect(pause).toBeGreaterThan(5 * (tookMs[index] as number));
});

it('counts again after a count that failed', async () => {
  let fails = true;
  const usage = createUsage(async () => {
    if (fails) throw new Error('no');
    return 7;
  });
  await expect(usage.bytes()).rejects.toThrow('no');
  fails = false;
  expect(await usage.bytes()).toBe(7);
});
