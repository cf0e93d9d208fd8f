import type pg from 'pg';
import type { ActiveAttempt } from './active-attempt.ts';
import type { Attempt, Engine } from './engine.ts';
import { HAS_NEW_ANSWER, type RunStore } from './run-store.ts';
import { DBOS_SCHEMA, SCHEMA } from './tables.ts';

/** A run that has taken this many workers with it is not started again. */
const MAX_TAKEOVERS = 10;
/** Taken over in one transaction. */
const BATCH = 100;

export interface ReaperOptions {
  readonly store: RunStore;
  readonly engine: Engine;
  /** This process. A new start has a new id. */
  readonly executor: string;
  /** The name of this worker, which is the same after a restart: a start ends the processes with its name. */
  readonly name: string;
  readonly beatMs: number;
  /** After this long without a heartbeat a worker counts as dead. */
  readonly deadAfterMs: number;
  readonly active: ReadonlyMap<string, ActiveAttempt>;
  log(line: string): void;
}

export interface Reaper {
  /** Ends the heartbeat: others take over what this worker has not handed back. */
  stop(): Promise<void>;
}

/** Announces a worker, before it takes its first run, and ends the earlier processes of its name. */
export async function announceWorker(pool: pg.Pool, executor: string, name: string): Promise<void> {
  await pool.query(`DELETE FROM ${SCHEMA}.executor WHERE name = $1 AND id <> $2`, [name, executor]);
  await beat(pool, executor, name);
}

/**
 * Sends this worker's heartbeat, and continues runs of workers that send none. Times are the database's: clocks of machines
 * may differ. After an outage of the database it first gives the others time to send theirs.
 */
export function startReaper(options: ReaperOptions): Reaper {
  const { store, executor, name, beatMs, deadAfterMs, log } = options;
  const { pool } = store;
  let lastBeat = performance.now();
  let patientUntil = 0;
  let isStopped = false;
  let wake: () => void = () => {};
  const rounds = async () => {
    for (let isFirst = true; !isStopped; isFirst = false) {
      if (!isFirst)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, beatMs);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      if (isStopped) return;
      try {
        await beat(pool, executor, name);
        const now = performance.now();
        if (now - lastBeat > beatMs + deadAfterMs / 2) patientUntil = now + deadAfterMs;
        lastBeat = now;
        await stopLost(options);
        await continueDropped(options);
        if (now >= patientUntil) await takeOver(options);
        await mend(options);
      } catch (error) {
        log(`The state of runs could not be checked: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  };
  const running = rounds();
  return {
    async stop() {
      isStopped = true;
      wake();
      await running;
      await pool.query(`DELETE FROM ${SCHEMA}.executor WHERE id = $1`, [executor]).catch(() => {});
    },
  };
}

async function beat(pool: pg.Pool, executor: string, name: string): Promise<void> {
  await pool.query(
    `INSERT INTO ${SCHEMA}.executor (id, name) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET beat_at = now()`,
    [executor, name],
  );
}

/** Stops attempts that were taken over or cancelled: this process was suspended, or cut off from the database. */
async function stopLost({ store, executor, active }: ReaperOptions): Promise<void> {
  if (active.size === 0) return;
  const { rows } = await store.pool.query<{ id: string; attempt: number; executor: string | null; cancelled: boolean }>(
    `SELECT id, attempt, executor, cancel_requested AS cancelled FROM ${SCHEMA}.run WHERE id = ANY($1)`,
    [[...active.keys()]],
  );
  const known = new Map(rows.map((row) => [row.id, row]));
  for (const [runId, each] of active) {
    const row = known.get(runId);
    if (row === undefined || row.attempt !== each.attempt.attempt) each.stop('lost');
    else if (row.executor === executor && row.cancelled) each.stop('cancelled');
  }
}

/** Continues runs of this worker that it no longer runs: its last statement about them failed. */
async function continueDropped({ store, engine, executor, active }: ReaperOptions): Promise<void> {
  const { rows } = await store.pool.query<Attempt>(
    `SELECT id AS "runId", attempt FROM ${SCHEMA}.run WHERE status = 'running' AND finished_at IS NULL AND executor = $1`,
    [executor],
  );
  for (const { runId, attempt } of rows) {
    if (active.has(runId)) continue;
    await engine.cancel([{ runId, attempt }]);
    await store.continueRun(engine, runId, 'running', `attempt = ${attempt}`);
  }
}

/** Queues the next attempt of each run whose worker is dead. The dead attempt can record nothing from here on. */
async function takeOver({ store, engine, deadAfterMs, log }: ReaperOptions): Promise<void> {
  const taken = await store.transaction(async (client) => {
    const { rows } = await client.query<Attempt & { userId: string; takeovers: number; cancelled: boolean }>(
      `SELECT id AS "runId", attempt, user_id AS "userId", takeovers, cancel_requested AS cancelled FROM ${SCHEMA}.run
       WHERE status = 'running' AND finished_at IS NULL AND executor NOT IN (
         SELECT id FROM ${SCHEMA}.executor WHERE beat_at > now() - $1 * interval '1 millisecond')
       ORDER BY created_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`,
      [deadAfterMs],
    );
    if (rows.length === 0) return 0;
    await engine.cancel(rows);
    for (const row of rows) await continueOrEnd(client, engine, row);
    return rows.length;
  });
  if (taken > 0) log(`Continuing ${taken} runs of a worker that ended.`);
}

async function continueOrEnd(
  client: pg.PoolClient,
  engine: Engine,
  row: Attempt & { userId: string; takeovers: number; cancelled: boolean },
): Promise<void> {
  const failure = {
    message: `The run ended its worker ${MAX_TAKEOVERS} times. Check its nodes for what uses up memory.`,
  };
  const isPoison = row.takeovers >= MAX_TAKEOVERS;
  if (row.cancelled || isPoison) {
    await client.query(
      `UPDATE ${SCHEMA}.run SET status = $2, failure = $3, finished_at = now(), executor = NULL WHERE id = $1`,
      [row.runId, row.cancelled ? 'cancelled' : 'failed', row.cancelled ? null : JSON.stringify(failure)],
    );
    return;
  }
  await client.query(
    `UPDATE ${SCHEMA}.run SET status = 'queued', attempt = attempt + 1, takeovers = takeovers + 1, executor = NULL
     WHERE id = $1`,
    [row.runId],
  );
  await engine.enqueue(client, { runId: row.runId, attempt: row.attempt + 1 }, row.userId);
}

/**
 * Continues what a process left half done: a waiting run with an answer, and a queued run whose attempt a worker took from the
 * queue and did not claim.
 */
async function mend({ store, engine, deadAfterMs }: ReaperOptions): Promise<void> {
  const { pool } = store;
  const { rows: answered } = await pool.query<{ id: string }>(
    `SELECT id FROM ${SCHEMA}.run r WHERE status = 'waiting' AND ${HAS_NEW_ANSWER} LIMIT ${BATCH}`,
  );
  for (const { id } of answered) await store.continueRun(engine, id, 'waiting', HAS_NEW_ANSWER);
  const { rows: unclaimed } = await pool.query<{ id: string; attempt: number }>(
    `SELECT r.id, r.attempt FROM ${SCHEMA}.run r
     JOIN ${DBOS_SCHEMA}.workflow_status w ON w.workflow_uuid = r.id || '.' || r.attempt
     WHERE r.status = 'queued' AND r.finished_at IS NULL AND (w.status IN ('ERROR', 'SUCCESS', 'CANCELLED')
       OR w.status <> 'ENQUEUED' AND w.executor_id NOT IN (
         SELECT id FROM ${SCHEMA}.executor WHERE beat_at > now() - $1 * interval '1 millisecond')) LIMIT ${BATCH}`,
    [deadAfterMs],
  );
  for (const { id, attempt } of unclaimed) {
    await engine.cancel([{ runId: id, attempt }]);
    await store.continueRun(engine, id, 'queued', `attempt = ${attempt}`);
  }
}
