import pg from 'pg';
import { CANCEL_CHANNEL, CHANNEL } from './run-store.ts';

/** Without notifications, as behind a pooler, readers look this often. */
const POLL_MS = 1_000;
const RECONNECT_MS = 500;

/** Tells which runs have changed, in any process. */
export interface Signals {
  /** Resolves when the run may have changed, at the latest after a second or when `signal` aborts. */
  changed(runId: string, signal?: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** Listens on a connection of its own and connects again when it is lost. `onCancel` gets each run to be cancelled. */
export function listenToRuns(config: pg.ClientConfig, onCancel: (runId: string) => void): Signals {
  const waiting = new Map<string, Set<() => void>>();
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const wake = (runId: string) => {
    for (const each of waiting.get(runId) ?? []) each();
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
      else wake(payload);
    });
    try {
      await next.connect();
      await next.query(`LISTEN ${CHANNEL}; LISTEN ${CANCEL_CHANNEL}`);
      client = next;
      if (isClosed) await next.end();
      // Notifications may have been missed.
      for (const runId of waiting.keys()) wake(runId);
    } catch {
      lose();
    }
  };
  const connecting = connect();
  return {
    changed: (runId, signal) =>
      new Promise((resolve) => {
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
      }),
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await connecting;
      for (const runId of waiting.keys()) wake(runId);
      await client?.end().catch(() => {});
    },
  };
}
