import type { WorkflowQueue } from '@dbos-inc/dbos-sdk';
import { DBOSExecutor } from '@dbos-inc/dbos-sdk/internal/dbos-executor';
import { wfQueueRunner } from '@dbos-inc/dbos-sdk/internal/wfqueue';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createQueuePoller, type QueuePoller } from './queue-poller.ts';

const queue = { name: 'q' } as WorkflowQueue;
const runner = wfQueueRunner as unknown as { pollQueue(executor: unknown, of: WorkflowQueue): Promise<boolean> };
let poller: QueuePoller;
/** Ends of the looks under way. */
let ends: (() => void)[];
let looks: unknown[][];

beforeEach(async () => {
  [ends, looks] = [[], []];
  vi.useFakeTimers();
  vi.spyOn(runner, 'pollQueue').mockImplementation((...given) => {
    looks.push(given);
    return new Promise((resolve) => ends.push(() => resolve(true)));
  });
  vi.spyOn(DBOSExecutor, 'globalInstance', 'get').mockReturnValue('executor' as never);
  poller = await createQueuePoller(queue, 100);
});
afterEach(async () => {
  for (const end of ends) end();
  await poller.close();
  vi.restoreAllMocks();
  vi.useRealTimers();
});
const endLook = async () => {
  ends.at(-1)?.();
  await vi.advanceTimersByTimeAsync(0);
};
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe('a look at the queue', () => {
  it('happens at once', async () => {
    poller.look();
    await pass(0);
    expect(looks).toEqual([['executor', queue]]);
  });

  it('happens once more after the one under way and a pause, however often it is asked for', async () => {
    poller.look();
    poller.look();
    poller.look();
    await endLook();
    poller.look();
    await pass(19);
    expect(looks).toHaveLength(1);
    await pass(1);
    expect(looks).toHaveLength(2);
    await endLook();
    await pass(1_000);
    expect(looks).toHaveLength(2);
  });

  it('goes on after one that failed', async () => {
    vi.mocked(runner.pollQueue).mockRejectedValueOnce(new Error('no'));
    poller.look();
    await pass(20);
    poller.look();
    await pass(0);
    expect(looks).toHaveLength(1);
  });

  it('happens at intervals while attempts run, and three times after them', async () => {
    vi.mocked(runner.pollQueue).mockImplementation(async (...given) => looks.push(given) > 0);
    poller.began();
    poller.began();
    await pass(99);
    expect(looks).toHaveLength(0);
    await pass(401);
    expect(looks).toHaveLength(5);
    poller.ended();
    await pass(500);
    expect(looks).toHaveLength(10);
    poller.ended();
    await pass(1_000);
    expect(looks).toHaveLength(13);
    poller.began();
    await pass(100);
    expect(looks).toHaveLength(14);
  });

  it('does not happen without an executor', async () => {
    vi.spyOn(DBOSExecutor, 'globalInstance', 'get').mockReturnValue(undefined);
    poller.look();
    await pass(0);
    expect(looks).toEqual([]);
  });
});

describe('a poller that closes', () => {
  it('ends the look under way, and starts no other', async () => {
    poller.began();
    poller.look();
    poller.look();
    let isClosed = false;
    const closing = poller.close().then(() => (isClosed = true));
    await pass(0);
    expect(isClosed).toBe(false);
    await endLook();
    await closing;
    poller.look();
    await pass(1_000);
    expect(looks).toHaveLength(1);
  });
});
