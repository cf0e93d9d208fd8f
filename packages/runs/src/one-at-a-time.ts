import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

/** Any number, the same in every Croft. */
const LOCK_ID = 7_860_018_014;
const RETRY_MS = 100;

/**
 * Runs work while no other process on this database does: DBOS creates its tables without a lock, and of two processes at once
 * one fails. Asks for the lock again and again: a statement that waits for it would block an index that DBOS creates concurrently.
 */
export async function oneAtATime<Result>(pool: pg.Pool, work: () => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    while (!(await tryLock(client))) {
      await client.query('ROLLBACK');
      await sleep(RETRY_MS);
    }
    return await work();
  } finally {
    await client.query('COMMIT').catch((error: Error) => {
      broken = error;
    });
    client.release(broken);
  }
}

/**
 * Bound to a transaction, so that it holds behind a pooler. Without parameters: the transaction would keep the snapshot of a
 * prepared statement, for which a concurrent index waits too.
 */
async function tryLock(client: pg.ClientBase): Promise<boolean> {
  await client.query('BEGIN');
  const { rows } = await client.query<{ has: boolean }>(`SELECT pg_try_advisory_xact_lock(${LOCK_ID}) AS has`);
  return rows[0]?.has === true;
}
