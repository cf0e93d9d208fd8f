import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { afterEach, expect, it, vi } from 'vitest';
import { endSlot, retireSlot, type Slot, slots, startSlot } from './worker-slot.ts';

const started: Slot[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const slot of started.splice(0)) {
    retireSlot(slot);
    await endSlot(slot);
  }
});

function start(): Slot {
  const slot = startSlot();
  started.push(slot);
  return slot;
}

it('does not keep the process alive', () => {
  const unref = vi.spyOn(Worker.prototype, 'unref');
  start();
  expect(unref).toHaveBeenCalledOnce();
  unref.mockRestore();
});

it('may get a search as soon as it starts, and none when it is retired', async () => {
  const slot = start();
  expect(slots).toContain(slot);
  expect([slot.busy, slot.idleTimer, slot.flag.length, slot.flag[0]]).toEqual([false, undefined, 1, 0]);
  expect(slot.flag.buffer).toBeInstanceOf(SharedArrayBuffer);
  await slot.started;
  retireSlot(slot);
  expect(slots).not.toContain(slot);
});

it('retires one thread and leaves the others', () => {
  const [first, second] = [start(), start()];
  retireSlot(first);
  retireSlot(first);
  expect([slots.includes(first), slots.includes(second)]).toEqual([false, true]);
});

it('ends a thread only after its start, because ending it while it loads ends the process', async () => {
  const slot = start();
  const terminate = vi.spyOn(slot.worker, 'terminate');
  const ending = endSlot(slot);
  expect(terminate).not.toHaveBeenCalled();
  await ending;
  expect(terminate).toHaveBeenCalledOnce();
  expect(slot.worker.threadId).toBe(-1);
});

it('gives no search to a thread that failed or ended', async () => {
  const [failed, ended] = [start(), start()];
  failed.worker.emit('error', new Error('out of memory'));
  expect([slots.includes(failed), slots.includes(ended)]).toEqual([false, true]);
  await ended.started;
  void ended.worker.terminate();
  await once(ended.worker, 'exit');
  expect(slots).not.toContain(ended);
});

it('stops waiting for the start of a thread that ended before it', async () => {
  const slot = start();
  slot.worker.emit('exit', 1);
  await expect(slot.started).resolves.toBeUndefined();
});

it.each(['retire', 'end'] as const)('forgets the timer of an idle thread (%s)', async (way) => {
  const slot = start();
  await slot.started;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const fire = vi.fn();
  slot.idleTimer = setTimeout(fire, 10);
  const ending = way === 'retire' ? retireSlot(slot) : endSlot(slot);
  vi.advanceTimersByTime(10);
  expect(fire).not.toHaveBeenCalled();
  await ending;
});
