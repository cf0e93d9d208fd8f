import type { FlowComponents } from '../components/flow-components.ts';
import type { Settings } from '../config/settings.ts';
import type { FilesOfCallers } from '../files/caller-files.ts';
import { dropOldDeletedFlows } from '../flows/deleted-flows.ts';
import type { Job } from '../jobs.ts';
import type { Log } from '../log.ts';
import { isNotYet } from '../readiness.ts';
import type { Db } from '../store/database.ts';
import type { Variables } from '../variables/variables.ts';
import { dropOldDrafts } from '../vectors/known-vectors.ts';
import { type AllRuns, createAllRuns } from './all-runs.ts';
import { dropUnusedOutputs } from './frozen-outputs.ts';
import { cleanUp } from './clean-up.ts';
import { createLiveRuns, type LiveRuns } from './live-runs.ts';
import type { QueuedRunOptions } from './queued-run-options.ts';
import { createQueuedRuns, type QueuedRuns } from './queued-runs.ts';
import { createRunHistory, type RunHistory } from './run-history.ts';
import { createRunServices, createSecretsOf, type RunServiceOptions } from './run-services.ts';
import { createRunSlots } from './run-slots.ts';
import {
  approvedFlowFrom,
  readFlowFrom,
  type ReadFlow,
  refusedToPrograms,
  type StartOptions,
} from './start-stored-flow.ts';

const MIB = 1024 * 1024;
const SLOTS = {
  ofUser: 4,
  ofServer: 16,
  waitingOfUser: 100,
  waitingBytes: { ofUser: 16 * MIB, ofServer: 64 * MIB },
};
const DAY_MS = 86_400_000;
const SWEEP_MS = 3_600_000;

export interface OpenFlowRunsOptions
  extends Pick<QueuedRunOptions, 'database' | 'runThread' | 'sealer' | 'workerGroup' | 'workerName'> {
  readonly flowComponents: FlowComponents;
  readonly files: Pick<FilesOfCallers, 'open'>;
  readonly log: Log;
  readonly machineTools: RunServiceOptions['machineTools'];
  readonly settings: RunServiceOptions['settings'] & Pick<Settings, 'runHistoryBytes' | 'runRetentionDays'>;
  readonly storage: () => Promise<Db>;
  readonly variables: Pick<Variables, 'open'>;
}

/** Runs of stored flows, in this process. */
export interface FlowRuns extends StartOptions {
  readonly liveRuns: LiveRuns;
  readonly runHistory: RunHistory;
  readonly queuedRuns: QueuedRuns;
  readonly allRuns: AllRuns;
  /** For runs that start by themselves. */
  readonly readApproved: ReadFlow;
  /** For runs of programs with an API key. */
  readonly readForPrograms: ReadFlow;
  /** Cancels the runs of a user whose access ended; queued ones only if the user was disabled or removed. */
  cancelFor(userId: string): Promise<void>;
  /** Tells the thread of queued runs that files of a user changed; of all users if it is undefined. */
  filesChanged(userId: string | undefined): void;
  /** Cancels direct runs and hands queued ones over. Stop it before the connections, because clients wait for results. */
  readonly job: Job;
}

/** Puts the parts of runs together. Removes old runs, and flows that were deleted long ago, at the start and every hour. */
export function openFlowRuns(options: OpenFlowRunsOptions): FlowRuns {
  const { flowComponents, log, settings, storage } = options;
  const { runHistoryBytes: historyBytes } = settings;
  const retentionMs = settings.runRetentionDays * DAY_MS;
  const runHistory = createRunHistory(options.workerGroup === '' ? lostEndedIn(storage) : storage, historyBytes);
  const openServices = createRunServices(options);
  const liveRuns = createLiveRuns({ slots: createRunSlots(SLOTS), openServices, history: runHistory, log });
  const secretsOf = createSecretsOf(options);
  const readApproved = approvedFlowFrom(storage);
  const queuedRuns = createQueuedRuns({
    ...options,
    autoLogin: settings.autoLogin,
    openServices,
    secretsOf,
    readApproved,
    retentionMs,
    historyBytes,
  });
  const sweep = async () => {
    const unused = new Date(Date.now() - retentionMs);
    await cleanUp(
      [
        () => runHistory.removeBefore(unused),
        () => runHistory.removeLarge(),
        async () => dropUnusedOutputs(await storage(), unused),
        async () => dropOldDeletedFlows(await storage(), new Date()),
        async () => dropOldDrafts(await storage(), new Date()),
      ],
      (error) => {
        if (!isNotYet(error))
          log.warn({ err: error }, 'old runs and flows could not be deleted; the next try is in an hour');
      },
    );
  };
  let timer: NodeJS.Timeout | undefined;
  return {
    flowComponents,
    liveRuns,
    runHistory,
    queuedRuns,
    allRuns: createAllRuns(runHistory, liveRuns, queuedRuns),
    async cancelFor(userId) {
      liveRuns.cancelFor(userId);
      await queuedRuns
        .cancelFor(userId)
        .catch((error: unknown) => log.error({ err: error }, 'queued runs of a user could not be cancelled'));
    },
    readFlow: readFlowFrom(storage),
    readApproved,
    readForPrograms: approvedFlowFrom(storage, refusedToPrograms),
    filesChanged: (userId) => options.runThread?.filesChanged(userId),
    job: {
      name: 'runs of flows',
      start() {
        void sweep();
        queuedRuns.start();
        timer = setInterval(() => void sweep(), SWEEP_MS).unref();
      },
      async stop() {
        clearInterval(timer);
        await Promise.all([liveRuns.close(), queuedRuns.stop()]);
      },
    },
  };
}

/**
 * The embedded database, after the direct runs of earlier processes have ended in it: only one process uses it, so that a run
 * without an end is lost. Pages would follow it until its time limit otherwise.
 */
function lostEndedIn(storage: () => Promise<Db>): () => Promise<Db> {
  const startedAt = new Date();
  let ending: Promise<void> | undefined;
  return async () => {
    ending ??= createRunHistory(storage, 0).endLost(startedAt);
    await ending.catch((error: unknown) => {
      ending = undefined;
      throw error;
    });
    return storage();
  };
}
