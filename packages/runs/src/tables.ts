import type pg from 'pg';
import { RunError } from './errors.ts';

/** The schema with the tables of runs. DBOS has another one, `DBOS_SCHEMA`. */
export const SCHEMA = 'croft_runs';
export const DBOS_SCHEMA = 'croft_dbos';

/** Any number, the same in every Croft: processes that start at once on one database queue here. */
const LOCK_ID = 7_860_018_011;

/** Each entry runs once. Add entries at the end; never change one that was released. */
const MIGRATIONS = [
  `CREATE TABLE ${SCHEMA}.run (
    id text PRIMARY KEY,
    user_id text NOT NULL,
    flow_id text,
    flow_name text NOT NULL,
    source text NOT NULL,
    status text NOT NULL,
    -- Each start of a run is an attempt with a DBOS workflow of its own, <id>.<attempt>.
    attempt int NOT NULL DEFAULT 1,
    -- Starts after the worker before had died.
    takeovers int NOT NULL DEFAULT 0,
    executor text,
    -- The key of the step that a person has to decide about.
    undecided text,
    cancel_requested boolean NOT NULL DEFAULT false,
    flow text NOT NULL,
    request text NOT NULL,
    result text,
    failure jsonb,
    metrics jsonb,
    -- Two triggers that mean the same run give the same key.
    trigger_key text UNIQUE,
    created_at timestamptz NOT NULL DEFAULT now(),
    started_at timestamptz,
    finished_at timestamptz
  );
  CREATE INDEX run_of_user ON ${SCHEMA}.run (user_id, created_at DESC, id DESC);
  CREATE INDEX run_of_flow ON ${SCHEMA}.run (user_id, flow_id, created_at DESC, id DESC);
  CREATE INDEX run_open ON ${SCHEMA}.run (status, executor) WHERE finished_at IS NULL;
  CREATE INDEX run_finished ON ${SCHEMA}.run (finished_at) WHERE finished_at IS NOT NULL;
  CREATE TABLE ${SCHEMA}.event (
    run_id text NOT NULL REFERENCES ${SCHEMA}.run ON DELETE CASCADE,
    first int NOT NULL,
    count int NOT NULL,
    entries text NOT NULL,
    PRIMARY KEY (run_id, first)
  );
  -- Steps that began and must not be repeated blindly.
  CREATE TABLE ${SCHEMA}.intent (
    run_id text NOT NULL REFERENCES ${SCHEMA}.run ON DELETE CASCADE,
    key text NOT NULL,
    attempt int NOT NULL,
    decision text,
    PRIMARY KEY (run_id, key)
  );
  CREATE TABLE ${SCHEMA}.question (
    run_id text NOT NULL REFERENCES ${SCHEMA}.run ON DELETE CASCADE,
    key text NOT NULL,
    node text NOT NULL,
    asked text NOT NULL,
    answer text,
    is_read boolean NOT NULL DEFAULT false,
    asked_at timestamptz NOT NULL DEFAULT now(),
    answered_at timestamptz,
    PRIMARY KEY (run_id, key)
  );
  CREATE TABLE ${SCHEMA}.executor (
    id text PRIMARY KEY,
    name text NOT NULL,
    beat_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE TABLE ${SCHEMA}.schedule (
    id text PRIMARY KEY,
    user_id text NOT NULL,
    definition text NOT NULL,
    next_at timestamptz,
    last_at timestamptz,
    last_run text
  );
  CREATE INDEX schedule_due ON ${SCHEMA}.schedule (next_at) WHERE next_at IS NOT NULL;`,
  `CREATE TABLE ${SCHEMA}.memo (
    run_id text NOT NULL REFERENCES ${SCHEMA}.run ON DELETE CASCADE,
    key text NOT NULL,
    value text NOT NULL,
    PRIMARY KEY (run_id, key)
  );`,
  // Failures are encrypted from here on. Earlier ones are removed, because they may quote values of a run.
  `ALTER TABLE ${SCHEMA}.run ALTER COLUMN failure TYPE text USING NULL;
  ALTER TABLE ${SCHEMA}.schedule ADD COLUMN failure text, ADD COLUMN retry_at timestamptz;`,
  // Only workers of this group run it; see OpenRunsOptions.
  `ALTER TABLE ${SCHEMA}.run ADD COLUMN worker_group text NOT NULL DEFAULT '';
  ALTER TABLE ${SCHEMA}.schedule ADD COLUMN worker_group text NOT NULL DEFAULT '';`,
  // Of schedules that are stored or changed from here on: an earlier one is deleted at its next time if its flow is gone.
  `ALTER TABLE ${SCHEMA}.schedule ADD COLUMN flow_id text;
  CREATE INDEX schedule_of_flow ON ${SCHEMA}.schedule (flow_id);
  CREATE INDEX schedule_of_user ON ${SCHEMA}.schedule (user_id);`,
  // Of a finished run, with its events and checkpoints; null until they are measured.
  `ALTER TABLE ${SCHEMA}.run ADD COLUMN bytes bigint;`,
  // Encrypted; null for runs from before.
  `ALTER TABLE ${SCHEMA}.run ADD COLUMN input text;`,
];

/**
 * Creates the tables and brings them up to date. Safe when several processes start at once.
 *
 * @throws RunError `newer_database`
 */
export async function createTables(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK_ID]);
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${SCHEMA}`);
    await client.query(`CREATE TABLE IF NOT EXISTS ${SCHEMA}.version (number int NOT NULL)`);
    const { rows } = await client.query<{ number: number }>(`SELECT number FROM ${SCHEMA}.version`);
    const has = rows[0]?.number ?? 0;
    if (has > MIGRATIONS.length)
      throw new RunError(
        'newer_database',
        'The database was last used by a newer Croft: install the newest version, or use another database.',
      );
    for (const sql of MIGRATIONS.slice(has)) await client.query(sql);
    if (rows.length === 0) await client.query(`INSERT INTO ${SCHEMA}.version VALUES ($1)`, [MIGRATIONS.length]);
    else if (has < MIGRATIONS.length)
      await client.query(`UPDATE ${SCHEMA}.version SET number = $1`, [MIGRATIONS.length]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  } finally {
    client.release();
  }
}
