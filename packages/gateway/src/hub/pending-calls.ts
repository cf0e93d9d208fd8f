import type { RequestFrame } from '../frames.ts';
import type { ResponseFrame } from '../response-frame.ts';
import { makeRequestId } from '../tokens.ts';

/** Why a call ended without a response. */
export type CallEnd = 'timeout' | 'cancelled' | 'disconnected' | 'superseded' | 'closing' | 'busy' | 'not_connected';

/** How one call ended. Every call ends exactly once, by its deadline. */
export type CallOutcome = { readonly answer: ResponseFrame } | CallEnded;

/** A call without a response. */
export interface CallEnded {
  readonly ended: CallEnd;
  /** The call changes something and was written to a stream: whether the machine carried it out is unknown. */
  readonly mayHaveRun?: true;
}

/** One call for the client. */
export interface OutgoingCall {
  /** The request without its id and deadline. */
  readonly request: Omit<RequestFrame['payload'], 'requestId' | 'deadlineMs'>;
  /** The tool only reads, so sending the call twice does no harm. */
  readonly isRepeatable: boolean;
}

/** A call that was sent, or will be once there is a stream. */
export interface SentCall {
  readonly requestId: string;
  readonly call: OutgoingCall;
  readonly deadlineAt: number;
  /** Its id in the session's log. */
  eventId: string;
  /** It was written to a stream; whether it arrived is unknown. */
  isWritten: boolean;
}

export interface PendingLimits {
  /** Calls that a client runs at the same time. */
  readonly maxInFlight: number;
  /** Calls in the queue behind those; more are refused. */
  readonly maxQueued: number;
  readonly timeoutMs: number;
  readonly now: () => number;
}

interface Entry extends SentCall {
  isSent: boolean;
  readonly settle: (outcome: CallOutcome) => void;
}

/** The calls of one connection without a response. Ids are unguessable, and known to this connection only. */
export class PendingCalls {
  readonly #limits: PendingLimits;
  readonly #send: (call: SentCall) => void;
  readonly #cancel: (requestId: string) => void;
  readonly #hasRoom: () => boolean;
  readonly #entries = new Map<string, Entry>();
  #inFlight = 0;

  /**
   * @param send sends a call to the client
   * @param cancel tells the client that a call is no longer needed
   * @param hasRoom whether the client takes a call now; while it does not, calls wait for {@link advance}
   */
  constructor(
    limits: PendingLimits,
    send: (call: SentCall) => void,
    cancel: (requestId: string) => void,
    hasRoom: () => boolean = () => true,
  ) {
    this.#limits = limits;
    this.#send = send;
    this.#cancel = cancel;
    this.#hasRoom = hasRoom;
  }

  /** Calls without a response, including queued ones. */
  get size(): number {
    return this.#entries.size;
  }

  /** Sends a call to the client. Its time starts now, also while it is queued. */
  ask(call: OutgoingCall, signal: AbortSignal | undefined): Promise<CallOutcome> {
    const { maxInFlight, maxQueued, timeoutMs, now } = this.#limits;
    if (signal?.aborted) return Promise.resolve({ ended: 'cancelled' });
    if (this.#entries.size >= maxInFlight + maxQueued) return Promise.resolve({ ended: 'busy' });
    const requestId = makeRequestId();
    return new Promise((resolve) => {
      const onAbort = (): void => this.#giveUp(requestId, 'cancelled');
      const timer = setTimeout(() => this.#giveUp(requestId, 'timeout'), timeoutMs);
      signal?.addEventListener('abort', onAbort, { once: true });
      const settle = (outcome: CallOutcome): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        const mayHaveRun = 'ended' in outcome && entry.isWritten && !call.isRepeatable;
        resolve(mayHaveRun ? { ...outcome, mayHaveRun } : outcome);
      };
      const deadlineAt = now() + timeoutMs;
      const entry: Entry = { requestId, call, deadlineAt, eventId: '', isWritten: false, isSent: false, settle };
      this.#entries.set(requestId, entry);
      this.advance();
    });
  }

  /** Whether this request is still waiting for its response. */
  has(requestId: string): boolean {
    return this.#entries.get(requestId)?.isSent === true;
  }

  /** Settles a call with its response; false if it already ended, or never existed. */
  answer(requestId: string, answer: ResponseFrame): boolean {
    return this.has(requestId) && this.#end(requestId, { answer });
  }

  /** Sent calls, oldest first. */
  *sent(): Generator<SentCall> {
    for (const entry of this.#entries.values()) if (entry.isSent) yield entry;
  }

  /** Puts a call that could not be written back into the queue, before all calls that came after it. */
  postpone({ requestId }: SentCall): void {
    const entry = this.#entries.get(requestId);
    if (!entry?.isSent) return;
    entry.isSent = false;
    entry.isWritten = false;
    this.#inFlight--;
  }

  /** Sends queued calls while the client has room. */
  advance(): void {
    for (const entry of this.#entries.values()) {
      if (this.#inFlight >= this.#limits.maxInFlight || !this.#hasRoom()) return;
      if (entry.isSent) continue;
      entry.isSent = true;
      this.#inFlight++;
      this.#send(entry);
    }
  }

  /**
   * Ends all calls with one reason.
   *
   * @param cancels also sends a cancellation for each call that was sent, because the client stays
   */
  endAll(ended: CallEnd, cancels = false): void {
    const entries = [...this.#entries.values()];
    this.#entries.clear();
    this.#inFlight = 0;
    for (const entry of entries) {
      if (cancels && entry.isSent) this.#cancel(entry.requestId);
      entry.settle({ ended });
    }
  }

  #giveUp(requestId: string, ended: CallEnd): void {
    const wasSent = this.has(requestId);
    if (this.#end(requestId, { ended }) && wasSent) this.#cancel(requestId);
  }

  #end(requestId: string, outcome: CallOutcome): boolean {
    const entry = this.#entries.get(requestId);
    if (!entry) return false;
    this.#entries.delete(requestId);
    if (entry.isSent) this.#inFlight--;
    entry.settle(outcome);
    this.advance();
    return true;
  }
}
