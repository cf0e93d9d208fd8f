import { expect, it } from 'vitest';
import { type TestRuns, useRunStore } from '../../../tests/runs/use-run-store.ts';
import { createTables } from './tables.ts';

let runs: TestRuns;
useRunStore((opened) => void (runs = opened));

/** A pool of one connection, in whose transactions the stored version is another one. They are rolled back. */
function poolWith(version: number) {
  const did: string[] = [];
  const pool = {
    connect: async () => {
      const client = await runs.store.pool.connect();
      return {
        async query(sql: string, values?: unknown[]) {
          did.push(sql.split(/\s+/, 2).join(' '));
          if (sql === 'COMMIT') return client.query('ROLLBACK');
          if (sql.startsWith('SELECT number')) return { rows: [{ number: version }] };
          return client.query(sql, values);
        },
        release: () => client.release(),
      };
    },
  };
  return { pool: pool as never, did };
}

const stored = async () =>
  (await runs.store.pool.query<{ number: number }>('SELECT number FROM croft_runs.version')).rows.map(
    ({ number }) => number,
  );

it('creates the tables once, also when several processes start at once', async () => {
  const before = await stored();
  await Promise.all([createTables(runs.store.pool), createTables(runs.store.pool)]);
  expect(await stored()).toEqual(before);
  expect(before).toHaveLength(1);
});

it('keeps no connection', async () => {
  const { pool } = runs.store;
  for (let count = 0; count <= pool.options.max; count++) await createTables(pool);
  expect(pool.idleCount).toBe(pool.totalCount);
});

it('brings the tables of an older build up to date, and notes it', async () => {
  const [newest = 0] = await stored();
  const { pool, did } = poolWith(newest - 1);
  // The column of the last change is there already, so the change itself fails: it was made.
  await expect(createTables(pool)).rejects.toThrow('already exists');
  expect(did.filter((each) => each === 'ALTER TABLE')).toHaveLength(1);
  expect(did.at(-1)).toBe('ROLLBACK');
  const current = poolWith(newest);
  await createTables(current.pool);
  expect(current.did).not.toContain('ALTER TABLE');
});

it('refuses a database that a newer build has changed', async () => {
  const [newest = 0] = await stored();
  await expect(createTables(poolWith(newest + 1).pool)).rejects.toMatchObject({ code: 'newer_database' });
});
