import { setImmediate as nextTurn } from 'node:timers/promises';
import { callTool, type ToolTable } from '@croft/tools';
import { type CallRequest, encodeAnswer, encodeFailure } from './call-request.ts';
import type { Tell } from './daemon-events.ts';
import { describeCall } from './describe-call.ts';

/** The result of delivering one response. `unwanted`: the server no longer waits for it. */
export type Delivery = 'delivered' | 'unwanted' | 'too_large' | 'given_up';

export interface CallServerOptions {
  /** The tools by the names that this daemon announced. */
  readonly table: ToolTable;
  /** The tools by the operation names that servers of the first dialect use. */
  readonly operations: ToolTable;
  /** The address of the server. The log names its host as the caller. */
  readonly server?: string;
  /** Sends a response, with retries until the signal aborts. Must not reject. */
  readonly deliver: (requestId: string, body: string, signal: AbortSignal) => Promise<Delivery>;
  readonly tell: Tell;
  readonly now: () => number;
  /** Calls that run at the same time; more wait in a queue. */
  readonly maxRunning?: number;
  /** Calls that may wait; more are refused. */
  readonly maxWaiting?: number;
  /** Total length, in characters, of the requests of calls without a response; more calls are refused. */
  readonly maxHeldChars?: number;
  /** Calls without a response, with those whose refusal is being delivered; more are ignored. */
  readonly maxUnanswered?: number;
  /** Total size, in bytes, of responses kept for repeated deliveries. */
  readonly maxKeptBytes?: number;
  /** Ids of served calls that are remembered, with or without their responses. */
  readonly maxKnown?: number;
}

/** A call through the gateway: the server authenticates with its key and does not name its user. */
const GATEWAY = { userId: null, via: 'gateway' } as const;
const MAX_RUNNING = 32;
const MAX_WAITING = 1_000;
const MAX_HELD_CHARS = 64 * 1024 * 1024;
const MAX_UNANSWERED = 2_000;
const MAX_KEPT_BYTES = 32 * 1024 * 1024;
const MAX_KNOWN = 10_000;
/** Deadline of a call whose server sends none, in milliseconds; the server's own is 30 or 60 s. */
const DEFAULT_DEADLINE_MS = 60_000;

interface Served {
  /** Without its arguments once it has run: they can hold a whole file. */
  request: CallRequest;
  /** The length of its message while its arguments are kept. */
  chars: number;
  readonly ending: AbortController;
  timer: NodeJS.Timeout | undefined;
  /** Waiting, running or being delivered: a repeated request changes nothing. */
  isBusy: boolean;
  answer: string | undefined;
}

/** Runs the calls of one connection. Each connection has a new one. */
export interface CallServer {
  /**
   * Accepts a request. A request with a known id gets the same response again and never runs again.
   *
   * @param chars the length of its message, in characters
   */
  take(request: CallRequest, chars: number): void;
  /** Stops a call without a response, because the server no longer waits for it. */
  cancel(requestId: string): void;
  /** Number of calls without a response. */
  readonly pending: number;
  /** Stops all calls. */
  close(): void;
}

/**
 * Serves calls through `callTool`, a bounded number at once. Every id runs at most once while this object lives, among
 * the last 10,000 ids: a repeated event gets the stored response, or, if that was dropped, a sentence that says so.
 */
export function serveCalls(options: CallServerOptions): CallServer {
  return new RunningCalls(options);
}

class RunningCalls implements CallServer {
  readonly #options: CallServerOptions;
  /** Calls without a response, also those that are refused or answered again. */
  readonly #open = new Set<Served>();
  readonly #served = new Map<string, Served>();
  readonly #waiting: Served[] = [];
  #heldChars = 0;
  #running = 0;
  #keptBytes = 0;

  constructor(options: CallServerOptions) {
    this.#options = options;
  }

  get pending(): number {
    return this.#open.size;
  }

  take(request: CallRequest, chars: number): void {
    const known = this.#served.get(request.requestId);
    if (known?.isBusy || this.pending >= (this.#options.maxUnanswered ?? MAX_UNANSWERED)) return;
    const entry = this.#begin(request, chars);
    if (known) {
      known.isBusy = true;
      void this.#answerAgain(entry, known.answer).finally(() => {
        known.isBusy = false;
      });
      return;
    }
    if (this.#isFull(entry)) return void this.#refuse(entry);
    this.#served.set(request.requestId, entry);
    this.#waiting.push(entry);
    this.#advance();
  }

  cancel(requestId: string): void {
    for (const { request, ending } of this.#open)
      if (request.requestId === requestId) ending.abort('the server cancelled it');
  }

  close(): void {
    for (const { ending } of this.#open) ending.abort('the connection ended');
  }

  /** A single call always fits, whatever its length. */
  #isFull({ chars }: Served): boolean {
    const { maxWaiting = MAX_WAITING, maxHeldChars = MAX_HELD_CHARS } = this.#options;
    return this.#waiting.length >= maxWaiting || (this.#heldChars > maxHeldChars && this.#heldChars > chars);
  }

  #begin(request: CallRequest, chars: number): Served {
    this.#heldChars += chars;
    const ending = new AbortController();
    const timer = setTimeout(
      () => ending.abort('the deadline of the server passed'),
      request.deadlineMs ?? DEFAULT_DEADLINE_MS,
    );
    const entry: Served = { request, chars, ending, timer, isBusy: true, answer: undefined };
    this.#open.add(entry);
    return entry;
  }

  #finish(entry: Served): void {
    entry.isBusy = false;
    this.#dropArguments(entry);
    clearTimeout(entry.timer);
    this.#open.delete(entry);
    this.#trim();
  }

  #dropArguments(entry: Served): void {
    entry.request = { ...entry.request, call: { name: entry.request.call.name, input: undefined } };
    this.#heldChars -= entry.chars;
    entry.chars = 0;
  }

  #advance(): void {
    while (this.#running < (this.#options.maxRunning ?? MAX_RUNNING)) {
      const entry = this.#waiting.shift();
      if (!entry) return;
      this.#running++;
      void this.#run(entry).finally(() => {
        this.#running--;
        this.#finish(entry);
        this.#advance();
      });
    }
  }

  async #run(entry: Served): Promise<void> {
    const { tell, now, server } = this.#options;
    const { request, ending } = entry;
    const { requestId, call, style } = request;
    const table = this.#options[style === 'seed' ? 'operations' : 'table'];
    const told = { requestId, tool: call.name, about: describeCall(table, request) };
    // A machine that slept reads a call and its cancellation in one turn: the call must not start then.
    await nextTurn();
    if (ending.signal.aborted) return tell({ type: 'unanswered', ...told, why: String(ending.signal.reason) });
    const started = now();
    tell({ type: 'called', ...told });
    const caller = server && new URL(server).host;
    const result = await callTool({ ...table, actor: GATEWAY }, call, { signal: ending.signal, caller });
    if (ending.signal.aborted) return tell({ type: 'unanswered', ...told, why: String(ending.signal.reason) });
    const answer = encodeAnswer(result, style);
    this.#keep(entry, answer);
    const delivery = await this.#send(entry, answer);
    if (delivery === 'delivered') tell({ type: 'answered', ...told, ok: result.ok, tookMs: now() - started });
    else tell({ type: 'unanswered', ...told, why: WHY[delivery] });
  }

  /** Stores a response. The oldest are dropped first; that their calls were run is remembered longer. */
  #keep(entry: Served, answer: string): void {
    entry.answer = answer;
    this.#keptBytes += answer.length;
    this.#trim();
  }

  #trim(): void {
    for (const other of this.#served.values()) {
      if (this.#keptBytes <= (this.#options.maxKeptBytes ?? MAX_KEPT_BYTES)) break;
      if (!other.isBusy) this.#dropAnswer(other);
    }
    for (const [id, other] of this.#served) {
      if (this.#served.size <= (this.#options.maxKnown ?? MAX_KNOWN)) break;
      if (other.isBusy) continue;
      this.#dropAnswer(other);
      this.#served.delete(id);
    }
  }

  #dropAnswer(entry: Served): void {
    this.#keptBytes -= entry.answer?.length ?? 0;
    entry.answer = undefined;
  }

  async #send({ request, ending }: Served, answer: string): Promise<Delivery> {
    const { deliver } = this.#options;
    const delivery = await deliver(request.requestId, answer, ending.signal);
    if (delivery !== 'too_large') return delivery;
    const shorter = 'The result is larger than the server accepts. Ask for less, e.g. fewer lines';
    return deliver(request.requestId, encodeFailure(shorter, request.style), ending.signal);
  }

  async #answerAgain(entry: Served, answer: string | undefined): Promise<void> {
    this.#dropArguments(entry);
    const { requestId, call, style } = entry.request;
    const gone = 'This call ran before, and its result is no longer stored. Check its effect before you call again';
    const delivery = await this.#send(entry, answer ?? encodeFailure(gone, style));
    if (delivery === 'too_large' || delivery === 'given_up')
      this.#options.tell({ type: 'unanswered', requestId, tool: call.name, about: '', why: WHY[delivery] });
    this.#finish(entry);
  }

  /** Refuses a call. It did not run, so its id is not remembered and may be sent again. */
  async #refuse(entry: Served): Promise<void> {
    this.#dropArguments(entry);
    const { requestId, style } = entry.request;
    const busy = 'Too many calls are waiting on that machine. Try again in a moment';
    await this.#options.deliver(requestId, encodeFailure(busy, style), entry.ending.signal);
    this.#finish(entry);
  }
}

const WHY: Readonly<Record<Delivery, string>> = {
  delivered: '',
  unwanted: 'the server stopped waiting for it',
  too_large: 'the answer is too large for the server',
  given_up: 'the answer could not be delivered in time',
};
