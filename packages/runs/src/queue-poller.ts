import type { WorkflowQueue } from '@dbos-inc/dbos-sdk';
import { AsyncLocalStorage } from 'node:async_hooks';

/** At most this often: many runs that are queued at once are found together. */
const PAUSE_MS = 20;
/** Looks after the last run of this process: DBOS notes its end, which lets the user's next run start, a little later. */
const LOOKS_AFTER_RUN = 3;

/** Looks for queued runs when there is a reason to. DBOS itself only asks the database at intervals. */
export interface QueuePoller {
  /** Looks now, or soon after the look under way. */
  look(): void;
  /** Looks at intervals while this process runs attempts: each end may let another run of the same user start. */
  began(): void;
  ended(): void;
  /** Ends the look under way and starts no more. */
  close(): Promise<void>;
}

/** How often DBOS maintains queues that change, delayed workflows and its own queue: Croft uses none of these. */
const MAINTENANCE_MS = 60_000;

/** The part of DBOS's queue runner that is used here. Its types declare it private. Starts what is due, and logs failures. */
interface QueueRunner {
  pollQueue(executor: unknown, queue: WorkflowQueue): Promise<boolean>;
}

/** Call it outside of a workflow: what it starts gets the context of this call. */
export async function createQueuePoller(queue: WorkflowQueue, intervalMs: number): Promise<QueuePoller> {
  const [{ wfQueueRunner }, { DBOSExecutor }, { runWithAbortableDbRetries }, { INTERNAL_QUEUE_NAME }] =
    await Promise.all([
      import('@dbos-inc/dbos-sdk/internal/wfqueue'),
      import('@dbos-inc/dbos-sdk/internal/dbos-executor'),
      import('@dbos-inc/dbos-sdk/internal/context'),
      import('@dbos-inc/dbos-sdk/internal/utils'),
    ]);
  // DBOS has no settings for these. Every second, they would be most of what an idle worker does.
  Object.assign(wfQueueRunner.constructor, {
    reconcileIntervalMs: MAINTENANCE_MS,
    transitionIntervalMs: MAINTENANCE_MS,
  });
  const own = wfQueueRunner.getInternalQueue(INTERNAL_QUEUE_NAME);
  if (own) own.minPollingIntervalMs = MAINTENANCE_MS;
  const runner = wfQueueRunner as unknown as QueueRunner;
  const inCleanContext = AsyncLocalStorage.snapshot();
  const closed = new AbortController();
  let looking: Promise<unknown> | undefined;
  let isWanted = false;
  let running = 0;
  let looksLeft = 0;
  let timer: NodeJS.Timeout | undefined;
  let interval: NodeJS.Timeout | undefined;

  const poll = async () => {
    const executor = DBOSExecutor.globalInstance;
    if (executor !== undefined)
      await runWithAbortableDbRetries(closed.signal, () => runner.pollQueue(executor, queue)).catch(() => {});
  };
  const look = () => {
    isWanted = true;
    if (looking !== undefined || timer !== undefined || closed.signal.aborted) return;
    isWanted = false;
    looking = inCleanContext(poll).then(() => {
      looking = undefined;
      if (closed.signal.aborted) return;
      timer = setTimeout(() => {
        timer = undefined;
        if (isWanted) look();
      }, PAUSE_MS);
      timer.unref();
    });
  };
  const tick = () => {
    look();
    if (running > 0 || --looksLeft > 0) return;
    clearInterval(interval);
    interval = undefined;
  };
  return {
    look,
    began() {
      running++;
      looksLeft = LOOKS_AFTER_RUN;
      interval ??= inCleanContext(() => setInterval(tick, intervalMs).unref());
    },
    ended() {
      running--;
    },
    async close() {
      closed.abort();
      clearTimeout(timer);
      clearInterval(interval);
      await looking;
    },
  };
}
