import { afterEach, expect, it } from 'vitest';
import { createSubFlowSlots } from './sub-flow-slots.ts';

const warnings: Error[] = [];
const onWarning = (warning: Error) => warnings.push(warning);

afterEach(() => {
  process.off('warning', onWarning);
});

it('lets thirty runs with one signal wait without a warning of a leak, and start in their order', async () => {
  process.on('warning', onWarning);
  const slots = createSubFlowSlots(1);
  const { signal } = new AbortController();
  const started: number[] = [];
  const runs = Array.from({ length: 30 }, async (_, at) => {
    const leave = await slots.take(0, signal);
    started.push(at);
    await new Promise(setImmediate);
    leave();
  });
  await Promise.all(runs);
  expect(started).toEqual(Array.from({ length: 30 }, (_, at) => at));
  expect(warnings).toEqual([]);
});

it('ends the wait of all runs whose signal aborts', async () => {
  const slots = createSubFlowSlots(1);
  const leave = await slots.take(0, new AbortController().signal);
  const stop = new AbortController();
  const waiting = Array.from({ length: 12 }, () => slots.take(0, stop.signal));
  stop.abort(new Error('stopped'));
  for (const { status } of await Promise.allSettled(waiting)) expect(status).toBe('rejected');
  leave();
  (await slots.take(0, new AbortController().signal))();
});

it('has four places for each level, gives a place once, and refuses a signal that is aborted', async () => {
  const slots = createSubFlowSlots();
  const { signal } = new AbortController();
  const leave = await slots.take(0, signal);
  for (let at = 0; at < 3; at++) await slots.take(0, signal);
  const order: string[] = [];
  const waiting = ['first', 'second'].map(async (name) => {
    await slots.take(0, signal);
    order.push(name);
  });
  await slots.take(1, signal);
  expect(order).toEqual([]);
  leave();
  leave();
  await waiting[0];
  await new Promise(setImmediate);
  expect(order).toEqual(['first']);
  await expect(slots.take(2, AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped');
});
