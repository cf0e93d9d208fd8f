import type { Attempt, Engine } from './engine.ts';
import type { RunStore } from './run-store.ts';
import { SCHEMA } from './tables.ts';

const BATCH = 500;

/**
 * Removes finished runs that ended before a time: their rows, events and questions, and the engine's rows of each attempt.
 * The engine's rows go first: a crash between leaves runs that the next call removes.
 */
export async function pruneRuns(store: RunStore, engine: Engine, finishedBefore: Date): Promise<number> {
  let removed = 0;
  for (;;) {
    const { rows } = await store.pool.query<Attempt>(
      `SELECT id AS "runId", attempt FROM ${SCHEMA}.run WHERE finished_at < $1 ORDER BY finished_at LIMIT ${BATCH}`,
      [finishedBefore],
    );
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
