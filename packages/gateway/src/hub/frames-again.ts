import type { EventLog } from '@croft/event-log';
import type { SentCall } from './pending-calls.ts';

const CANCEL = '{"type":"filesystem-cancel"';

/** The facts that decide which frames to send again. */
export interface BrokenStream {
  readonly log: EventLog;
  /** Calls that were sent and have no response. */
  readonly sent: Iterable<SentCall>;
  /** The client's last event id, or a substitute; it certainly did not receive later events. */
  readonly since: string | undefined;
  /** The client recognises an id that it has served. */
  readonly dedupes: boolean;
  /** Returns a call's request in its current form. */
  readonly write: (sent: SentCall) => string;
}

/** One event at the start of a new stream. */
export interface FrameAgain {
  readonly id: string;
  readonly data: string;
  /** The call, unless the event is a cancellation. */
  readonly sent?: SentCall;
}

/**
 * The events for the start of a new stream, oldest first; their calls count as written from here on. Includes calls
 * that were never written. A written call may have been run already. A call that only reads is sent again if the client
 * recognises ids (Croft's), or if its last id shows that it did not receive the call; running it twice is harmless. Any
 * other call needs both conditions.
 */
export function framesAgain({ log, sent, since, dedupes, write }: BrokenStream): FrameAgain[] {
  const missed = since === undefined ? 'gone' : log.after(since);
  const again: FrameAgain[] = [];
  if (missed !== 'gone') again.push(...missed.filter(({ data }) => data.startsWith(CANCEL)));
  for (const one of sent) {
    const neverSaw = since !== undefined && isLater(one.eventId, since, log);
    const isSafe = one.call.isRepeatable ? dedupes || neverSaw : dedupes && neverSaw;
    if (one.isWritten && !isSafe) continue;
    again.push({ id: one.eventId, data: write(one), sent: one });
    one.isWritten = true;
  }
  return again.sort((a, b) => numberOf(a.id) - numberOf(b.id));
}

/** Whether the event came after `since`. The log need not keep it: a call that is larger than the log is not in it. */
function isLater(eventId: string, since: string, log: EventLog): boolean {
  const isOfLog = logOf(since) === logOf(log.lastId) && logOf(eventId) === logOf(log.lastId);
  return isOfLog && numberOf(eventId) > numberOf(since);
}

function logOf(eventId: string): string {
  return eventId.slice(0, eventId.lastIndexOf('.'));
}

function numberOf(eventId: string): number {
  return Number(eventId.slice(eventId.lastIndexOf('.') + 1));
}
