import { setMaxListeners } from 'node:events';
import type { Services } from '@croft/components';
import type { ComponentRegistry, FlowDocument, Json } from '@croft/flow';
import type { RunContext, RunReader, Runs, RunServices as WorkerServices, Sealer } from '@croft/runs';
import type pg from 'pg';
import type { Log } from '../log.ts';
import { problem } from '../routes/route.ts';
import type { Db } from '../store/database.ts';
import { getUser } from '../store/users.ts';
import { requireRunnable } from './run-request.ts';
import type { OpenRunServices } from './run-services.ts';
import type { ReadFlow } from './start-stored-flow.ts';

/** A run to queue. The inputs are checked; see `run-request.ts`. */
export interface QueueRequest {
  readonly userId: string;
  readonly flowId: string;
  readonly flow: FlowDocument;
  readonly inputs: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly timeoutMs: number;
  readonly requestKey?: string | undefined;
}

/** Durable runs of this server. */
export interface QueuedRuns {
  /** Queues a run and gives its id. @throws Problem `busy` where too many runs of the user have not ended */
  enqueue(request: QueueRequest): Promise<string>;
  /** The stored runs. Does not start the worker. */
  reader(): Promise<RunReader>;
  /** Starts the worker, unless it runs. */
  open(): Promise<Runs>;
  /** Cancels the runs of a user who was disabled or removed. */
  cancelFor(userId: string): Promise<void>;
  /** Aborts when the server stops. */
  readonly stopping: AbortSignal;
  start(): void;
  /** Hands runs under way to the next start, or to another process. */
  stop(): Promise<void>;
}

export interface QueuedRunOptions {
  readonly registry: ComponentRegistry<Services>;
  readonly openServices: OpenRunServices;
  /** For schedules, which run the stored flow. */
  readonly readFlow: ReadFlow;
  readonly log: Log;
  readonly sealer: Sealer;
  /** Only workers of this group take the runs; see `worker-group.ts`. */
  readonly workerGroup: string;
  /** The name of the worker: the same after a restart, and of no other process on the database. */
  readonly workerName: string;
  readonly database: { readonly pool: pg.Pool; connection(): pg.ClientConfig };
  /** Waits for the database. */
  readonly storage: () => Promise<Db>;
  readonly retentionMs: number;
}

/** Runs of one user that have not ended. */
const MAX_OPEN = 2_000;
/** How often the server looks for work that others left, and for old runs: one query. */
const LOOK_MS = 60_000;
const POLL_MS = 250;

/**
 * Opens `@croft/runs` with the first queued run, or when the database holds work for a worker: loading DBOS takes a fifth
 * of a second, and a worker asks the database several times a second.
 */
export function createQueuedRuns(options: QueuedRunOptions): QueuedRuns {
  const { database, log, sealer, storage, workerGroup } = options;
  const stopping = new AbortController();
  // Each open event stream listens to it.
  setMaxListeners(0, stopping.signal);
  let opening: Promise<Runs> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let reading: Promise<RunReader> | undefined;
  const openReader = async () => (await import('@croft/runs')).createRunReader(database.pool, sealer, workerGroup);
  const reader = () => (reading ??= openReader());
  const open = (): Promise<Runs> => {
    if (stopping.signal.aborted) throw problem('unavailable', 'The server stops. Try again in a moment.');
    opening ??= openRunsOf(options).catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  const look = async (): Promise<void> => {
    try {
      const finishedBefore = new Date(Date.now() - options.retentionMs);
      if (await (await reader()).needsWorker(finishedBefore)) await (await open()).prune(finishedBefore);
    } catch (error) {
      if (!stopping.signal.aborted) log.warn({ err: error }, 'queued runs could not be checked; the next try follows');
    }
    if (!stopping.signal.aborted) timer = setTimeout(() => void look(), LOOK_MS).unref();
  };
  return {
    async enqueue({ requestKey, ...request }) {
      await storage();
      if ((await (await reader()).countOpen(request.userId)) >= MAX_OPEN)
        throw problem('busy', `${MAX_OPEN} of your runs have not ended. Try again when some have.`, {
          'Retry-After': '60',
        });
      return (await open()).enqueue({
        ...request,
        inputs: request.inputs as Record<string, Record<string, Json>>,
        source: 'api',
        ...(requestKey !== undefined && {
          triggerKey: `api:${JSON.stringify([request.userId, request.flowId, requestKey])}`,
        }),
      });
    },
    async reader() {
      await storage();
      return reader();
    },
    open,
    async cancelFor(userId) {
      const user = await getUser(await storage(), userId);
      if (user !== undefined && !user.disabled) return;
      if ((await (await reader()).countOpen(userId)) > 0) await (await open()).cancelAll(userId);
    },
    stopping: stopping.signal,
    start: () => void look(),
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      // Not for a look under way: it may wait for a database that is not there.
      await (await opening?.catch(() => undefined))?.close();
    },
  };
}

async function openRunsOf({ registry, openServices, log, sealer, workerGroup, workerName, ...rest }: QueuedRunOptions) {
  const db = await rest.storage();
  const { openRuns } = await import('@croft/runs');
  return openRuns<Services>({
    database: rest.database.connection(),
    sealer,
    group: workerGroup,
    log: (line) => log.warn({ from: 'runs' }, line),
    worker: {
      name: workerName,
      registry,
      pollMs: POLL_MS,
      async flowOf({ userId, flowId }) {
        const user = await getUser(db, userId);
        const flow = user === undefined || user.disabled ? undefined : await rest.readFlow(userId, flowId);
        if (flow === undefined) return undefined;
        requireRunnable(flow, registry, {});
        return { flow };
      },
      async services({ userId, flow, ask, remember }: RunContext): Promise<WorkerServices<Services>> {
        const user = await getUser(db, userId);
        if (user === undefined || user.disabled) throw new Error('Its user was disabled or removed.');
        const opened = await openServices({ userId, via: 'api', client: null }, flow, undefined);
        return { ...opened, services: { ...opened.services, ask, remember } };
      },
    },
  });
}
