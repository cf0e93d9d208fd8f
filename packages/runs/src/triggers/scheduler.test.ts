import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { startDueRuns, startScheduler } from './scheduler.ts';
import type { Schedule, ScheduleStore } from './schedules.ts';

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

/** Starts a run that was due at 09:00, of a schedule that skips missed times. Returns what the start gives. */
async function takenAt(at: string, retryAt: string | null) {
  const date = (time: string) => new Date(`2030-01-01T${time}Z`);
  const schedule = { id: 's', userId: 'u', flowId: 'f', missed: 'skip', overlap: 'start' } as Schedule;
  let started: string | null | undefined;
  const takeDue: ScheduleStore['takeDue'] = async (_now, _limit, start) => {
    const times = { due: date('09:00:00'), retryAt: retryAt === null ? null : date(retryAt), lastRun: null };
    started = await start(schedule, times);
    return 1;
  };
  await startDueRuns({
    schedules: { takeDue } as ScheduleStore,
    flowOf: async () => ({ flow: { nodes: [] } as never }),
    enqueue: async () => 'run',
    now: () => date(at),
    log: () => {},
  });
  return started;
}

it('skips a time that passed while no worker ran', async () => {
  expect([await takenAt('09:00:59', null), await takenAt('09:01:01', null)]).toEqual(['run', null]);
});

it('starts a run that could not be started before, and skips it where no worker ran at the next try', async () => {
  expect([await takenAt('09:01:01', '09:01:00'), await takenAt('15:00:01', '15:00:00')]).toEqual(['run', 'run']);
  expect(await takenAt('15:01:02', '15:00:00')).toBeNull();
});
