import type { EventStore, LogEntry, StoredEvents } from '@croft/event-log';
import type pg from 'pg';
import type { Attempt } from './engine.ts';
import { EVENT_CHANNEL } from './run-store.ts';
import type { Sealer } from './sealer.ts';
import { SCHEMA } from './tables.ts';

/** Another worker has the run: this one must stop. */
export class LostRun extends Error {
  constructor() {
    super('Another worker has taken this run over.');
    this.name = 'LostRun';
  }
}

/**
 * Events of runs in the database: a row per batch, encrypted. With `writer`, only that attempt may append; the lock on the
 * run's row orders its last batch before the first one of the next attempt.
 */
export function eventStore(pool: pg.Pool, sealer: Sealer, writer?: Attempt): EventStore {
  return {
    async append(runId, first, entries) {
      const { rowCount } = await pool.query(
        `WITH own AS (SELECT id FROM ${SCHEMA}.run WHERE id = $1 AND attempt = $2 FOR SHARE),
         added AS (
           INSERT INTO ${SCHEMA}.event (run_id, first, count, entries) SELECT id, $3, $4, $5 FROM own
           -- A write whose answer was lost is sent again.
           ON CONFLICT (run_id, first) DO UPDATE SET count = event.count WHERE event.count = excluded.count
           RETURNING run_id
         ) SELECT pg_notify('${EVENT_CHANNEL}', run_id) FROM added`,
        [runId, writer?.attempt ?? 0, first, entries.length, sealer.seal(JSON.stringify(entries))],
      );
      if (rowCount !== 1) throw new LostRun();
    },
    async read(runId, after, limit): Promise<StoredEvents | 'gone'> {
      const { rows } = await pool.query<{ first: number; entries: string }>(
        `SELECT first, entries FROM ${SCHEMA}.event WHERE run_id = $1 AND first + count > $2 + 1
         AND first <= $2 + $3 ORDER BY first`,
        [runId, after, limit],
      );
      const [row] = rows;
      if (row === undefined) return (await lastEvent(pool, runId)) < after ? 'gone' : { first: after + 1, entries: [] };
      const entries = rows.flatMap((each) => JSON.parse(sealer.open(each.entries)) as LogEntry[]);
      return { first: row.first, entries };
    },
  };
}

/** The number of a run's newest event; 0 where it has none. */
export async function lastEvent(pool: pg.Pool, runId: string): Promise<number> {
  const { rows } = await pool.query<{ last: number | null }>(
    `SELECT max(first + count) - 1 AS last FROM ${SCHEMA}.event WHERE run_id = $1`,
    [runId],
  );
  return rows[0]?.last ?? 0;
}
