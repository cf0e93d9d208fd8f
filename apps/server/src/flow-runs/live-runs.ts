import { randomUUID } from 'node:crypto';
import { createEventLog, type EventLog } from '@croft/event-log';
import type { StartedBy } from '../contract/run-starts.ts';
import { createEndedRuns } from './ended-runs.ts';
import type { Timeline } from './run-timeline.ts';
import { type RunRequest, type RunOutcome, type LiveRunOptions, execute } from './execute-live-run.ts';

/** A run of this process, under way or ended a few minutes ago. */
export interface LiveRun {
  readonly id: string;
  readonly userId: string;
  readonly flowId: string;
  readonly flowName: string;
  readonly startedBy: StartedBy;
  readonly requestedAt: Date;
  /** The id of the event before the first one. */
  readonly firstEventId: string;
  /** The latest events; `run_finished` is the last one. */
  readonly log: EventLog;
  readonly isOver: () => boolean;
  readonly outcome: Promise<RunOutcome>;
  /** The nodes so far; undefined before the run has its slot. */
  readonly timeline: () => Timeline | undefined;
  cancel(): void;
}

/** Runs of flows in this process. */
export interface LiveRuns {
  /** Starts a run; it waits for its slot. @throws Problem `busy` where too many runs of the user wait */
  start(request: RunRequest): LiveRun;
  /** A run of this user, for five minutes after its end. */
  find(userId: string, id: string): LiveRun | undefined;
  /** Runs of all users that have not ended. */
  count(): number;
  /** The users with runs that have not ended. */
  users(): string[];
  /** Cancels all runs of a user, whose access ended. */
  cancelFor(userId: string): void;
  /** Cancels all runs and waits for their ends. */
  close(): Promise<void>;
}

const KEPT_EVENTS = { maxEvents: 10_000, maxBytes: 512 * 1024 };
const KEPT_MS = 5 * 60_000;
const MAX_ENDED = { ofUser: 20, ofServer: 200 };

/** Events stay in memory, bounded, so that a reader can leave and resume by id; history is in the database. */
export function createLiveRuns(options: LiveRunOptions): LiveRuns {
  const runs = new Map<string, LiveRun & { readonly end: () => void }>();
  const forget = (id: string) => {
    runs.get(id)?.end();
    runs.delete(id);
  };
  const ended = createEndedRuns(MAX_ENDED, forget);
  const keepAWhile = ({ id, userId }: LiveRun) => {
    ended.add(userId, id);
    setTimeout(() => {
      ended.remove(userId, id);
      forget(id);
    }, KEPT_MS).unref();
  };
  return {
    start(request) {
      const { bytes } = request;
      options.slots.requireRoom(request.actor.userId, bytes);
      const id = randomUUID();
      const stop = new AbortController();
      const log = createEventLog(KEPT_EVENTS);
      let isOver = false;
      const timeline: { read?: () => Timeline } = {};
      const run = {
        id,
        userId: request.actor.userId,
        flowId: request.flowId,
        flowName: request.flow.name,
        startedBy: request.startedBy,
        requestedAt: new Date(),
        firstEventId: log.lastId,
        log,
        isOver: () => isOver,
        outcome: execute(id, request, { ...options, bytes, events: log, timeline, signal: stop.signal }).finally(() => {
          isOver = true;
          run.outcome = withoutOutputs(run.outcome);
          keepAWhile(run);
        }),
        timeline: () => timeline.read?.(),
        cancel: () => stop.abort(),
        end: () => log.close('closed'),
      };
      // A reader of events may not wait for the outcome.
      run.outcome.catch(() => undefined);
      runs.set(id, run);
      return run;
    },
    count: () => [...runs.values()].filter(({ isOver }) => !isOver()).length,
    find(userId, id) {
      const run = runs.get(id);
      return run?.userId === userId ? run : undefined;
    },
    users: () => [...runs.values()].flatMap(({ isOver, userId }) => (isOver() ? [] : [userId])),
    cancelFor(userId) {
      for (const run of runs.values()) if (run.userId === userId) run.cancel();
    },
    async close() {
      for (const run of runs.values()) run.cancel();
      await Promise.allSettled([...runs.values()].map(({ outcome }) => outcome));
      for (const id of runs.keys()) forget(id);
    },
  };
}

/** The end of a run that is kept for its events: large outputs of many runs would take the memory of the server. */
function withoutOutputs(outcome: Promise<RunOutcome>): Promise<RunOutcome> {
  const small = outcome.then((each) => ({ ...each, answer: '', outputs: {} }));
  small.catch(() => undefined);
  return small;
}
