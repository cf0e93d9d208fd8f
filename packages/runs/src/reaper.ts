import type pg from 'pg';
import type { ActiveAttempt } from './active-attempt.ts';
import type { Attempt, Engine } from './engine.ts';
import { CHANNEL, HAS_NEW_ANSWER, type RunStore } from './run-store.ts';
import { DBOS_SCHEMA, SCHEMA } from './tables.ts';

/** A run that was interrupted this often is not started again: it ends its workers, or cannot be read. */
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

/** A worker that was killed has its runs taken over long before, and a new process may have another name. */
const FORGOTTEN_AFTER = '1 day';

/** Announces a worker, before it takes its first run. Forgets the earlier processes of its name, and those that were killed long ago. */
export async function announceWorker(pool: pg.Pool, executor: string, name: string): Promise<void> {
  await pool.query(
    `DELETE FROM ${SCHEMA}.executor e WHERE e.id <> $2 AND (e.name = $1 OR e.beat_at < now() - interval '${FORGOTTEN_AFTER}'
       AND NOT EXISTS (SELECT FROM ${SCHEMA}.run r WHERE r.executor = e.id AND r.finished_at IS NULL))`,
    [name, executor],
  );
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
        // For a database behind a pooler, which may pass no notifications on.
        options.engine.look();
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
export async function stopLost({
  store,
  executor,
  active,
}: Pick<ReaperOptions, 'store' | 'executor' | 'active'>): Promise<void> {
  // Attempts that start while the query runs are not in its result.
  const asked = [...active];
  if (asked.length === 0) return;
  const { rows } = await store.pool.query<{ id: string; attempt: number; executor: string | null; cancelled: boolean }>(
    `SELECT id, attempt, executor, cancel_requested AS cancelled FROM ${SCHEMA}.run WHERE id = ANY($1)`,
    [asked.map(([runId]) => runId)],
  );
  const known = new Map(rows.map((row) => [row.id, row]));
  for (const [runId, each] of asked) {
    const row = known.get(runId);
    if (row === undefined || row.attempt !== each.attempt.attempt) each.stop('lost');
    else if (row.executor === executor && row.cancelled) each.stop('cancelled');
  }
}

/** Continues runs of this worker that it no longer runs: it could not read them, or its last statement about them failed. */
async function continueDropped(options: ReaperOptions): Promise<void> {
  await restart(options, `r.status = 'running' AND r.finished_at IS NULL AND r.executor = $1`, [options.executor]);
}

/** Queues the next attempt of each run whose worker is dead. The dead attempt can record nothing from here on. */
async function takeOver(options: ReaperOptions): Promise<void> {
  const isDead = `r.status = 'running' AND r.finished_at IS NULL AND r.executor NOT IN (
    SELECT id FROM ${SCHEMA}.executor WHERE beat_at > now() - $1 * interval '1 millisecond')`;
  const taken = await restart(options, isDead, [options.deadAfterMs]);
  if (taken > 0) options.log(`Continuing ${taken} runs of a worker that ended.`);
}

interface LostRunRow extends Attempt {
  readonly userId: string;
  readonly takeovers: number;
  readonly cancelled: boolean;
}

/**
 * Ends the attempts of runs `r` of this worker's group that fulfil a condition, and queues their next ones. Leaves out runs of
 * this process.
 */
async function restart(
  { store, engine, active }: ReaperOptions,
  condition: string,
  values: readonly unknown[],
): Promise<number> {
  const [group, own] = [values.length + 1, values.length + 2];
  const lostRuns = `FROM ${SCHEMA}.run r WHERE ${condition} AND r.worker_group = $${group} AND r.id <> ALL($${own}::text[])`;
  const parameters = [...values, store.group, [...active.keys()]];
  // Mostly there are none: a transaction takes three statements, every heartbeat.
  if ((await store.pool.query(`SELECT ${lostRuns} LIMIT 1`, parameters)).rowCount === 0) return 0;
  return store.transaction(async (client) => {
    const { rows } = await client.query<LostRunRow>(
      `SELECT r.id AS "runId", attempt, user_id AS "userId", takeovers, cancel_requested AS cancelled ${lostRuns}
       ORDER BY created_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`,
      parameters,
    );
    // This process may have taken some since.
    const lost = rows.filter(({ runId }) => !active.has(runId));
    if (lost.length > 0) await engine.cancel(lost);
    for (const row of lost) await continueOrEnd(client, store, engine, row);
    return lost.length;
  });
}

async function continueOrEnd(client: pg.PoolClient, store: RunStore, engine: Engine, row: LostRunRow): Promise<void> {
  const isPoison = row.takeovers >= MAX_TAKEOVERS;
  if (row.cancelled || isPoison) {
    const failure = store.sealFailure({
      message: `The run was interrupted ${MAX_TAKEOVERS} times. Check its nodes for what uses up memory.`,
    });
    await client.query(
      `UPDATE ${SCHEMA}.run SET status = $2, failure = CASE WHEN $2 = 'failed' THEN coalesce(failure, $3) END,
         finished_at = now(), executor = NULL WHERE id = $1`,
      [row.runId, row.cancelled ? 'cancelled' : 'failed', failure],
    );
    await client.query('SELECT pg_notify($1, $2)', [CHANNEL, row.runId]);
    return;
  }
  await client.query(
    `UPDATE ${SCHEMA}.run SET status = 'queued', attempt = attempt + 1, takeovers = takeovers + 1, executor = NULL
     WHERE id = $1`,
    [row.runId],
  );
  await engine.enqueue(client, { runId: row.runId, attempt: row.attempt + 1 }, row.userId, store.group);
}

/**
 * Continues what a process left half done: a waiting run with an answer, and a queued run whose attempt a worker took from the
 * queue and did not claim.
 */
async function mend(options: ReaperOptions): Promise<void> {
  const { store, engine, deadAfterMs } = options;
  const { rows: answered } = await store.pool.query<{ id: string }>(
    `SELECT id FROM ${SCHEMA}.run r WHERE status = 'waiting' AND ${HAS_NEW_ANSWER} LIMIT ${BATCH}`,
  );
  for (const { id } of answered) await store.continueRun(engine, id, 'waiting', HAS_NEW_ANSWER);
  const isUnclaimed = `r.status = 'queued' AND r.finished_at IS NULL AND EXISTS (
    SELECT 1 FROM ${DBOS_SCHEMA}.workflow_status w WHERE w.workflow_uuid = r.id || '.' || r.attempt
      AND (w.status IN ('ERROR', 'SUCCESS', 'CANCELLED') OR w.status <> 'ENQUEUED' AND w.executor_id NOT IN (
        SELECT id FROM ${SCHEMA}.executor WHERE beat_at > now() - $1 * interval '1 millisecond')))`;
  await restart(options, isUnclaimed, [deadAfterMs]);
}
