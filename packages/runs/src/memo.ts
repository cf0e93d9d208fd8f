import type pg from 'pg';
import type { Attempt } from './engine.ts';
import { LostRun } from './event-store.ts';
import type { Sealer } from './sealer.ts';
import { SCHEMA } from './tables.ts';

/**
 * Gives the value that the first call with this key made, in this attempt or an earlier one. It is stored before it is
 * given, so that an effect which follows it finds it after a crash. The value is JSON.
 *
 * @throws LostRun where another worker has the run
 */
export async function rememberOnce<Value>(
  pool: pg.Pool,
  sealer: Sealer,
  { runId, attempt }: Attempt,
  key: string,
  make: () => Value,
): Promise<Value> {
  const find = async () => {
    const { rows } = await pool.query<{ value: string }>(
      `SELECT value FROM ${SCHEMA}.memo WHERE run_id = $1 AND key = $2`,
      [runId, key],
    );
    return rows[0];
  };
  const found = await find();
  if (found !== undefined) return JSON.parse(sealer.open(found.value)) as Value;
  const value = make();
  const { rowCount } = await pool.query(
    `INSERT INTO ${SCHEMA}.memo (run_id, key, value)
     SELECT id, $3, $4 FROM ${SCHEMA}.run WHERE id = $1 AND attempt = $2 AND status = 'running'
     ON CONFLICT (run_id, key) DO NOTHING`,
    [runId, attempt, key, sealer.seal(JSON.stringify(value))],
  );
  if (rowCount === 1) return value;
  // A statement whose connection broke may still have stored its value.
  const stored = await find();
  if (stored === undefined) throw new LostRun();
  return JSON.parse(sealer.open(stored.value)) as Value;
}
