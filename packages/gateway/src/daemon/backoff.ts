import { TIMES } from '../frames.ts';

/** How long to wait between tries. */
export interface Backoff {
  /** No wait is shorter. */
  readonly minMs: number;
  /** No wait is longer, but for what a server asks for itself. */
  readonly maxMs: number;
}

/** Between connections: 1 to 30 s. */
export const RECONNECT: Backoff = { minMs: TIMES.retryMs, maxMs: TIMES.maxRetryMs };
/** Between deliveries of one answer, which somebody is waiting for. */
export const REDELIVER: Backoff = { minMs: 100, maxMs: 5_000 };

/** A server may ask for patience, not for being forgotten. */
const MAX_ASKED_MS = 10 * 60_000;

/**
 * The wait before try number `attempt` (0 for the first repetition): anywhere between the least and a bound that
 * doubles each time, so that thousands of daemons cut off together do not come back together.
 *
 * @param askedMs what the server asked for, which is kept to where it is longer
 */
export function delayMs(attempt: number, backoff: Backoff, random: () => number, askedMs = 0): number {
  const bound = Math.min(backoff.maxMs, backoff.minMs * 2 ** Math.min(attempt + 1, 30));
  const drawn = backoff.minMs + random() * (bound - backoff.minMs);
  return Math.round(Math.max(drawn, Math.min(askedMs, MAX_ASKED_MS)));
}

/** What a `Retry-After` header asks for, in milliseconds from `nowMs`: seconds or a date. Nonsense is no wish. */
export function retryAfterMs(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1_000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
}

/** Resolves after `ms`, or at once when the signal says that nobody waits any longer. Never rejects. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end, { once: true });
  });
}
