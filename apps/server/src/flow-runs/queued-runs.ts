import { setMaxListeners } from 'node:events';
import type { Services } from '@croft/components';
import type { FlowDocument, Json } from '@croft/flow';
import type { RunReader, Runs, ScheduleOwner } from '@croft/runs';
import type { StartedBy } from '../contract/run-starts.ts';
import { isNotYet } from '../readiness.ts';
import { problem } from '../routes/route.ts';
import { getUser } from '../store/users.ts';
import { inputLine } from './input-line.ts';
import type { QueuedRunOptions } from './queued-run-options.ts';
import { createQueueRoom } from './queue-room.ts';
import { workerSettings } from './worker-settings.ts';

/** A run to queue. The inputs are checked; see `run-request.ts`. */
export interface QueueRequest {
  readonly userId: string;
  readonly flowId: string;
  readonly startedBy: StartedBy;
  /** The name of the API key that asks for it. */
  readonly key?: string | undefined;
  readonly flow: FlowDocument;
  readonly inputs: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Of the flow with its inputs, about. */
  readonly bytes: number;
  readonly timeoutMs: number;
  readonly requestKey?: string | undefined;
  /** The webhook that asks for the run. A second delivery with the same id gives the same run. */
  readonly webhook?: { readonly id: string; readonly deliveryId: string | undefined };
}

/** Durable runs of this server. */
export interface QueuedRuns {
  /** Queues a run and gives its id. @throws Problem `busy` where too many runs of the user have not ended */
  enqueue(request: QueueRequest): Promise<string>;
  /** The stored runs. Does not start the worker. */
  reader(): Promise<RunReader>;
  /** Starts the worker, unless it runs. */
  open(): Promise<Runs>;
  /** Deletes the schedules of a flow or user that was deleted. A failure is logged: schedules of it go at their next time. */
  removeSchedulesOf(owner: ScheduleOwner): Promise<void>;
  /** Cancels the runs of a user who was disabled or removed. A removed user's schedules are deleted. */
  cancelFor(userId: string): Promise<void>;
  /** Aborts when the server stops. */
  readonly stopping: AbortSignal;
  start(): void;
  /** Hands runs under way to the next start, or to another process. */
  stop(): Promise<void>;
}

/** How often the server looks for work that others left, and for old runs: one query. */
const LOOK_MS = 60_000;

/**
 * Opens `@croft/runs` with the first queued run, or when the database holds work for a worker: loading DBOS takes a fifth
 * of a second, and a worker asks the database several times a second.
 */
export function createQueuedRuns(options: QueuedRunOptions): QueuedRuns {
  const { database, log, sealer, storage, workerGroup } = options;
  const stopping = new AbortController();
  // Each open event stream listens to it.
  setMaxListeners(0, stopping.signal);
  const room = createQueueRoom();
  let opening: Promise<Runs> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let reading: Promise<RunReader> | undefined;
  const openReader = async () => (await import('@croft/runs')).createRunReader(database.pool, sealer, workerGroup);
  const reader = () => (reading ??= openReader());
  const open = (): Promise<Runs> => {
    if (stopping.signal.aborted) throw problem('unavailable', 'The server stops. Try again in a moment.');
    opening ??= openWith(options, reader).catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  const removeSchedulesOf = async (owner: ScheduleOwner): Promise<void> => {
    try {
      await (await reader()).removeSchedulesOf(owner);
    } catch (error) {
      log.warn({ err: error }, 'schedules of a deleted flow or user could not be deleted; they go at their next time');
    }
  };
  const look = async (): Promise<void> => {
    try {
      await storage();
      const finishedBefore = new Date(Date.now() - options.retentionMs);
      if (await (await reader()).needsWorker(finishedBefore, options.historyBytes))
        await (await open()).prune(finishedBefore, options.historyBytes);
    } catch (error) {
      if (!stopping.signal.aborted && !isNotYet(error))
        log.warn({ err: error }, 'queued runs could not be checked; the next try follows');
    }
    if (!stopping.signal.aborted) timer = setTimeout(() => void look(), LOOK_MS).unref();
  };
  return {
    async enqueue({ requestKey, webhook, bytes, startedBy, ...request }) {
      await storage();
      const { userId, flow, inputs } = request;
      return room.take(await reader(), { userId, bytes }, async () => {
        const input = inputLine(flow, options.flowComponents.builtins, inputs, await options.secretsOf(userId));
        return (await open()).enqueue({
          ...request,
          input,
          inputs: request.inputs as Record<string, Record<string, Json>>,
          source: startedBy,
          ...(webhook?.deliveryId !== undefined && { triggerKey: `webhook:${webhook.id}:${webhook.deliveryId}` }),
          ...(requestKey !== undefined && {
            triggerKey: `api:${JSON.stringify([request.userId, request.flowId, requestKey])}`,
          }),
        });
      });
    },
    async reader() {
      await storage();
      return reader();
    },
    open,
    removeSchedulesOf,
    async cancelFor(userId) {
      const user = await getUser(await storage(), userId);
      if (user !== undefined && !user.disabled) return;
      if (user === undefined) await removeSchedulesOf({ userId });
      if ((await (await reader()).openOf(userId)).count > 0) await (await open()).cancelAll(userId);
    },
    stopping: stopping.signal,
    start: () => void look(),
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      // Not for a look under way: it may wait for a database that is not there.
      const runs = await opening?.catch(() => undefined);
      await options.runThread?.stop();
      await runs?.close();
    },
  };
}

/** Opens the runs. Their thread loads its program meanwhile. */
async function openWith(options: QueuedRunOptions, reader: () => Promise<RunReader>): Promise<Runs> {
  const { database, log, runThread, sealer, workerGroup } = options;
  runThread?.load();
  await options.storage();
  const { openRuns } = await import('@croft/runs');
  const runs = await openRuns<Services>({
    database: database.connection(),
    sealer,
    group: workerGroup,
    log: (line) => log.warn({ from: 'runs' }, line),
    ...(runThread === undefined && { worker: await workerSettings(options, reader) }),
  });
  runThread?.open(database.connection());
  return runs;
}
