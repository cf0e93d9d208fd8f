import { TIMES } from '../frames.ts';

/** Bounds of the wait between two attempts. */
export interface Backoff {
  /** The shortest wait. */
  readonly minMs: number;
  /** The longest wait, unless a server asks for more. */
  readonly maxMs: number;
}

/** Between connections: 1 to 30 s. */
export const RECONNECT: Backoff = { minMs: TIMES.retryMs, maxMs: TIMES.maxRetryMs };
/** Between deliveries of one response, for which the server is waiting. */
export const REDELIVER: Backoff = { minMs: 100, maxMs: 5_000 };

/** Longest wait that a server may request. */
const MAX_ASKED_MS = 10 * 60_000;

/**
 * The wait before attempt number `attempt` (0 for the first retry): random between the minimum and a bound that doubles
 * each time, so that thousands of disconnected daemons do not reconnect at the same moment.
 *
 * @param askedMs the wait that the server asked for, used if it is longer
 */
export function delayMs(attempt: number, backoff: Backoff, random: () => number, askedMs = 0): number {
  const bound = Math.min(backoff.maxMs, backoff.minMs * 2 ** Math.min(attempt + 1, 30));
  const drawn = backoff.minMs + random() * (bound - backoff.minMs);
  return Math.round(Math.max(drawn, Math.min(askedMs, MAX_ASKED_MS)));
}

/**
 * The wait of a `Retry-After` header (seconds or a date), in milliseconds from `nowMs`. Undefined if it is missing or
 * invalid.
 */
export function retryAfterMs(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1_000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
}

/** Resolves after `ms`, or at once when the signal aborts. Never rejects. */
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
