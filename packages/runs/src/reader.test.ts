import { emptyFlow } from '@croft/flow';
import { expect, it } from 'vitest';
import { type TestRuns, useRunStore } from '../../../tests/runs/use-run-store.ts';
import { createRunReader, type RunReader } from './reader.ts';
import { ScheduleStore } from './triggers/schedules.ts';

// A group of its own: the other files store runs in the same database.
const GROUP = 'readers';
let runs: TestRuns;
let reader: RunReader;
useRunStore((opened) => {
  runs = opened;
  reader = createRunReader(opened.store.pool, opened.store.sealer, GROUP);
}, GROUP);

const end = (id: string) =>
  runs.store.pool.query("UPDATE croft_runs.run SET status = 'completed', finished_at = now() WHERE id = $1", [id]);
const LONG_AGO = new Date(0);

it('gives a user only their own runs', async () => {
  await runs.add('rd-1', { userId: 'rd-ann' });
  expect((await reader.list({ userId: 'rd-ann' })).runs.map(({ id }) => id)).toEqual(['rd-1']);
  expect(await reader.list({ userId: 'rd-bob' })).toEqual({ runs: [] });
  expect(await reader.find('rd-1', 'rd-ann')).toMatchObject({ id: 'rd-1', status: 'queued' });
  expect(await reader.find('rd-1', 'rd-bob')).toBeUndefined();
  expect(await reader.timeline('rd-1', 'rd-ann')).toEqual({ entries: [], isCut: false });
  expect(await reader.timeline('rd-1', 'rd-bob')).toBeUndefined();
  expect(await reader.kept(['rd-1', 'rd-none'], 'rd-ann')).toEqual(['rd-1']);
  expect(await reader.kept(['rd-1'], 'rd-bob')).toEqual([]);
  await end('rd-1');
});

it('counts what a user has open, and its bytes', async () => {
  await runs.add('rd-2', { userId: 'rd-cid' });
  await runs.add('rd-3', { userId: 'rd-cid' });
  await end('rd-3');
  const { count, bytes } = await reader.openOf('rd-cid');
  expect(count).toBe(1);
  expect(bytes).toBeGreaterThan(100);
  expect(await reader.openOf('rd-none')).toEqual({ count: 0, bytes: 0 });
});

it('counts the open runs of its group, and what each worker runs', async () => {
  const { pool, sealer } = runs.store;
  await runs.store.claim({ runId: 'rd-2', attempt: 1 }, 'rd-exec');
  await pool.query("INSERT INTO croft_runs.executor (id, name) VALUES ('rd-exec', 'rd-worker')");
  await runs.add('rd-4', { userId: 'rd-cid' });
  const { open, workers } = await reader.load();
  expect(open).toEqual({ running: 1, queued: 1 });
  expect(workers.find(({ name }) => name === 'rd-worker')).toMatchObject({ running: 1, seenAt: expect.any(Date) });
  expect((await createRunReader(pool, sealer, 'rd-nobody').load()).open).toEqual({});
  await pool.query("DELETE FROM croft_runs.executor WHERE id = 'rd-exec'");
});

it('needs a worker for open runs and for schedules of its group', async () => {
  const { pool, sealer } = runs.store;
  const other = createRunReader(pool, sealer, 'rd-idle');
  expect([await reader.needsWorker(LONG_AGO), await other.needsWorker(LONG_AGO)]).toEqual([true, false]);
  const schedule = { id: 'rd-s', userId: 'rd-dan', flowId: 'rd-f', cron: '0 8 * * *', timeZone: 'UTC' } as const;
  const schedules = new ScheduleStore(pool, sealer, 'rd-idle');
  await schedules.set({ ...schedule, isOn: true, missed: 'skip', overlap: 'skip' }, new Date());
  expect(await other.needsWorker(LONG_AGO)).toBe(true);
  expect((await other.schedules('rd-dan')).map(({ id }) => id)).toEqual(['rd-s']);
  await other.removeSchedulesOf({ flowId: 'rd-f' });
  expect([await other.schedules('rd-dan'), await other.needsWorker(LONG_AGO)]).toEqual([[], false]);
});

it('needs a worker to remove runs that are old, or too large together', async () => {
  const other = createRunReader(runs.store.pool, runs.store.sealer, 'rd-idle');
  expect(await other.needsWorker(new Date(Date.now() + 60_000))).toBe(true);
  const flow = { ...emptyFlow(), description: 'x'.repeat(20_000) };
  for (const id of ['rd-5', 'rd-6']) await runs.add(id, { userId: 'rd-eve', flow });
  for (const id of ['rd-5', 'rd-6']) await end(id);
  await runs.store.pool.query("UPDATE croft_runs.run SET bytes = 10000000000 WHERE user_id = 'rd-eve'");
  expect(await other.needsWorker(LONG_AGO, 19_999_999_999)).toBe(true);
  expect(await other.needsWorker(LONG_AGO, 20_000_000_000)).toBe(false);
  // Not measured yet: what their flows and requests take counts.
  await runs.store.pool.query("UPDATE croft_runs.run SET bytes = NULL WHERE user_id = 'rd-eve'");
  expect(await other.needsWorker(LONG_AGO, 40_000)).toBe(true);
  await runs.store.pool.query("UPDATE croft_runs.run SET bytes = 0 WHERE user_id = 'rd-eve'");
  expect(await other.needsWorker(LONG_AGO, 40_000)).toBe(false);
  await runs.store.pool.query("DELETE FROM croft_runs.run WHERE user_id = 'rd-eve'");
});

it('finds no runs in a database without tables, and makes none', async () => {
  const asked: string[] = [];
  const pool = { query: async (sql: string) => ({ rows: (asked.push(sql), [{ there: false }]) }) };
  const empty = createRunReader(pool as never, runs.store.sealer);
  expect(await empty.list({ userId: 'u' })).toEqual({ runs: [] });
  expect(await empty.find('r', 'u')).toBeUndefined();
  expect(await empty.timeline('r', 'u')).toBeUndefined();
  expect([await empty.kept(['r'], 'u'), await empty.schedules('u')]).toEqual([[], []]);
  await empty.removeSchedulesOf({ userId: 'u' });
  expect(await empty.openOf('u')).toEqual({ count: 0, bytes: 0 });
  expect(await empty.load()).toEqual({ open: {}, workers: [] });
  expect(await empty.needsWorker(LONG_AGO)).toBe(false);
  expect(asked.every((sql) => sql.includes('to_regclass'))).toBe(true);
});
