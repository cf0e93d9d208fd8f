import type { LoggedEvent } from '@croft/event-log';
import type { ComponentRegistry } from '@croft/flow';
import type pg from 'pg';
import type { RunContext, RunServices } from './execute-run.ts';
import type { ListRuns, RunPage, Timeline } from './history.ts';
import type { RepeatPolicy, StepFacts } from './repeat-policy.ts';
import type { Answer, DurableRunStatus, RunDetails, RunRequest } from './run.ts';
import type { Sealer } from './sealer.ts';
import type { Schedule, ScheduleChange, ScheduleState } from './triggers/schedules.ts';

/** How a worker takes runs. */
export interface WorkerSettings<Services> {
  /** The same after a restart of the same worker, and of no other worker: its start continues the runs that it left. */
  readonly name: string;
  readonly registry: ComponentRegistry<Services>;
  /** Builds the services of one run. The values of secrets come in here, by name, and are stored nowhere. */
  services(context: RunContext): RunServices<Services> | Promise<RunServices<Services>>;
  /** Runs at once in this process. 16 unless given. */
  readonly maxRuns?: number;
  /** Runs of one user at once, over all workers. 4 unless given. */
  readonly maxRunsPerUser?: number;
  /**
   * The flow of a schedule as it is now, with inputs for a run that is due at a time. Null where it may not run now;
   * undefined where it is gone, which deletes the schedule. Without this function, the worker starts no scheduled runs.
   */
  flowOf?(schedule: Schedule, due: Date): Promise<Pick<RunRequest, 'flow' | 'inputs'> | null | undefined>;
  /** Which interrupted steps may run again. By their effects unless given. */
  policy?(facts: StepFacts): RepeatPolicy;
  /**
   * How often the queue is looked at while this worker runs something; 100 ms unless given. An idle worker waits for a
   * notification of the database, and looks with each heartbeat.
   */
  readonly pollMs?: number;
  /** How often this worker shows that it lives. 2 s unless given. */
  readonly beatMs?: number;
  /** After this long without a heartbeat its runs continue elsewhere. 8 s unless given. */
  readonly deadAfterMs?: number;
}

export interface OpenRunsOptions<Services> {
  /** The address or the settings of a PostgreSQL database. */
  readonly database: string | pg.ClientConfig;
  readonly sealer: Sealer;
  /**
   * Letters and digits. Runs and schedules go to workers of the group that stored them: give workers one group if they have
   * the same files. Empty unless given.
   */
  readonly group?: string;
  /** Absent in a process that queues and shows runs, and runs none. */
  readonly worker?: WorkerSettings<Services>;
  /** Called with lines for the operator: ids and reasons, never values. */
  readonly log?: (line: string) => void;
}

/** Durable runs of flows. */
export interface Runs {
  /** Queues a run and returns its id. Any worker on this database runs it. */
  enqueue(request: RunRequest): Promise<string>;
  list(query: ListRuns): Promise<RunPage>;
  /** @throws RunError `unknown_run` where the user has no such run; so do the functions below */
  get(runId: string, userId: string): Promise<RunDetails>;
  timeline(runId: string, userId: string): Promise<Timeline>;
  /**
   * The events of a run after an id, and then those to come, until the run is finished; `run_finished` comes when `get` says
   * so too. The id is that of any event, or absent for all. Returns `gone` where the id belongs to no event of the run.
   */
  events(
    runId: string,
    userId: string,
    options?: { readonly after?: string | undefined; readonly signal?: AbortSignal },
  ): AsyncGenerator<readonly LoggedEvent[], 'over' | 'left' | 'gone', void>;
  /** Waits until the run has one of these statuses: the final ones, unless given. */
  wait(runId: string, userId: string, options?: WaitOptions): Promise<RunDetails>;
  /** Cancels a run. Does nothing to a finished one. */
  cancel(runId: string, userId: string): Promise<void>;
  /** Cancels all runs of a user that have not ended. */
  cancelAll(userId: string): Promise<void>;
  /** Removes a run with everything stored of it. Returns false if the run has not ended. */
  remove(runId: string, userId: string): Promise<boolean>;
  /**
   * Answers a question and continues the run.
   *
   * @throws RunError `unknown_question`, `already_answered`, `not_open` where the run has ended, `invalid_request`
   */
  answer(runId: string, userId: string, key: string, answer: Answer): Promise<void>;
  /**
   * Decides about the effect at which a run stopped: `repeat` runs the step again, `skip` leaves its outputs out.
   *
   * @throws RunError `not_open`
   */
  decide(runId: string, userId: string, key: string, decision: 'repeat' | 'skip'): Promise<void>;
  /** Times at which workers start runs. */
  readonly schedules: Schedules;
  /**
   * Removes finished runs that ended before a time, and the oldest ones of users whose runs take more bytes, with everything
   * stored of them. Returns their number.
   */
  prune(finishedBefore: Date, maxBytesOfUser?: number): Promise<number>;
  /** Hands runs under way to other workers, or to the next start, and disconnects. */
  close(): Promise<void>;
}

/** The schedules of users. */
export interface Schedules {
  /** Adds or replaces a schedule. @throws RunError `invalid_request` */
  set(schedule: Schedule): Promise<void>;
  /** Returns false where the user has no such schedule. @throws RunError `invalid_request` */
  change(id: string, userId: string, change: ScheduleChange): Promise<boolean>;
  /** Returns false where the user has no such schedule. Runs that it started stay. */
  remove(id: string, userId: string): Promise<boolean>;
  /** One that cannot be read has no `schedule` and a `failure`. */
  list(userId: string): Promise<ScheduleState[]>;
}

export interface WaitOptions {
  readonly statuses?: readonly DurableRunStatus[];
  readonly signal?: AbortSignal;
}
