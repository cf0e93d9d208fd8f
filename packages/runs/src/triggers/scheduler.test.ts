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

/** Starts the run of a schedule with these settings; the pool has these states of runs. Gives the result and what was done. */
async function started({
  schedule = {},
  lastRun = null as string | null,
  status = [] as string[],
  flow = {} as unknown,
  isGone = false,
}) {
  const queries: unknown[] = [];
  const asked: unknown[] = [];
  const lines: string[] = [];
  const due = new Date('2030-01-01T09:00:00Z');
  const of = { id: 's', userId: 'u', flowId: 'f', missed: 'run', overlap: 'skip', ...schedule } as unknown as Schedule;
  let result: unknown;
  const count = await startDueRuns({
    schedules: {
      pool: {
        query: async (text: string, values: unknown) => {
          queries.push([text, values]);
          return { rows: status.map((each) => ({ status: each })) };
        },
      },
      takeDue: async (now, limit, start, log) => {
        log(`${now.toISOString()} ${limit}`);
        result = await start(of, { due, retryAt: null, lastRun });
        return 7;
      },
    } as ScheduleStore,
    flowOf: async (...given) => (asked.push(given), isGone ? undefined : flow) as never,
    enqueue: async (request) => (asked.push(request), 'run'),
    now: () => new Date('2030-01-02T00:00:00Z'),
    log: (line) => lines.push(line),
  });
  expect([count, lines.shift()]).toEqual([7, '2030-01-02T00:00:00.000Z 50']);
  return { result, queries, lines, asked, of, due };
}

it('queues the flow of a schedule once for each time', async () => {
  const { result, asked, of, due, queries } = await started({ flow: { flow: 'F', input: 'I' } });
  expect([result, queries]).toEqual(['run', []]);
  expect(asked).toEqual([
    [of, due],
    {
      flow: 'F',
      input: 'I',
      userId: 'u',
      flowId: 'f',
      source: 'schedule',
      triggerKey: 'schedule:s:2030-01-01T09:00:00.000Z',
    },
  ]);
});

it.each([
  [['running'], {}, null],
  [['queued'], {}, null],
  [['running'], { overlap: 'start' }, 'run'],
  [['completed'], {}, 'run'],
  [['failed'], {}, 'run'],
  [[], {}, 'run'],
])('with a last run in the states %j and %j the start gives %j', async (status, schedule, expected) => {
  const { result, queries } = await started({ status, schedule, lastRun: 'r1' });
  expect(result).toBe(expected);
  expect(queries).toEqual(
    'overlap' in schedule ? [] : [[expect.stringMatching(/^SELECT status FROM \S+\.run WHERE id = \$1$/), ['r1']]],
  );
});

it('logs that the flow of a schedule is gone, and queues nothing without one', async () => {
  const gone = await started({ flow: null, isGone: true });
  expect([gone.result, gone.lines]).toEqual([undefined, ['Schedule s was deleted: its flow is gone.']]);
  const none = await started({ flow: null });
  expect([none.result, none.lines, none.asked]).toEqual([null, [], [[none.of, none.due]]]);
});

it('logs failed looks, and looks again without a wait after a full one', async () => {
  const lines: string[] = [];
  const results = [new Error('no database'), 'broken', 0, 50, 50, 0];
  const stopping = new AbortController();
  let looks = 0;
  let last: () => void = () => {};
  const done = new Promise<void>((resolve) => (last = resolve));
  const options = {
    schedules: {
      takeDue: async () => {
        const result = results[looks++];
        if (looks === results.length) last();
        if (typeof result !== 'number') throw result;
        return result;
      },
    } as unknown as ScheduleStore,
    flowOf: async () => undefined,
    enqueue: async () => '',
    now: () => new Date(0),
    log: (line: string) => lines.push(line),
  };
  const scheduler = startScheduler(options, 1, stopping);
  await done;
  stopping.abort();
  await scheduler.stop();
  expect([looks, lines]).toEqual([
    6,
    ['Schedules could not be checked: no database', 'Schedules could not be checked: broken'],
  ]);
});
