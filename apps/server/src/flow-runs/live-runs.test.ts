import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { createRegistry, emptyFlow } from '@croft/flow';
import { expect, it, onTestFinished, vi } from 'vitest';
import { fakeComponent, flowOf } from '../../../../packages/flow/src/testing.ts';
import type { RunRequest } from './execute-live-run.ts';
import { createLiveRuns, type LiveRun } from './live-runs.ts';
import type { RunHistory } from './run-history.ts';
import type { RunServices } from './run-services.ts';
import { createRunSlots } from './run-slots.ts';

const RUNS = 20;

it('does the parts of runs that start and end together in different turns of the event loop', async () => {
  const sinceTurn = { open: 0, end: 0 };
  const most = { open: 0, end: 0 };
  const count = (part: 'open' | 'end') => {
    sinceTurn[part] += 1;
    most[part] = Math.max(most[part], sinceTurn[part]);
  };
  const services = { services: {}, secrets: new Set(), close: () => {}, finished: async () => {} };
  const liveRuns = createLiveRuns({
    slots: createRunSlots({
      ofUser: RUNS,
      ofServer: RUNS,
      waitingOfUser: 0,
      waitingBytes: { ofUser: 0, ofServer: 0 },
    }),
    openServices: async () => {
      count('open');
      return services as unknown as RunServices;
    },
    history: { begin: async () => {}, end: async () => count('end') } as unknown as RunHistory,
    log: { error: () => {} },
  });
  let isOver = false;
  const turns = (async () => {
    for (; !isOver; await turnOfLoop()) sinceTurn.open = sinceTurn.end = 0;
  })();
  const request = {
    actor: { userId: 'one', kind: 'page' as const },
    flowId: 'flow',
    startedBy: 'api' as const,
    flow: emptyFlow(),
    inputs: {},
    registry: createRegistry([]),
    bytes: 0,
    timeoutMs: 1_000,
  };
  const runs = Array.from({ length: RUNS }, () => liveRuns.start(request as never));
  for (const { outcome } of runs) expect((await outcome).status).toBe('completed');
  isOver = true;
  await turns;
  // Two where the turn of this test ends between them.
  expect(most.open).toBeLessThanOrEqual(2);
  expect(most.end).toBeLessThanOrEqual(2);
  await liveRuns.close();
});

/** Runs that wait in `openServices` until `open` is called, as many as the slots of a server allow. */
function openRuns(failure?: Error) {
  let open = () => {};
  const isOpen = new Promise<void>((resolve) => (open = resolve));
  const errors: unknown[] = [];
  const liveRuns = createLiveRuns({
    slots: createRunSlots({ ofUser: 300, ofServer: 300, waitingOfUser: 0, waitingBytes: { ofUser: 0, ofServer: 0 } }),
    openServices: async () => {
      await isOpen;
      if (failure) throw failure;
      return { services: {}, secrets: new Set(), close: () => {}, finished: async () => {} } as unknown as RunServices;
    },
    history: { begin: async () => {}, end: async () => {} } as unknown as RunHistory,
    log: { error: (_: unknown, text: string) => void errors.push(text) } as never,
  });
  const start = (userId = 'ann', more: Partial<RunRequest> = {}) =>
    liveRuns.start({
      actor: { userId, via: 'page', client: null },
      flowId: 'flow-1',
      startedBy: 'api',
      flow: flowOf({ A: { type: 'Step', values: { in: 'x' } } }),
      inputs: {},
      registry: createRegistry([fakeComponent('Step')]),
      bytes: 0,
      timeoutMs: 60_000,
      ...more,
    } as RunRequest);
  return { liveRuns, open, start, errors };
}

it('shows a run to its user alone', async () => {
  const { liveRuns, open, start } = openRuns();
  const before = Date.now();
  const run = start();
  const { id, userId, flowId, flowName, startedBy, firstEventId } = run;
  expect(id).toMatch(/^[0-9a-f-]{36}$/);
  expect({ userId, flowId, flowName, startedBy, firstEventId }).toEqual({
    userId: 'ann',
    flowId: 'flow-1',
    flowName: 'Test',
    startedBy: 'api',
    firstEventId: run.log.lastId,
  });
  expect(run.requestedAt.getTime()).toBeGreaterThanOrEqual(before);
  expect([run.isOver(), run.timeline(), liveRuns.count(), liveRuns.users()]).toEqual([false, undefined, 1, ['ann']]);
  expect([liveRuns.find('ann', id), liveRuns.find('ben', id), liveRuns.find('ann', 'x')]).toEqual([
    run,
    undefined,
    undefined,
  ]);
  open();
  expect(await run.outcome).toMatchObject({ status: 'completed', outputs: { A: { out: 'x' } } });
  expect([run.isOver(), run.timeline()?.entries.length, liveRuns.count(), liveRuns.users()]).toEqual([true, 1, 0, []]);
  expect(liveRuns.find('ann', id)).toBe(run);
  // Its outputs are not kept with its events.
  expect(await run.outcome).toMatchObject({ status: 'completed', answer: '', outputs: {} });
  expect(run.log.after(firstEventId).at(-1)).toMatchObject({ event: 'run_finished' });
  await liveRuns.close();
});

it('forgets a run five minutes after its end, and ends its followers', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { liveRuns, open, start } = openRuns();
  const run = start();
  const ends: string[] = [];
  run.log.follow({ take: () => true, end: (reason) => void ends.push(reason) });
  open();
  await run.outcome;
  vi.advanceTimersByTime(299_999);
  expect([liveRuns.find('ann', run.id), ends]).toEqual([run, []]);
  vi.advanceTimersByTime(1);
  expect([liveRuns.find('ann', run.id), ends]).toEqual([undefined, ['closed']]);
});

it('keeps 20 ended runs of a user and 200 of the server', async () => {
  const { liveRuns, open, start } = openRuns();
  open();
  const kept = (userId: string, runs: readonly LiveRun[]) => runs.filter(({ id }) => liveRuns.find(userId, id)).length;
  const end = async (userId: string, count: number) => {
    const runs = Array.from({ length: count }, () => start(userId));
    for (const { outcome } of runs) await outcome;
    return runs;
  };
  const own = await end('ann', 21);
  expect(kept('ann', own)).toBe(20);
  for (let user = 0; user < 9; user++) await end(`user ${user}`, 20);
  expect(kept('ann', own)).toBe(20);
  const last = await end('ben', 1);
  expect([kept('ann', own), kept('ben', last)]).toEqual([19, 1]);
  await liveRuns.close();
  expect([kept('ann', own), kept('ben', last)]).toEqual([0, 0]);
});

it('keeps 10,000 events of a run, and 512 KiB', async () => {
  const { liveRuns, open, start } = openRuns();
  const { log } = start();
  for (let at = 0; at < 10_001; at++) log.append({ data: '' });
  expect(log.kept.events).toBe(10_000);
  log.append({ data: 'x'.repeat(512 * 1024) });
  expect(log.kept.bytes).toBe(512 * 1024);
  log.append({ data: 'x'.repeat(512 * 1024 + 1) });
  expect(log.kept).toEqual({ events: 0, bytes: 0 });
  open();
  await liveRuns.close();
});

it('cancels the runs of one user, or all of them', async () => {
  const { liveRuns, open, start } = openRuns();
  const [ann, ben, cleo] = [start('ann'), start('ben'), start('cleo')];
  ann.cancel();
  liveRuns.cancelFor('ben');
  open();
  expect([(await ann.outcome).status, (await ben.outcome).status, (await cleo.outcome).status]).toEqual([
    'cancelled',
    'cancelled',
    'completed',
  ]);
  const late = openRuns();
  const run = late.start();
  const closing = late.liveRuns.close();
  late.open();
  await closing;
  expect([(await run.outcome).status, late.liveRuns.find('ann', run.id)]).toEqual(['cancelled', undefined]);
  await liveRuns.close();
});

it('refuses a run where too many wait, and forgets the failure of one that could not start', async () => {
  const busy = createLiveRuns({
    slots: createRunSlots({ ofUser: 0, ofServer: 0, waitingOfUser: 9, waitingBytes: { ofUser: 9, ofServer: 9 } }),
  } as never);
  expect(() => busy.start({ actor: { userId: 'ann' }, bytes: 10 } as never)).toThrow('Try again');
  expect(busy.count()).toBe(0);
  const { liveRuns, errors, open, start } = openRuns(new Error('database'));
  const { id, outcome } = start();
  open();
  await expect(outcome).rejects.toThrow('database');
  expect(liveRuns.find('ann', id)?.isOver()).toBe(true);
  expect(errors).toEqual(['a run could not start']);
  await liveRuns.close();
});
