import { setImmediate as nextTurn } from 'node:timers/promises';
import type pg from 'pg';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { useSharedDatabase } from '../../../tests/store/use-shared-database.ts';
import { QUEUED_CHANNEL } from './engine.ts';
import { CANCEL_CHANNEL, CHANNEL, EVENT_CHANNEL } from './run-store.ts';
import { listenToRuns, type Signals } from './signals.ts';

let pool: pg.Pool;
let config: pg.ClientConfig;
useSharedDatabase((database) => {
  pool = database.pool;
  config = database.connection();
});
let signals: Signals;
let cancelled: string[];
let queued: (string | undefined)[];

beforeEach(async () => {
  [cancelled, queued] = [[], []];
  signals = listenToRuns(config, {
    onCancel: (runId) => void cancelled.push(runId),
    onQueued: (group) => void queued.push(group),
  });
  // It listens.
  await vi.waitFor(() => expect(queued).toEqual([undefined]));
});
afterEach(() => signals.close());

const notify = (channel: string, payload: string) => pool.query('SELECT pg_notify($1, $2)', [channel, payload]);
/** Which of some promises have resolved after the notifications so far, which come in order. */
async function resolved(...waiting: Promise<void>[]) {
  const done = waiting.map(() => false);
  waiting.forEach((each, at) => void each.then(() => (done[at] = true)));
  const before = cancelled.length;
  await notify(CANCEL_CHANNEL, 'marker');
  await vi.waitFor(() => expect(cancelled.length).toBeGreaterThan(before), { interval: 5 });
  await Promise.resolve();
  return done;
}

describe('a reader', () => {
  it('of the state of a run wakes when that run changes', async () => {
    const [own, other, events] = [signals.changed('s-1'), signals.changed('s-2'), signals.changedOrEvents('s-1')];
    await notify(CHANNEL, 's-1');
    expect(await resolved(own, other, events)).toEqual([true, false, true]);
  });

  it('of events wakes when there are new ones, and a reader of states does not', async () => {
    const [state, events] = [signals.changed('s-3'), signals.changedOrEvents('s-3')];
    await notify(EVENT_CHANNEL, 's-3');
    expect(await resolved(state, events)).toEqual([false, true]);
  });

  it('wakes when its signal aborts, or has aborted', async () => {
    const abort = new AbortController();
    const waiting = signals.changed('s-4', abort.signal);
    abort.abort();
    expect(await resolved(waiting)).toEqual([true]);
    const late = signals.changed('s-4', abort.signal);
    expect(await resolved(late, signals.changed('s-4'))).toEqual([true, false]);
  });

  it('wakes after a second in any case', async () => {
    vi.useFakeTimers();
    try {
      let isAwake = false;
      void signals.changed('s-5').then(() => (isAwake = true));
      await vi.advanceTimersByTimeAsync(999);
      expect(isAwake).toBe(false);
      await vi.advanceTimersByTimeAsync(1);
      expect(isAwake).toBe(true);
    } finally {
      vi.useRealTimers();
    }
  });

  it('wakes when the signals close, and does not wait after that', async () => {
    const waiting = signals.changed('s-6');
    await signals.close();
    await waiting;
    let isAwake = false;
    void signals.changed('s-6').then(() => (isAwake = true));
    await nextTurn();
    expect(isAwake).toBe(true);
  });
});

it('a worker hears which run is cancelled, and for which group runs are queued', async () => {
  await notify(CANCEL_CHANNEL, 's-7');
  await notify(QUEUED_CHANNEL, 'blue');
  await vi.waitFor(() => expect(queued).toEqual([undefined, 'blue']));
  expect(cancelled).toEqual(['s-7']);
});

it('a lost connection is made again, and wakes all readers', async () => {
  const waiting = signals.changed('s-8');
  const { rows } = await pool.query<{ pid: number }>(
    "SELECT pid FROM pg_stat_activity WHERE application_name = 'croft-runs' AND query LIKE 'LISTEN%'",
  );
  for (const { pid } of rows) await pool.query('SELECT pg_terminate_backend($1)', [pid]);
  await waiting;
  await vi.waitFor(() => expect(queued).toHaveLength(2));
  await notify(CANCEL_CHANNEL, 's-8');
  await vi.waitFor(() => expect(cancelled).toContain('s-8'));
});
