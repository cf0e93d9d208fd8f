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

/** A schedule and its state. */
export interface ScheduleState {
  readonly schedule: Schedule;
  readonly nextAt: Date | null;
  readonly lastAt: Date | null;
  readonly lastRun: string | null;
}

interface Row {
  definition: string;
  next_at: Date | null;
  last_at: Date | null;
  last_run: string | null;
}

const COLUMNS = 'definition, next_at, last_at, last_run';

/** Schedules in the database. Their definitions are encrypted. */
export class ScheduleStore {
  readonly pool: pg.Pool;
  readonly #sealer: Sealer;

  constructor(pool: pg.Pool, sealer: Sealer) {
    this.pool = pool;
    this.#sealer = sealer;
  }

  /**
   * Adds or replaces a schedule of a user; its next time counts from `now`.
   *
   * @throws RunError `invalid_request` for a wrong timing, one that has no next time, and the id of another user's schedule
   */
  async set(schedule: Schedule, now: Date): Promise<void> {
    const next = nextTime(schedule, now);
    if (next === null) throw new RunError('invalid_request', `'${schedule.cron}' never comes.`);
    const { rowCount } = await this.pool.query(
      `INSERT INTO ${SCHEMA}.schedule (id, user_id, definition, next_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT (id) DO UPDATE SET definition = excluded.definition, next_at = excluded.next_at
       WHERE schedule.user_id = excluded.user_id`,
      [schedule.id, schedule.userId, this.#sealer.seal(JSON.stringify(schedule)), schedule.isOn ? next : null],
    );
    if (rowCount === 0) throw new RunError('invalid_request', 'Another schedule has this id.');
  }

  /** Returns false where the user has no such schedule. Runs that it started stay. */
  async remove(id: string, userId: string): Promise<boolean> {
    const { rowCount } = await this.pool.query(`DELETE FROM ${SCHEMA}.schedule WHERE id = $1 AND user_id = $2`, [
      id,
      userId,
    ]);
    return rowCount === 1;
  }

  /** The schedules of a user, the next one first. */
  async list(userId: string): Promise<ScheduleState[]> {
    const { rows } = await this.pool.query<Row>(
      `SELECT ${COLUMNS} FROM ${SCHEMA}.schedule WHERE user_id = $1 ORDER BY next_at, id LIMIT 1000`,
      [userId],
    );
    return rows.map((row) => this.#stateOf(row));
  }

  /**
   * Calls `start` for the schedules that are due, one process at a time for each schedule, and stores when they are due
   * next. `start` gives the run's id, or null where it starts none. It may be called twice for one time after a crash.
   */
  async takeDue(now: Date, limit: number, start: (state: ScheduleState) => Promise<string | null>): Promise<number> {
    const client = await this.pool.connect();
    try {
      await client.query('BEGIN');
      const { rows } = await client.query<Row>(
        `SELECT ${COLUMNS} FROM ${SCHEMA}.schedule WHERE next_at <= $1 ORDER BY next_at LIMIT $2 FOR UPDATE SKIP LOCKED`,
        [now, limit],
      );
      for (const row of rows) {
        const state = this.#stateOf(row);
        const runId = await start(state);
        await client.query(
          `UPDATE ${SCHEMA}.schedule SET next_at = $2, last_at = coalesce($3, last_at), last_run = coalesce($4, last_run)
           WHERE id = $1`,
          [state.schedule.id, nextTime(state.schedule, now), runId === null ? null : state.nextAt, runId],
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

  #stateOf({ definition, next_at: nextAt, last_at: lastAt, last_run: lastRun }: Row): ScheduleState {
    return { schedule: JSON.parse(this.#sealer.open(definition)) as Schedule, nextAt, lastAt, lastRun };
  }
}
