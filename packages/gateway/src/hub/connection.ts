import { createEventLog, encodeFrame, type EventLog } from '@croft/event-log';
import type {
  CancelFrame,
  DisconnectFrame,
  DisconnectReason,
  PingFrame,
  RequestFrame,
  ResponseFrame,
  ToolCategory,
} from '../frames.ts';
import type { EventStream } from './event-stream.ts';
import { framesAgain } from './frames-again.ts';
import {
  type CallEnd,
  type CallOutcome,
  type OutgoingCall,
  PendingCalls,
  type PendingLimits,
  type SentCall,
} from './pending-calls.ts';
import type { Announced } from './remote/announced-tools.ts';

/** Which words a client speaks, by what its `init` carried. */
export type Dialect = 'seed' | 'later' | 'croft';

/** What `init` said of a machine. */
export interface Machine {
  readonly userId: string;
  readonly keyHash: string;
  readonly dialect: Dialect;
  readonly rootPath: string;
  readonly host: string | null;
  readonly categories: readonly ToolCategory[];
  readonly announced: Announced;
  /** Which tools of `explore` Croft's daemon serves; empty in the other dialects. */
  readonly explores: readonly string[];
  /** It answers a ping that wants an answer. */
  readonly answersPings: boolean;
}

export interface ConnectionLimits extends PendingLimits {
  /** How long a machine whose stream broke still counts as connected. */
  readonly blipMs: number;
}

/** What a session remembers of its stream, to go on from a client's last id. */
const RING = { maxEvents: 128, maxBytes: 256 * 1024 } as const;
const WANTED_PING: PingFrame = { type: 'ping', answer: true };
const WANTED_PING_TEXT = encodeFrame({ data: JSON.stringify(WANTED_PING) });

/**
 * One machine that said `init`: its stream, what was sent on it, and the calls without an answer. A newer `init` of the
 * same user makes a new one; an older one is then dead, and nothing that still happens to it reaches the newer.
 */
export class Connection {
  readonly machine: Machine;
  /** Counts up over all connections of a hub; also spreads their pings. */
  readonly generation: number;
  readonly connectedAt: number;
  /** Since when there is no stream; `undefined` while there is one. */
  droppedAt: number | undefined;
  rootPath: string;
  /** When it last said anything: on the stream it only listens, so an open one says nothing of who is there. */
  heardAt: number;
  /** Calls that ended at their deadline since then. */
  #unanswered = 0;
  readonly #limits: ConnectionLimits;
  readonly #log: EventLog = createEventLog(RING);
  readonly #beginning = this.#log.lastId;
  /** Made with the first call: most machines wait most of the time. */
  #pending: PendingCalls | undefined;
  #stream: EventStream | undefined;
  #leaveLog: (() => void) | undefined;
  #hadStream = false;
  #ended: CallEnd | undefined;

  constructor(machine: Machine, generation: number, limits: ConnectionLimits) {
    this.machine = machine;
    this.generation = generation;
    this.#limits = limits;
    this.rootPath = machine.rootPath;
    this.connectedAt = limits.now();
    this.droppedAt = this.connectedAt;
    this.heardAt = this.connectedAt;
  }

  /** Whether calls reach the machine, or will in a moment: a stream is open, or broke no longer ago than a blip. */
  get isConnected(): boolean {
    if (this.#ended) return false;
    if (this.#stream) return true;
    return this.#hadStream && this.#limits.now() - (this.droppedAt ?? 0) < this.#limits.blipMs;
  }

  get hasStream(): boolean {
    return this.#stream !== undefined;
  }

  /** Calls that ended at their deadline since it last said anything. */
  get unanswered(): number {
    return this.#unanswered;
  }

  /** It said something. */
  heard(): void {
    this.heardAt = this.#limits.now();
    this.#unanswered = 0;
  }

  /**
   * Takes a new stream. An older one that is still open is told to stop: two clients with one key would otherwise take
   * the stream from each other for ever. What the client may have missed is sent again where that is safe.
   */
  attach(stream: EventStream, lastEventId: string | undefined): void {
    const older = this.release();
    if (older) dismiss(older, 'superseded');
    this.#stream = stream;
    this.#hadStream = true;
    this.droppedAt = undefined;
    this.heard();
    const dedupes = this.machine.dialect === 'croft';
    const again = framesAgain({
      log: this.#log,
      sent: this.#pending?.sent() ?? [],
      // Croft's daemon that names no id has had no event since its `init`.
      since: lastEventId ?? (dedupes ? this.#beginning : undefined),
      dedupes,
      write: (sent) => JSON.stringify(this.#frame(sent)),
    });
    for (const { id, data } of again) stream.write(encodeFrame({ id, data }));
    // An id without data: the client has something to come back with before the first event.
    stream.write(encodeFrame({ id: this.#log.lastId }));
    this.#leaveLog = this.#log.follow({
      take: (event) => stream.write(encodeFrame({ id: event.id, data: event.data })),
      end: (reason) => {
        if (reason === 'slow') stream.end();
      },
    });
  }

  /**
   * A stream is gone. Says whether it was this connection's present one; a late word of an older one changes nothing.
   *
   * @param since when it was, where that was noticed later
   */
  detach(stream: EventStream, since = this.#limits.now()): boolean {
    if (stream !== this.#stream) return false;
    this.#leaveStream();
    this.#stream = undefined;
    this.droppedAt = since;
    return true;
  }

  /** Cuts its stream off, because nobody is at the other end. Says whether there was one. */
  cut(since: number): boolean {
    const stream = this.#stream;
    if (!stream) return false;
    this.detach(stream, since);
    stream.cut();
    return true;
  }

  /** Gives its stream away, open as it is. */
  release(): EventStream | undefined {
    const stream = this.#stream;
    this.#leaveStream();
    this.#stream = undefined;
    return stream;
  }

  /** A ping that wants an answer, where there is a stream. */
  askForWord(): void {
    this.#stream?.write(WANTED_PING_TEXT);
  }

  /** One ping, where there is a stream. */
  ping(): void {
    this.#stream?.ping(this.machine.dialect === 'croft');
  }

  /** Asks the machine. */
  async ask(call: OutgoingCall, signal: AbortSignal | undefined): Promise<CallOutcome> {
    if (this.#ended) return { ended: this.#ended };
    if (!this.isConnected) return { ended: 'not_connected' };
    this.#pending ??= new PendingCalls(
      this.#limits,
      (sent) => this.#send(sent),
      (requestId) => this.#append({ type: 'filesystem-cancel', payload: { requestId } }),
    );
    const outcome = await this.#pending.ask(call, signal);
    if ('ended' in outcome && outcome.ended === 'timeout') this.#unanswered++;
    return outcome;
  }

  /** Whether an answer to this request is still waited for. */
  awaits(requestId: string): boolean {
    return this.#pending?.has(requestId) ?? false;
  }

  /** An answer came; false when nobody waits for it. */
  answer(requestId: string, answer: ResponseFrame): boolean {
    return this.#pending?.answer(requestId, answer) ?? false;
  }

  /**
   * The end of this connection. Calls end with `why`.
   *
   * @param tell what the client is told as its last frame; nothing where it is meant to come back
   */
  end(why: CallEnd, tell?: DisconnectReason): void {
    if (this.#ended) return;
    this.#ended = why;
    this.#pending?.endAll(why);
    const stream = this.release();
    this.#log.close(why);
    if (stream && tell) dismiss(stream, tell);
    else stream?.end();
  }

  #leaveStream(): void {
    this.#leaveLog?.();
    this.#leaveLog = undefined;
  }

  #send(sent: SentCall): void {
    const hasStream = this.#stream !== undefined;
    sent.eventId = this.#append(this.#frame(sent));
    sent.isWritten = hasStream;
  }

  #append(frame: RequestFrame | CancelFrame): string {
    return this.#log.append({ data: JSON.stringify(frame) }).id;
  }

  #frame({ requestId, call, deadlineAt }: SentCall): RequestFrame {
    const deadlineMs = Math.max(0, Math.round(deadlineAt - this.#limits.now()));
    return { type: 'filesystem-request', payload: { requestId, deadlineMs, ...call.request } };
  }
}

/** Ends a stream with the word that its client is not to come back by itself. */
function dismiss(stream: EventStream, reason: DisconnectReason): void {
  const frame: DisconnectFrame = { type: 'gateway-disconnect', payload: { reason } };
  stream.write(encodeFrame({ data: JSON.stringify(frame) }));
  stream.end();
}
