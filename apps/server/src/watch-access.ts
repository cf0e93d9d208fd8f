import type { ServerResponse } from 'node:http';
import { onClosed } from './on-closed.ts';

const EVERY_MS = 2_000;

/**
 * Calls `end` once access to a response under way is gone, by whatever process: an answer or an event stream may go on for hours.
 * Call the function that it returns when the response has ended. Without an answer of the database, the response goes on.
 */
export function watchAccess(hasAccess: () => Promise<boolean>, end: () => void, everyMs = EVERY_MS): () => void {
  const look = async () => {
    if (!(await hasAccess().catch(() => true))) end();
  };
  const timer = setInterval(() => void look(), everyMs).unref();
  return () => clearInterval(timer);
}

/** Ends a response whose API key was revoked, whose session ended, or whose user was disabled, while it is sent. */
export function endWithCaller(response: ServerResponse, identify: () => Promise<unknown>, lookMs?: number): void {
  const leave = watchAccess(
    async () => (await identify()) !== undefined,
    () => response.destroy(),
    lookMs,
  );
  onClosed(response, leave);
}

/** Cancels a run or a turn whose API key was revoked, or whose user was disabled: it may go on after its response. */
export function cancelWithKey(
  { outcome, cancel }: { readonly outcome: Promise<unknown>; cancel(): void },
  identify: () => Promise<unknown>,
  lookMs?: number,
): void {
  const leave = watchAccess(async () => (await identify()) !== undefined, cancel, lookMs);
  outcome.then(leave, leave);
}
