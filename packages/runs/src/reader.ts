import type pg from 'pg';
import { eventStore } from './event-store.ts';
import { findRun, listRuns, timelineOf, type ListRuns, type RunPage, type Timeline } from './history.ts';
import type { DurableRunStatus, RunDetails } from './run.ts';
import { RunStore } from './run-store.ts';
import type { Sealer } from './sealer.ts';
import { createTables, SCHEMA } from './tables.ts';
import { type ScheduleOwner, type ScheduleState, ScheduleStore } from './triggers/schedules.ts';

/** The work of the workers. */
export interface RunLoad {
  /** Runs that have not ended, by their status. */
  readonly open: Partial<Record<DurableRunStatus, number>>;
  readonly workers: readonly WorkerState[];
}

/** A worker that has not ended in order. */
export interface WorkerState {
  readonly name: string;
  /** Its latest heartbeat. */
  readonly seenAt: Date;
  readonly running: number;
}

/** The stored runs, for a process that may never open the engine. */
export interface RunReader {
  list(query: ListRuns): Promise<RunPage>;
  /** `undefined` if the user has no such run; so is `timeline`. */
  find(runId: string, userId: string): Promise<RunDetails | undefined>;
  timeline(runId: string, userId: string): Promise<Timeline | undefined>;
  /** Those of these runs that are stored for the user. */
  kept(runIds: readonly string[], userId: string): Promise<string[]>;
  /** The schedules of a user, the next one first. */
  schedules(userId: string): Promise<ScheduleState[]>;
  /** Removes the schedules of a flow, or of a user, that is gone. */
  removeSchedulesOf(owner: ScheduleOwner): Promise<void>;
  /** After a change of the key; see `ScheduleStore`. */
  resealSchedules(): ReturnType<ScheduleStore['reseal']>;
  /** Runs of a user that have not ended, and the bytes of their flows and requests. */
  openOf(userId: string): Promise<{ readonly count: number; readonly bytes: number }>;
  /** The runs of the group that have not ended, and the workers on this database. */
  load(): Promise<RunLoad>;
  /** Whether a worker of the group has something to do: runs that wait for one, schedules, or runs to remove. */
  needsWorker(finishedBefore: Date, maxBytesOfUser?: number): Promise<boolean>;
}

/** The bytes of a finished run in SQL; of one that no worker has measured yet, what it has at least. */
const MEASURED_OR_LEAST =
  'coalesce(bytes, pg_column_size(flow) + pg_column_size(request) + coalesce(pg_column_size(result), 0))';

/**
 * Reads runs on a pool of the caller. A database without the tables of runs has no runs, and stays as it is. Functions
 * throw as {@link createTables} does: the tables may be those of another build.
 */
export function createRunReader(pool: pg.Pool, sealer: Sealer, group = ''): RunReader {
  const store = new RunStore(pool, sealer, group);
  const schedules = new ScheduleStore(pool, sealer, group);
  let isThere = false;
  const hasTables = async (): Promise<boolean> => {
    if (isThere) return true;
    const { rows } = await pool.query<{ there: boolean }>(
      `SELECT to_regclass('${SCHEMA}.version') IS NOT NULL AS there`,
    );
    if (rows[0]?.there !== true) return false;
    await createTables(pool);
    isThere = true;
    return true;
  };
  const find = async (runId: string, userId: string) =>
    (await hasTables()) ? findRun(store, runId, userId) : undefined;
  return {
    list: async (query) => ((await hasTables()) ? listRuns(store, query) : { runs: [] }),
    find,
    async timeline(runId, userId) {
      if ((await find(runId, userId)) === undefined) return undefined;
      return timelineOf(eventStore(pool, sealer), runId);
    },
    async kept(runIds, userId) {
      if (!(await hasTables())) return [];
      const { rows } = await pool.query<{ id: string }>(
        `SELECT id FROM ${SCHEMA}.run WHERE id = ANY($1) AND user_id = $2`,
        [runIds, userId],
      );
      return rows.map(({ id }) => id);
    },
    schedules: async (userId) => ((await hasTables()) ? schedules.list(userId) : []),
    async removeSchedulesOf(owner) {
      if (await hasTables()) await schedules.removeAllOf(owner);
    },
    resealSchedules: async () => ((await hasTables()) ? schedules.reseal() : { resealed: 0, lost: 0 }),
    async openOf(userId) {
      if (!(await hasTables())) return { count: 0, bytes: 0 };
      const { rows } = await pool.query<{ count: number; bytes: string }>(
        `SELECT count(*)::int AS count, coalesce(sum(pg_column_size(flow) + pg_column_size(request)), 0) AS bytes
         FROM ${SCHEMA}.run WHERE finished_at IS NULL AND user_id = $1`,
        [userId],
      );
      return { count: rows[0]?.count ?? 0, bytes: Number(rows[0]?.bytes ?? 0) };
    },
    async load() {
      if (!(await hasTables())) return { open: {}, workers: [] };
      const { rows } = await pool.query<{ status: DurableRunStatus; count: number }>(
        `SELECT status, count(*)::int AS count FROM ${SCHEMA}.run
         WHERE finished_at IS NULL AND worker_group = $1 GROUP BY status`,
        [group],
      );
      const { rows: workers } = await pool.query<WorkerState>(
        `SELECT e.name, e.beat_at AS "seenAt", count(r.id)::int AS running FROM ${SCHEMA}.executor e
         LEFT JOIN ${SCHEMA}.run r ON r.executor = e.id AND r.status = 'running' AND r.finished_at IS NULL
         GROUP BY e.id ORDER BY e.name`,
      );
      return { open: Object.fromEntries(rows.map(({ status, count }) => [status, count])), workers };
    },
    async needsWorker(finishedBefore, maxBytesOfUser = Number.MAX_SAFE_INTEGER) {
      if (!(await hasTables())) return false;
      const { rows } = await pool.query<{ needed: boolean }>(
        `SELECT EXISTS (SELECT FROM ${SCHEMA}.run WHERE finished_at IS NULL AND status IN ('queued', 'running')
             AND worker_group = $2)
           OR EXISTS (SELECT FROM ${SCHEMA}.schedule WHERE next_at IS NOT NULL AND worker_group = $2)
           OR EXISTS (SELECT FROM ${SCHEMA}.run WHERE finished_at < $1)
           OR EXISTS (SELECT FROM ${SCHEMA}.run WHERE finished_at IS NOT NULL
             GROUP BY user_id HAVING count(*) > 1 AND sum(${MEASURED_OR_LEAST}) > $3) AS needed`,
        [finishedBefore, group, maxBytesOfUser],
      );
      return rows[0]?.needed === true;
    },
  };
}
