import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { ownTask, ThreadClock } from './thread-clock.ts';

const HAIL = `require('node:worker_threads').parentPort.postMessage(require('node:fs').readlinkSync('/proc/thread-self'));`;

async function withThread(code: string, use: (task: string) => Promise<void>): Promise<void> {
  const worker = new Worker(`${HAIL}\n${code}`, { eval: true });
  try {
    await use(((await once(worker, 'message')) as [string])[0]);
  } finally {
    await worker.terminate();
  }
}

const waitUntilPast = async (clock: ThreadClock) => {
  while (clock.leftMs() > 0) await setTimeout(5);
};

it.runIf(ownTask())('time that a thread has no processor does not count, up to ten times its limit', () =>
  withThread('setInterval(() => {}, 600_000)', async (task) => {
    await setTimeout(200);
    const clock = new ThreadClock(100, task);
    const begunAt = performance.now();
    await setTimeout(300);
    if (performance.now() - begunAt < 900) expect(clock.leftMs()).toBeGreaterThan(50);
    await waitUntilPast(clock);
    expect(performance.now() - begunAt).toBeGreaterThanOrEqual(999);
  }),
);

it.runIf(ownTask())('time that a thread computes counts', () =>
  withThread('for (;;) {}', async (task) => {
    const clock = new ThreadClock(20_000, task);
    await setTimeout(50);
    const left = clock.leftMs();
    while (clock.leftMs() > left - 100) await setTimeout(5);
    expect(clock.leftMs()).toBeLessThan(20_000);
  }),
);

it('all time counts where the system does not say how long a thread ran', async () => {
  const clock = new ThreadClock(50, '0/task/0');
  const begunAt = performance.now();
  await waitUntilPast(clock);
  expect(performance.now() - begunAt).toBeGreaterThanOrEqual(49);
  expect(new ThreadClock(50, undefined).leftMs()).toBeLessThanOrEqual(50);
});
