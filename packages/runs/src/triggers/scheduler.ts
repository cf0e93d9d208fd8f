import { setTimeout as sleep } from 'node:timers/promises';
import { FINISHED, type DurableRunStatus, type RunRequest } from '../run.ts';
import { SCHEMA } from '../tables.ts';
import type { DueTime, Schedule, ScheduleStore } from './schedules.ts';

/** A time that is late by less than this counts as met: workers look once a second. */
const LATE_MS = 60_000;
const LOOK_MS = 1_000;
const BATCH = 50;

export interface SchedulerOptions {
  readonly schedules: ScheduleStore;
  /** As in `WorkerSettings`. */
  flowOf(schedule: Schedule, due: Date): Promise<Pick<RunRequest, 'flow' | 'input' | 'inputs'> | null | undefined>;
  enqueue(request: RunRequest): Promise<string>;
  now(): Date;
  log(line: string): void;
}

/** Starts runs at their times, until it is stopped. Any number of workers may do so at once. Tests set the rest. */
export function startScheduler(
  options: SchedulerOptions,
  lookMs = LOOK_MS,
  stopping = new AbortController(),
): { stop(): Promise<void> } {
  const look = async () => {
    while (!stopping.signal.aborted) {
      const taken = await startDueRuns(options).catch((error: unknown) => {
        options.log(`Schedules could not be checked: ${error instanceof Error ? error.message : String(error)}`);
        return 0;
      });
      if (taken === BATCH) continue;
      await sleep(lookMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  };
  const looking = look();
  return {
    stop: () => {
      stopping.abort();
      return looking;
    },
  };
}

/** Starts the runs that are due now. Returns the number of schedules that were due. */
export function startDueRuns(options: SchedulerOptions): Promise<number> {
  const now = options.now();
  return options.schedules.takeDue(
    now,
    BATCH,
    (schedule, at) => startRun(options, schedule, { ...at, now }),
    options.log,
  );
}

async function startRun(
  { schedules, flowOf, enqueue, log }: SchedulerOptions,
  schedule: Schedule,
  { due, retryAt, lastRun, now }: DueTime & { readonly now: Date },
): Promise<string | null | undefined> {
  // A worker ran at a time that failed: only its next try can be missed.
  if (schedule.missed === 'skip' && now.getTime() - (retryAt ?? due).getTime() > LATE_MS) return null;
  if (schedule.overlap === 'skip' && lastRun !== null && !(await isOver(schedules, lastRun))) return null;
  const found = await flowOf(schedule, due);
  if (found === undefined) log(`Schedule ${schedule.id} was deleted: its flow is gone.`);
  if (found === undefined || found === null) return found;
  const { userId, flowId, id } = schedule;
  return enqueue({ ...found, userId, flowId, source: 'schedule', triggerKey: `schedule:${id}:${due.toISOString()}` });
}

async function isOver({ pool }: ScheduleStore, runId: string): Promise<boolean> {
  const { rows } = await pool.query<{ status: DurableRunStatus }>(`SELECT status FROM ${SCHEMA}.run WHERE id = $1`, [
    runId,
  ]);
  return rows[0] === undefined || FINISHED.has(rows[0].status);
}
