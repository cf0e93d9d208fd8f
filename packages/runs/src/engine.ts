import type { DBOS, DBOSConfig } from '@dbos-inc/dbos-sdk';
import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';
import { RunError } from './errors.ts';
import { createQueuePoller, type QueuePoller } from './queue-poller.ts';
import type { Sealer } from './sealer.ts';
import { DBOS_SCHEMA } from './tables.ts';

const WORKFLOW = 'croft_run';
const QUEUE = 'croft_runs';
/** DBOS's own looks at the queue: a last resort; see `queue-poller.ts`. */
const DBOS_POLL_MS = 60_000;
/** The channel on which workers hear that a run was queued, with their group. */
export const QUEUED_CHANNEL = 'croft_runs_queued';
const APP = 'croft';
/**
 * The protocol between processes of different builds. Raise it only when an attempt that an older build queued cannot be
 * run by this build: DBOS gives an attempt to workers of its version only.
 */
const PROTOCOL_VERSION = '1';
/** Of a group of workers: DBOS gives them no attempts of others. */
const versionOf = (group: string): string => (group === '' ? PROTOCOL_VERSION : `${PROTOCOL_VERSION}.${group}`);
/** DBOS wants an address beside the pool that it uses; nothing connects to it. */
const UNUSED_URL = 'postgresql://croft@localhost:5432/croft';

/** One start of a run. */
export interface Attempt {
  readonly runId: string;
  readonly attempt: number;
}

/** Runs work as a step of the attempt, or gives the recorded result. The result must be JSON. */
export type RunStep = <Result>(name: string, work: () => Promise<Result>) => Promise<Result>;

export interface WorkerOptions {
  readonly executor: string;
  readonly group: string;
  /** Runs at once in this process. */
  readonly maxRuns: number;
  /** Runs of one user at once, over all workers. */
  readonly maxRunsPerUser: number;
  /** Between looks at the queue while this process runs attempts. */
  readonly pollMs: number;
  /** Runs an attempt to its end. Must not throw. */
  execute(attempt: Attempt, step: RunStep): Promise<void>;
}

/** The durable engine: attempts in a queue, and their recorded steps. */
export interface Engine {
  /**
   * Queues an attempt for a group of workers, in the caller's transaction. Attempts of one user have a partition of the queue.
   */
  enqueue(client: pg.ClientBase, attempt: Attempt, userId: string, group: string): Promise<void>;
  /** Looks at the queue now. Does nothing in a process without a worker. */
  look(): void;
  /** The recorded results of an attempt by step name. */
  steps(attempt: Attempt): Promise<ReadonlyMap<string, unknown>>;
  /** Takes an attempt from the queue, or from its worker: a worker that still runs it can record nothing more. */
  cancel(attempts: readonly Attempt[]): Promise<void>;
  /** Removes attempts with their steps. */
  remove(attempts: readonly Attempt[]): Promise<void>;
  /** Takes no more attempts, waits up to `waitMs` for those under way, and disconnects. */
  close(waitMs: number): Promise<void>;
}

const idOf = ({ runId, attempt }: Attempt): string => `${runId}.${attempt}`;

interface OwnWorker {
  readonly execute: WorkerOptions['execute'];
  poller?: QueuePoller;
}

let worker: OwnWorker | undefined;
let startAttempt: unknown;

/**
 * Starts the engine on a pool. Without `workerOptions` this process only queues attempts. DBOS is loaded here and not
 * before: loading it takes a fifth of a second.
 *
 * @throws RunError `second_worker`: DBOS is one per process
 */
export async function startEngine(
  pool: pg.Pool,
  sealer: Sealer,
  log: (line: string) => void,
  workerOptions?: WorkerOptions,
): Promise<Engine> {
  const dbos = await import('@dbos-inc/dbos-sdk');
  const shared = {
    systemDatabasePool: pool,
    systemDatabaseUrl: UNUSED_URL,
    systemDatabaseSchemaName: DBOS_SCHEMA,
    serializer: sealedJson(sealer),
    // Croft has schedules of its own.
    schedulerPollingIntervalMs: 60_000,
    // Of DBOS's messages and events, which Croft does not use. By default a timer of 10 ms.
    notificationCoalesceMs: 60_000,
    logger: quietLogger(log),
  };
  const poller = workerOptions && (await launch(dbos.DBOS, { ...shared, name: APP }, workerOptions));
  if (!poller) await migrate(dbos, shared);
  const client = await dbos.DBOSClient.create({ ...shared, applicationName: APP });
  return {
    async enqueue(transaction, attempt, userId, group) {
      const options = {
        queueName: QUEUE,
        workflowName: WORKFLOW,
        workflowID: idOf(attempt),
        queuePartitionKey: userId,
        appVersion: versionOf(group),
      };
      await client.enqueueInTransaction(transaction, options, attempt.runId, attempt.attempt);
      await transaction.query('SELECT pg_notify($1, $2)', [QUEUED_CHANNEL, group]);
    },
    look: () => poller?.look(),
    async steps(attempt) {
      const steps = (await client.listWorkflowSteps(idOf(attempt))) ?? [];
      return new Map(steps.map(({ name, output }) => [name, output]));
    },
    cancel: (attempts) => client.cancelWorkflows(attempts.map(idOf)),
    remove: (attempts) => client.deleteWorkflows(attempts.map(idOf)),
    async close(waitMs) {
      if (poller) {
        await poller.close();
        await dbos.DBOS.shutdown({ workflowCompletionTimeoutMS: waitMs });
        worker = undefined;
      }
      await client.destroy();
    },
  };
}

async function launch(dbos: typeof DBOS, config: DBOSConfig, options: WorkerOptions): Promise<QueuePoller> {
  if (worker) throw new RunError('second_worker', 'This process runs a worker already: one process has one worker.');
  const own: OwnWorker = { execute: (attempt, step) => options.execute(attempt, step) };
  worker = own;
  try {
    startAttempt ??= dbos.registerWorkflow(
      async (runId: string, attempt: number) => {
        // Steps are called from all branches of a flow; the snapshot gives each call the context of this workflow.
        const inWorkflow = AsyncLocalStorage.snapshot();
        const step: RunStep = (name, work) => inWorkflow(() => dbos.runStep(work, { name }));
        const { execute, poller } = worker ?? {};
        poller?.began();
        try {
          await execute?.({ runId, attempt }, step);
        } finally {
          poller?.ended();
        }
      },
      { name: WORKFLOW },
    );
    dbos.setConfig({ ...config, executorID: options.executor, applicationVersion: versionOf(options.group) });
    await dbos.launch();
    const queue = await dbos.registerQueue(QUEUE, {
      workerConcurrency: options.maxRuns,
      partitionConcurrency: options.maxRunsPerUser,
      minPollingIntervalMs: DBOS_POLL_MS,
      onConflict: 'always_update',
    });
    own.poller = await createQueuePoller(queue, options.pollMs);
    return own.poller;
  } catch (error) {
    worker = undefined;
    throw error;
  }
}

/**
 * Creates DBOS's tables for a process that only queues: a worker may start later. Always, because a process that was killed
 * meanwhile left some of them. A worker of this process has made them.
 */
async function migrate(dbos: { DBOS: typeof DBOS }, shared: Omit<DBOSConfig, 'name'>): Promise<void> {
  if (worker !== undefined) return;
  dbos.DBOS.setConfig({ ...shared, name: APP, applicationVersion: PROTOCOL_VERSION, listenQueues: [] });
  await dbos.DBOS.launch();
  await dbos.DBOS.shutdown();
}

/** Checkpoints as encrypted JSON. */
function sealedJson(sealer: Sealer) {
  return {
    name: () => 'croft',
    stringify: (value: unknown) => sealer.seal(JSON.stringify(value ?? null)),
    parse: (text: string | null | undefined): unknown =>
      text === null || text === undefined ? null : JSON.parse(sealer.open(text)),
  };
}

/** DBOS reports what it does; only its warnings are of use. They name ids, never values. */
function quietLogger(log: (line: string) => void) {
  const line = (entry: unknown) => log(`DBOS: ${entry instanceof Error ? entry.message : String(entry)}`);
  return { info: () => {}, debug: () => {}, warn: line, error: line };
}
