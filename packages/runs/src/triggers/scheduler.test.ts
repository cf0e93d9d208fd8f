import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { startScheduler } from './scheduler.ts';
import type { ScheduleStore } from './schedules.ts';

it('has at most one listener for its end, however often it looks', async () => {
  const stopping = new AbortController();
  let looks = 0;
  let looked: () => void = () => {};
  const many = new Promise<void>((resolve) => (looked = resolve));
  const takeDue = async () => {
    if (++looks === 20) looked();
    return 0;
  };
  const options = {
    schedules: { takeDue } as unknown as ScheduleStore,
    flowOf: async () => undefined,
    enqueue: async () => '',
    now: () => new Date(),
    log: () => {},
  };
  const scheduler = startScheduler(options, 1, stopping);
  await many;
  expect(getEventListeners(stopping.signal, 'abort').length).toBeLessThanOrEqual(1);
  await scheduler.stop();
});
