import type { Attempt, Engine } from './engine.ts';
import type { RunStore } from './run-store.ts';
import type pg from 'pg';
import { DBOS_SCHEMA, SCHEMA } from './tables.ts';

const BATCH = 500;
/** Rows of a run without its values. */
const ROW_BYTES = 500;

/**
 * Removes finished runs that ended before a time, and the oldest ones of each user whose runs take more than a number of
 * bytes: their rows, events and questions, and the engine's rows of each attempt. The newest run of a user stays. The
 * engine's rows go first: a crash between leaves runs that the next call removes.
 */
export async function pruneRuns(
  store: RunStore,
  engine: Engine,
  finishedBefore: Date,
  maxBytesOfUser: number,
): Promise<number> {
  const { pool } = store;
  await measureRuns(pool);
  const old = await removeAll(store, engine, () =>
    pool.query<Attempt>(
      `SELECT id AS "runId", attempt FROM ${SCHEMA}.run WHERE finished_at < $1 ORDER BY finished_at LIMIT ${BATCH}`,
      [finishedBefore],
    ),
  );
  const large = await removeAll(store, engine, () =>
    pool.query<Attempt>(
      `SELECT id AS "runId", attempt FROM (
         SELECT id, attempt, finished_at, sum(bytes) OVER newest AS total, row_number() OVER newest AS place
         FROM ${SCHEMA}.run WHERE finished_at IS NOT NULL
         WINDOW newest AS (PARTITION BY user_id ORDER BY finished_at DESC, id DESC)
       ) AS sized WHERE total > $1 AND place > 1 ORDER BY finished_at LIMIT ${BATCH}`,
      [maxBytesOfUser],
    ),
  );
  return old + large;
}

/** Stores how much each finished run takes, in the tables of the engine too. Reads no values. */
async function measureRuns(pool: pg.Pool): Promise<void> {
  for (;;) {
    const { rowCount } = await pool.query(
      `UPDATE ${SCHEMA}.run r SET bytes = ${ROW_BYTES} + pg_column_size(flow) + pg_column_size(request)
         + coalesce(pg_column_size(result), 0)
         + (SELECT coalesce(sum(pg_column_size(entries)), 0) FROM ${SCHEMA}.event WHERE run_id = r.id)
         + (SELECT coalesce(sum(pg_column_size(output)), 0) FROM ${DBOS_SCHEMA}.operation_outputs
            WHERE workflow_uuid IN (SELECT r.id || '.' || number FROM generate_series(1, r.attempt) AS number))
       WHERE id IN (SELECT id FROM ${SCHEMA}.run WHERE finished_at IS NOT NULL AND bytes IS NULL LIMIT ${BATCH})`,
    );
    if ((rowCount ?? 0) < BATCH) return;
  }
}

async function removeAll(
  store: RunStore,
  engine: Engine,
  find: () => Promise<{ readonly rows: readonly Attempt[] }>,
): Promise<number> {
  for (let removed = 0; ; ) {
    const { rows } = await find();
    if (rows.length === 0) return removed;
    await removeRuns(store, engine, rows);
    removed += rows.length;
  }
}

/** Removes runs that have ended, each with its last attempt. */
export async function removeRuns({ pool }: RunStore, engine: Engine, runs: readonly Attempt[]): Promise<void> {
  await engine.remove(
    runs.flatMap(({ runId, attempt: last }) =>
      Array.from({ length: last }, (_, index) => ({ runId, attempt: index + 1 })),
    ),
  );
  await pool.query(`DELETE FROM ${SCHEMA}.run WHERE id = ANY($1)`, [runs.map(({ runId }) => runId)]);
}
