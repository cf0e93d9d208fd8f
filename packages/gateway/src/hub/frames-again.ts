import type { EventLog } from '@croft/event-log';
import type { SentCall } from './pending-calls.ts';

const CANCEL = '{"type":"filesystem-cancel"';

/** What decides about sending again. */
export interface BrokenStream {
  readonly log: EventLog;
  /** Calls without an answer that were sent. */
  readonly sent: Iterable<SentCall>;
  /** The client's last id, or what stands for it; what came after it was certainly never seen. */
  readonly since: string | undefined;
  /** The client knows an id it has served. */
  readonly dedupes: boolean;
  /** A call's request as it has to be said now. */
  readonly write: (sent: SentCall) => string;
}

/** One event that a new stream begins with. */
export interface FrameAgain {
  readonly id: string;
  readonly data: string;
}

/**
 * What a new stream begins with, oldest first; calls in it count as written from here on. What was never written goes out
 * now. What was written may have been done already: a read is sent again to a client that knows the id again (Croft's), or
 * that says by its last id that it never saw it; doing it twice is harmless anyway. Anything else only where both are so.
 */
export function framesAgain({ log, sent, since, dedupes, write }: BrokenStream): FrameAgain[] {
  const missed = since === undefined ? 'gone' : log.after(since);
  const missedIds = new Set(missed === 'gone' ? [] : missed.map(({ id }) => id));
  const again: FrameAgain[] = [];
  if (missed !== 'gone') again.push(...missed.filter(({ data }) => data.startsWith(CANCEL)));
  for (const one of sent) {
    const neverSaw = missedIds.has(one.eventId);
    const isSafe = one.call.isRepeatable ? dedupes || neverSaw : dedupes && neverSaw;
    if (one.isWritten && !isSafe) continue;
    again.push({ id: one.eventId, data: write(one) });
    one.isWritten = true;
  }
  return again.sort((a, b) => numberOf(a.id) - numberOf(b.id));
}

function numberOf(eventId: string): number {
  return Number(eventId.slice(eventId.lastIndexOf('.') + 1));
}
