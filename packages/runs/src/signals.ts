import pg from 'pg';
import { QUEUED_CHANNEL } from './engine.ts';
import { CANCEL_CHANNEL, CHANNEL, EVENT_CHANNEL } from './run-store.ts';

/** Without notifications, as behind a pooler, readers look this often. */
const POLL_MS = 1_000;
const RECONNECT_MS = 500;

/** Waiting readers by run. */
type Waiting = Map<string, Set<() => void>>;

/** Tells which runs have changed, in any process. */
export interface Signals {
  /** Resolves when the run may have a new state, at the latest after a second or when `signal` aborts. */
  changed(runId: string, signal?: AbortSignal): Promise<void>;
  /** The same, and also for new events. */
  changedOrEvents(runId: string, signal?: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** The notifications that a worker acts on. */
export interface WorkerSignals {
  /** A run is to be cancelled. */
  onCancel(runId: string): void;
  /** Runs of a group may have been queued; without a group, runs of any. */
  onQueued(group?: string): void;
}

/** Listens on a connection of its own and connects again when it is lost. */
export function listenToRuns(config: pg.ClientConfig, { onCancel, onQueued }: WorkerSignals): Signals {
  const forStates: Waiting = new Map();
  const forEvents: Waiting = new Map();
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const wake = (waiting: Waiting, runId: string) => {
    for (const each of waiting.get(runId) ?? []) each();
  };
  const wakeAll = () => {
    for (const waiting of [forStates, forEvents]) for (const runId of waiting.keys()) wake(waiting, runId);
  };
  const connect = async () => {
    const next = new pg.Client({ ...config, application_name: 'croft-runs' });
    let isLost = false;
    const lose = () => {
      if (isLost) return;
      isLost = true;
      next.end().catch(() => {});
      if (client === next) client = undefined;
      if (!isClosed) timer = setTimeout(() => void connect(), RECONNECT_MS);
    };
    next.on('error', lose);
    next.on('end', lose);
    next.on('notification', ({ channel, payload = '' }) => {
      if (channel === CANCEL_CHANNEL) onCancel(payload);
      else if (channel === QUEUED_CHANNEL) onQueued(payload);
      else {
        wake(forEvents, payload);
        if (channel === CHANNEL) wake(forStates, payload);
      }
    });
    try {
      await next.connect();
      const channels = [CHANNEL, EVENT_CHANNEL, CANCEL_CHANNEL, QUEUED_CHANNEL];
      await next.query(channels.map((each) => `LISTEN ${each}`).join(';'));
      client = next;
      if (isClosed) await next.end();
      // Notifications may have been missed.
      wakeAll();
      onQueued();
    } catch {
      lose();
    }
  };
  const change = (waiting: Waiting, runId: string, signal?: AbortSignal) =>
    new Promise<void>((resolve) => {
      const own = waiting.get(runId) ?? new Set();
      waiting.set(runId, own);
      const done = () => {
        clearTimeout(poll);
        signal?.removeEventListener('abort', done);
        own.delete(done);
        if (own.size === 0 && waiting.get(runId) === own) waiting.delete(runId);
        resolve();
      };
      const poll = setTimeout(done, POLL_MS);
      poll.unref();
      own.add(done);
      signal?.addEventListener('abort', done, { once: true });
      if (signal?.aborted === true || isClosed) done();
    });
  const connecting = connect();
  return {
    changed: (runId, signal) => change(forStates, runId, signal),
    changedOrEvents: (runId, signal) => change(forEvents, runId, signal),
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await connecting;
      wakeAll();
      await client?.end().catch(() => {});
    },
  };
}
