// The public surface, listed by hand: an export added here becomes API.
export { RunError, type RunErrorCode } from './errors.ts';
export type { RunContext, RunServices } from './execute-run.ts';
export type { ListRuns, RunPage, Timeline, TimelineEntry } from './history.ts';
export { openRuns } from './open-runs.ts';
export type { OpenRunsOptions, Runs, Schedules, WaitOptions, WorkerSettings } from './runs.ts';
export type { Asking } from './questions.ts';
export { createRunReader, type RunReader } from './reader.ts';
export { repeatByEffect, type RepeatPolicy, type StepFacts } from './repeat-policy.ts';
export {
  firstEventId,
  type Answer,
  type DurableRunEvent,
  type DurableRunStatus,
  type Question,
  type RunDetails,
  type RunRequest,
  type RunSummary,
} from './run.ts';
export { createSealer, type Sealer, type SealingKey } from './sealer.ts';
export { nextTime, type Timing } from './triggers/next-time.ts';
export type { Schedule, ScheduleChange, ScheduleOwner, ScheduleState } from './triggers/schedules.ts';
