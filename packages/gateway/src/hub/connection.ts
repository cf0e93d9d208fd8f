import { createEventLog, encodeFrame, type EventLog } from '@croft/event-log';
import type { CancelFrame, DisconnectReason, PingFrame, RequestFrame, ToolCategory } from '../frames.ts';
import type { ResponseFrame } from '../response-frame.ts';
import { dismiss, type EventStream } from './event-stream.ts';
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

/** The dialect of a client, determined by its `init`. */
export type Dialect = 'seed' | 'later' | 'croft';

/** The facts about a machine from its `init`. */
export interface Machine {
  readonly userId: string;
  readonly keyHash: string;
  readonly dialect: Dialect;
  readonly rootPath: string;
  readonly host: string | null;
  readonly categories: readonly ToolCategory[];
  readonly announced: Announced;
  /** The tools of `explore` that Croft's daemon serves; empty in the other dialects. */
  readonly explores: readonly string[];
  /** It answers a ping that wants an answer. */
  readonly answersPings: boolean;
}

export interface ConnectionLimits extends PendingLimits {
  /** How long a machine whose stream broke still counts as connected. */
  readonly blipMs: number;
}

/** Limits of the events that a session keeps, to resume from a client's last id. */
const RING = { maxEvents: 128, maxBytes: 256 * 1024 } as const;
const WANTED_PING: PingFrame = { type: 'ping', answer: true };
const WANTED_PING_TEXT = encodeFrame({ data: JSON.stringify(WANTED_PING) });

/**
 * One machine that sent `init`: its stream, the events sent on it, and the calls without a response. A newer `init` of
 * the same user creates a new connection; later events on the older one do not affect the newer one.
 */
export class Connection {
  readonly machine: Machine;
  /** Increases over all connections of a hub; also spreads their pings. */
  readonly generation: number;
  readonly connectedAt: number;
  /** When the stream was lost; `undefined` while there is one. */
  droppedAt: number | undefined;
  rootPath: string;
  /** When the machine last sent anything. An open stream does not show that, because the machine only reads it. */
  heardAt: number;
  /** Calls that reached their deadline since then. */
  #unanswered = 0;
  readonly #limits: ConnectionLimits;
  readonly #log: EventLog = createEventLog(RING);
  readonly #beginning = this.#log.lastId;
  /** Created with the first call: most machines are idle. */
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

  /** Whether calls reach the machine, or will soon: a stream is open, or broke within the blip time. */
  get isConnected(): boolean {
    if (this.#ended) return false;
    if (this.#stream) return true;
    return this.#hadStream && this.#limits.now() - (this.droppedAt ?? 0) < this.#limits.blipMs;
  }

  get hasStream(): boolean {
    return this.#stream !== undefined;
  }

  /** Calls that reached their deadline since the machine last sent anything. */
  get unanswered(): number {
    return this.#unanswered;
  }

  /** Records that the machine sent something. */
  heard(): void {
    this.heardAt = this.#limits.now();
    this.#unanswered = 0;
  }

  /**
   * Takes a new stream. Tells an older one that is still open to stop: two clients with one key would otherwise take
   * the stream from each other for ever. Sends again what the client may have missed, where that is safe.
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
      // If Croft's daemon sends no id, it has received no event since its `init`.
      since: lastEventId ?? (dedupes ? this.#beginning : undefined),
      dedupes,
      write: (sent) => JSON.stringify(this.#frame(sent)),
    });
    for (const { id, data, sent } of again)
      if (!stream.write(encodeFrame({ id, data })) && sent) this.#pending?.postpone(sent);
    // An id without data: the client can resume even before the first event.
    stream.write(encodeFrame({ id: this.#log.lastId }));
    this.#leaveLog = this.#log.follow({
      take: (event) => stream.write(encodeFrame({ id: event.id, data: event.data })),
      end: (reason) => {
        if (reason === 'slow') stream.end();
      },
    });
    stream.onRoom = () => this.#pending?.advance();
    this.#pending?.advance();
  }

  /**
   * Handles the end of a stream. Returns whether it was this connection's current one; a late event of an older stream
   * changes nothing.
   *
   * @param since when it ended, if that was noticed later
   */
  detach(stream: EventStream, since = this.#limits.now()): boolean {
    if (stream !== this.#stream) return false;
    this.#leaveStream();
    this.#stream = undefined;
    this.droppedAt = since;
    return true;
  }

  /** Cuts the stream, because the peer is gone. Returns whether there was one. */
  cut(since: number): boolean {
    const stream = this.#stream;
    if (!stream) return false;
    this.detach(stream, since);
    stream.cut();
    return true;
  }

  /** Detaches the open stream and returns it. */
  release(): EventStream | undefined {
    const stream = this.#stream;
    this.#leaveStream();
    this.#stream = undefined;
    return stream;
  }

  /** Sends a ping that wants an answer. Returns whether there is a stream with room for it. */
  askForWord(): boolean {
    return this.#stream?.write(WANTED_PING_TEXT) ?? false;
  }

  /** Sends a ping, if there is a stream. */
  ping(): void {
    this.#stream?.ping(this.machine.dialect === 'croft');
  }

  /** Sends a call to the machine. */
  async ask(call: OutgoingCall, signal: AbortSignal | undefined): Promise<CallOutcome> {
    if (!this.isConnected) return { ended: this.#ended ?? 'not_connected' };
    this.#pending ??= new PendingCalls(
      this.#limits,
      (sent) => this.#send(sent),
      (requestId) => this.#append({ type: 'filesystem-cancel', payload: { requestId } }),
      // A call can be larger than all that a stream buffers, so the next one waits until the machine has read it.
      () => this.#stream?.hasRoom ?? true,
    );
    const outcome = await this.#pending.ask(call, signal);
    if ('ended' in outcome && outcome.ended === 'timeout') this.#unanswered++;
    return outcome;
  }

  /** Whether this request is still waiting for its response. */
  awaits(requestId: string): boolean {
    return this.#pending?.has(requestId) ?? false;
  }

  /** Settles a call with its response; false if no call waits for it. */
  answer(requestId: string, answer: ResponseFrame): boolean {
    return this.#pending?.answer(requestId, answer) ?? false;
  }

  /** Ends all calls, queued ones too, and cancels those that were sent: the person turned the switch off. */
  endCalls(): void {
    this.#pending?.endAll('not_connected', true);
  }

  /**
   * Ends this connection. Calls end with `why`.
   *
   * @param tell the reason in the client's last frame; without it the client may reconnect
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
