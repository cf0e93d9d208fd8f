import { afterAll, expect, it } from 'vitest';
import { type TestRuns, useRunStore } from '../../../tests/runs/use-run-store.ts';
import { type Engine, startEngine } from './engine.ts';
import { pruneRuns, removeRuns } from './retention.ts';

let runs: TestRuns;
let real: Engine | undefined;
useRunStore(async (opened) => {
  runs = opened;
  // Creates the tables of the engine, whose bytes count too.
  real = await startEngine(opened.store.pool, opened.store.sealer, () => {});
});
afterAll(() => real?.close(0));

const ofUser = async (userId: string) =>
  (
    await runs.store.pool.query<{ id: string }>('SELECT id FROM croft_runs.run WHERE user_id = $1 ORDER BY id', [
      userId,
    ])
  ).rows.map(({ id }) => id);

/** Runs of a user that ended at these seconds after 2000. */
async function ended(userId: string, ...seconds: number[]) {
  for (const second of seconds) {
    const id = `${userId}-${second}`;
    await runs.add(id, { userId });
    await runs.store.pool.query("UPDATE croft_runs.run SET status = 'completed', finished_at = $2 WHERE id = $1", [
      id,
      time(second),
    ]);
  }
}
const time = (second: number) => new Date(Date.UTC(2000, 0, 1, 0, 0, second));
const NOTHING = time(0);
const NO_LIMIT = Number.MAX_SAFE_INTEGER;

it('removes runs that ended before a time, and keeps open ones', async () => {
  await ended('rt-ann', 10, 20, 30);
  await runs.add('rt-ann-open', { userId: 'rt-ann' });
  expect(await pruneRuns(runs.store, runs.engine, time(20), NO_LIMIT)).toBe(1);
  expect(await ofUser('rt-ann')).toEqual(['rt-ann-20', 'rt-ann-30', 'rt-ann-open']);
});

it('removes the oldest runs of a user whose runs take too many bytes, never the newest one', async () => {
  await ended('rt-bob', 40, 50, 60);
  await ended('rt-cid', 70);
  expect(await pruneRuns(runs.store, runs.engine, NOTHING, NO_LIMIT)).toBe(0);
  await runs.store.pool.query("UPDATE croft_runs.run SET bytes = 1000000 WHERE user_id IN ('rt-bob', 'rt-cid')");
  await pruneRuns(runs.store, runs.engine, NOTHING, 2_000_000);
  expect([await ofUser('rt-bob'), await ofUser('rt-cid')]).toEqual([['rt-bob-50', 'rt-bob-60'], ['rt-cid-70']]);
  await pruneRuns(runs.store, runs.engine, NOTHING, 1);
  expect([await ofUser('rt-bob'), await ofUser('rt-cid')]).toEqual([['rt-bob-60'], ['rt-cid-70']]);
});

it('measures a run with its events, and the checkpoints of its attempts', async () => {
  await ended('rt-dan', 80, 90);
  const { pool } = runs.store;
  await pool.query("INSERT INTO croft_runs.event VALUES ('rt-dan-80', 1, 1, repeat('abcdefghij', 100))");
  await pruneRuns(runs.store, runs.engine, NOTHING, NO_LIMIT);
  const { rows } = await pool.query<{ bytes: string }>(
    "SELECT bytes FROM croft_runs.run WHERE user_id = 'rt-dan' ORDER BY id",
  );
  const [with80 = 0, without = 0] = rows.map(({ bytes }) => Number(bytes));
  expect(without).toBeGreaterThan(500);
  expect(with80 - without).toBeGreaterThanOrEqual(20);
});

it('removes the rows of each attempt in the engine first', async () => {
  await ended('rt-eve', 100);
  await runs.store.pool.query("UPDATE croft_runs.run SET attempt = 3 WHERE id = 'rt-eve-100'");
  const broken = { ...runs.engine, remove: () => Promise.reject(new Error('no engine')) };
  const removing = removeRuns(runs.store, broken, [{ runId: 'rt-eve-100', attempt: 3 }]);
  await expect(removing).rejects.toThrow('no engine');
  expect(await ofUser('rt-eve')).toEqual(['rt-eve-100']);
  await removeRuns(runs.store, runs.engine, [{ runId: 'rt-eve-100', attempt: 3 }]);
  expect(runs.asked.at(-1)).toBe('remove rt-eve-100.1 rt-eve-100.2 rt-eve-100.3');
  expect(await ofUser('rt-eve')).toEqual([]);
});
