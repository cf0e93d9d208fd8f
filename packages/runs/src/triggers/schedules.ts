import type pg from 'pg';
import { RunError } from '../errors.ts';
import type { Sealer } from '../sealer.ts';
import { SCHEMA } from '../tables.ts';
import { nextTime, type Timing } from './next-time.ts';

/** Starts runs of a stored flow at times. */
export interface Schedule extends Timing {
  readonly id: string;
  readonly userId: string;
  readonly flowId: string;
  readonly isOn: boolean;
  /** Times that passed while no worker ran: none of them starts a run, or one run starts for all of them. */
  readonly missed: 'skip' | 'once';
  /** A time at which the run before is not finished: starts no run, or one beside it. */
  readonly overlap: 'skip' | 'start';
}

/** New values of a schedule. The others stay. */
export type ScheduleChange = Partial<Omit<Schedule, 'id' | 'userId' | 'flowId'>>;

/** A schedule and its state. */
export interface ScheduleState {
  readonly id: string;
  /** Null where it cannot be read: `failure` says why. */
  readonly schedule: Schedule | null;
  readonly nextAt: Date | null;
  readonly lastAt: Date | null;
  readonly lastRun: string | null;
  /** Why the last time started no run. The schedule tries again each minute. */
  readonly failure: string | null;
}

/** Schedules that are removed together. */
export type ScheduleOwner = { readonly flowId: string } | { readonly userId: string };

interface Row {
  id: string;
  definition: string;
  next_at: Date | null;
  last_at: Date | null;
  last_run: string | null;
  retry_at: Date | null;
  failure: string | null;
}

/** A time at which a schedule starts a run. */
export interface DueTime {
  readonly due: Date;
  /** When the try after a failure is due. */
  readonly retryAt: Date | null;
  readonly lastRun: string | null;
}

type Start = (schedule: Schedule, at: DueTime) => Promise<string | null | undefined>;

const COLUMNS = 'id, definition, next_at, last_at, last_run, retry_at, failure';
/** Until a schedule that failed is tried again. */
const RETRY_MS = 60_000;

/** Schedules in the database. Their definitions are encrypted. */
export class ScheduleStore {
  readonly pool: pg.Pool;
  readonly #sealer: Sealer;
  readonly #group: string;

  constructor(pool: pg.Pool, sealer: Sealer, group = '') {
    this.pool = pool;
    this.#sealer = sealer;
    this.#group = group;
  }

  /**
   * Adds or replaces a schedule of a user; its next time counts from `now`.
   *
   * @throws RunError `invalid_request` for a wrong timing, one that has no next time, and the id of another user's schedule
   */
  async set(schedule: Schedule, now: Date): Promise<void> {
    const next = firstTime(schedule, now);
    const { rowCount } = await this.pool.query(
      `INSERT INTO ${SCHEMA}.schedule (id, user_id, definition, next_at, worker_group, flow_id)
       VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (id) DO UPDATE SET definition = excluded.definition, next_at = excluded.next_at, failure = NULL,
         retry_at = NULL, flow_id = excluded.flow_id
       WHERE schedule.user_id = excluded.user_id`,
      [schedule.id, schedule.userId, this.#sealer.seal(JSON.stringify(schedule)), next, this.#group, schedule.flowId],
    );
    if (rowCount === 0) throw new RunError('invalid_request', 'Another schedule has this id.');
  }

  /**
   * Changes a schedule, and no other change of it is lost; its next time counts from `now`. Returns false where the user has no
   * such schedule.
   *
   * @throws RunError `invalid_request` for a wrong timing or one that has no next time, and as the sealer does
   */
  async change(id: string, userId: string, change: ScheduleChange, now: Date): Promise<boolean> {
    for (;;) {
      const { rows } = await this.pool.query<Row>(
        `SELECT ${COLUMNS} FROM ${SCHEMA}.schedule WHERE id = $1 AND user_id = $2`,
        [id, userId],
      );
      const [row] = rows;
      if (row === undefined) return false;
      const schedule = { ...this.#open(row), ...change };
      const { rowCount } = await this.pool.query(
        `UPDATE ${SCHEMA}.schedule SET definition = $3, next_at = $4, failure = NULL, retry_at = NULL, flow_id = $5
         WHERE id = $1 AND definition = $2`,
        [id, row.definition, this.#sealer.seal(JSON.stringify(schedule)), firstTime(schedule, now), schedule.flowId],
      );
      // Otherwise another change was faster.
      if (rowCount === 1) return true;
    }
  }

  /** Returns false where the user has no such schedule. Runs that it started stay. */
  async remove(id: string, userId: string): Promise<boolean> {
    const { rowCount } = await this.pool.query(`DELETE FROM ${SCHEMA}.schedule WHERE id = $1 AND user_id = $2`, [
      id,
      userId,
    ]);
    return rowCount === 1;
  }

  /** Removes all schedules of a flow, or of a user. Runs that they started stay. */
  async removeAllOf(owner: ScheduleOwner): Promise<void> {
    const [column, id] = 'flowId' in owner ? ['flow_id', owner.flowId] : ['user_id', owner.userId];
    await this.pool.query(`DELETE FROM ${SCHEMA}.schedule WHERE ${column} = $1`, [id]);
  }

  /** The schedules of a user, the next one first. One that cannot be read says so. */
  async list(userId: string): Promise<ScheduleState[]> {
    const { rows } = await this.pool.query<Row>(
      `SELECT ${COLUMNS} FROM ${SCHEMA}.schedule WHERE user_id = $1 ORDER BY next_at, id LIMIT 1000`,
      [userId],
    );
    return rows.map((row) => this.#stateOf(row));
  }

  /**
   * Calls `start` for the schedules that are due, one process at a time for each schedule, and stores when they are due
   * next. `start` gives the run's id, null where it starts none, or undefined where the flow is gone: this deletes the
   * schedule. It may be called twice for one time after a crash. A schedule that fails keeps its reason and is tried again
   * after a minute; the others go on.
   */
  async takeDue(now: Date, limit: number, start: Start, log: (line: string) => void): Promise<number> {
    const client = await this.pool.connect();
    try {
      await client.query('BEGIN');
      const { rows } = await client.query<Row>(
        `SELECT ${COLUMNS} FROM ${SCHEMA}.schedule WHERE next_at <= $1 AND (retry_at IS NULL OR retry_at <= $1)
           AND worker_group = $3 ORDER BY next_at LIMIT $2 FOR UPDATE SKIP LOCKED`,
        [now, limit, this.#group],
      );
      for (const row of rows) {
        const taken = await this.#take(row, now, start).catch((error: unknown) => ({ error }));
        if ('error' in taken) {
          const reason = taken.error instanceof Error ? taken.error.message : String(taken.error);
          log(`Schedule ${row.id} could not start its run: ${reason}`);
          await client.query(`UPDATE ${SCHEMA}.schedule SET failure = $2, retry_at = $3 WHERE id = $1`, [
            row.id,
            this.#sealer.seal(reason),
            new Date(now.getTime() + RETRY_MS),
          ]);
          continue;
        }
        if (taken.runId === undefined) {
          await client.query(`DELETE FROM ${SCHEMA}.schedule WHERE id = $1`, [row.id]);
          continue;
        }
        await client.query(
          `UPDATE ${SCHEMA}.schedule SET next_at = $2, last_at = coalesce($3, last_at), last_run = coalesce($4, last_run),
             failure = NULL, retry_at = NULL WHERE id = $1`,
          [row.id, taken.next, taken.runId === null ? null : row.next_at, taken.runId],
        );
      }
      await client.query('COMMIT');
      return rows.length;
    } catch (error) {
      await client.query('ROLLBACK').catch(() => {});
      throw error;
    } finally {
      client.release();
    }
  }

  /**
   * Encrypts what an earlier key sealed with the newest one. Returns how many schedules it changed, and how many no key opens:
   * these stay as they are.
   */
  async reseal(): Promise<{ readonly resealed: number; readonly lost: number }> {
    const { rows } = await this.pool.query<Row>(
      `SELECT ${COLUMNS} FROM ${SCHEMA}.schedule WHERE left(definition, length($1) + 1) <> $1 || '.'`,
      [this.#sealer.keyId],
    );
    let resealed = 0;
    for (const { id, definition, failure } of rows)
      try {
        const [text, reason] = [this.#sealer.open(definition), failure && this.#sealer.open(failure)];
        const { rowCount } = await this.pool.query(
          `UPDATE ${SCHEMA}.schedule SET definition = $3, failure = $4 WHERE id = $1 AND definition = $2`,
          [id, definition, this.#sealer.seal(text), reason && this.#sealer.seal(reason)],
        );
        resealed += rowCount ?? 0;
      } catch (error) {
        if (!(error instanceof RunError)) throw error;
      }
    return { resealed, lost: rows.length - resealed };
  }

  async #take(row: Row, now: Date, start: Start) {
    const schedule = this.#open(row);
    return {
      runId: await start(schedule, { due: row.next_at as Date, retryAt: row.retry_at, lastRun: row.last_run }),
      next: nextTime(schedule, now),
    };
  }

  #open({ definition }: Row): Schedule {
    return JSON.parse(this.#sealer.open(definition)) as Schedule;
  }

  #stateOf(row: Row): ScheduleState {
    const { id, next_at: nextAt, last_at: lastAt, last_run: lastRun, failure } = row;
    const times = { id, nextAt, lastAt, lastRun };
    try {
      return { ...times, schedule: this.#open(row), failure: failure === null ? null : this.#sealer.open(failure) };
    } catch (error) {
      if (!(error instanceof RunError)) throw error;
      return { ...times, schedule: null, failure: `${error.message} Or delete the schedule and add it again.` };
    }
  }
}

/** When a schedule that is set now is due; null while it is off. */
function firstTime(schedule: Schedule, now: Date): Date | null {
  const next = nextTime(schedule, now);
  if (next === null) throw new RunError('invalid_request', `'${schedule.cron}' never comes.`);
  return schedule.isOn ? next : null;
}
