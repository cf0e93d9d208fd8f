import type { Frame, Piece } from '../../framing/framing.ts';
import { addUsage } from '../usage.ts';
import { isObject, type JsonObject, parseWireJson } from '../wire-json.ts';
import type { Reading, ReplyReader, SeenCall, Verdict } from '../wire.ts';
import type { Call } from './call.ts';
import { CallCollector, type Mark } from './collector.ts';
import { outputFor } from './items.ts';
import { noteItem } from './notes.ts';
import { openCalls } from './open-calls.ts';
import { type Continued, Outgoing } from './outgoing.ts';
import { afterLast, firstNumber, SequenceNumbers } from './sequence-numbers.ts';
import { INTERESTING, type ResponsesEvent, readEvent, TRACE_OF_A_CALL, isDone } from './payload.ts';

/** The facts about the first reply that a second one must fit. */
export interface Splice extends Continued {
  readonly envelope: JsonObject | undefined;
  /** The usage of the earlier replies. */
  readonly usage: JsonObject | undefined;
}

/** The event and the calls found in a frame. */
interface Found {
  readonly event: ResponsesEvent;
  readonly mark: Mark;
}

/**
 * Reads a streamed response. A call is complete with its `output_item.done`, or when a snapshot contains it; the turn
 * is over with the last snapshot.
 *
 * The second reply of a splice arrives under the first one's `response.created` and so under its id, until the last
 * snapshot, which has the second one's id. Requests must continue from that one, because the first response has a call
 * without a result.
 */
export class ResponsesReader implements ReplyReader {
  ended = false;
  readonly #collector = new CallCollector();
  readonly #marks = new Map<Frame, Found>();
  readonly #splice: Splice | undefined;
  readonly #out: Outgoing;
  readonly #noted = new Set<Call>();
  #edits: boolean;
  readonly #numbers = new SequenceNumbers();
  #envelope: JsonObject | undefined;
  #created = false;
  /** The usage in the last snapshot. */
  #usage: unknown;

  constructor(splice?: Splice) {
    this.#splice = splice;
    this.#edits = splice !== undefined;
    this.#out = new Outgoing(splice);
    this.#envelope = splice?.envelope;
    this.#created = splice !== undefined;
  }

  get interesting(): RegExp | undefined {
    return this.#edits || this.ended || this.#collector.open ? undefined : INTERESTING;
  }

  read(frame: Frame): Reading {
    if (this.ended) return frame.data === undefined || isDone(frame.data) ? 'pass' : 'drop';
    const trace = TRACE_OF_A_CALL.test(frame.raw.toString('latin1'));
    if (trace && frame.unclear) return 'broken';
    if (frame.data === undefined) return 'pass';
    if (isDone(frame.data)) {
      this.ended = true;
      this.#collector.end();
      return this.#pending ? 'finish' : 'pass';
    }
    const event = readEvent(frame);
    if (!event) return trace ? 'broken' : 'pass';
    const mark = this.#collector.take(event);
    if (!mark) return 'broken';
    this.#observe(frame, event);
    if (event.kind === 'snapshot' && this.#splice && !event.final)
      return mark.outputs?.some((call) => call) ? 'broken' : 'drop';
    return this.#readingOf(frame, { event, mark });
  }

  complete(): readonly SeenCall[] {
    return this.#collector.takeFresh();
  }

  release(held: readonly Frame[], verdicts: readonly Verdict[]): readonly Piece[] {
    const blocked = this.#settle(verdicts);
    if (!blocked && !this.#edits) {
      for (const { event } of this.#marks.values()) this.#show(event);
      this.#marks.clear();
      this.#numbers.released();
      return held;
    }
    if (!this.#edits) {
      this.#edits = true;
      this.#out.next = firstNumber(held);
    }
    const pieces = held.flatMap((frame) => this.#pieces(frame));
    this.#marks.clear();
    this.#numbers.released();
    return pieces;
  }

  rewrite(frame: Frame): readonly Piece[] {
    const pieces = this.#pieces(frame);
    this.#marks.delete(frame);
    return pieces;
  }

  conclude(note: string): readonly Piece[] {
    this.ended = true;
    this.#startEdits();
    const item = noteItem(note, 'end');
    const response = { ...(this.#envelope ?? EMPTY), status: 'completed', output: [] };
    const pieces: Piece[] = [];
    if (!this.#created)
      pieces.push(this.#out.made('response.created', { response: { ...response, status: 'in_progress' } }));
    pieces.push(...this.#out.note(this.#out.taken, item));
    pieces.push(this.#out.made('response.completed', { response: { ...response, output: this.#out.items() } }));
    return pieces;
  }

  fail(message: string): readonly Piece[] {
    this.ended = true;
    this.#startEdits();
    const error = { type: 'croft_guard', code: 'croft_guard', message, param: null };
    return [this.#out.made('error', { sequence_number: 0, code: 'croft_guard', message, param: null, error })];
  }

  splice(frames: readonly Frame[], sent: number): ReplyReader {
    // A client that uses the id in `response.created` continues from this response, which has calls without results.
    for (const call of this.#collector.calls) call.result ??= call.item && outputFor(call.item, STOPPED);
    if (!this.#splice) this.#remember(this.#envelope?.id);
    const next = this.#edits ? this.#out.next : (firstNumber(frames.slice(sent)) ?? afterLast(frames));
    const usage = addUsage(this.#splice?.usage, this.#usage);
    return new ResponsesReader({ ...this.#out.continued(next), envelope: this.#envelope, usage });
  }

  #readingOf(frame: Frame, found: Found): Reading {
    const { open, hasFresh } = this.#collector;
    const { event, mark } = found;
    const over = event.kind === 'snapshot' && event.final;
    if (over) this.ended = true;
    if (open || this.#pending) {
      this.#marks.set(frame, found);
      this.#numbers.hold(event.payload);
      if (over) return 'finish';
      if (hasFresh && !open) return 'settle';
      if (open || mark.slot || mark.call) return 'hold';
      return this.#edits ? 'rewrite' : 'pass';
    }
    if (this.#edits) {
      this.#marks.set(frame, found);
      return 'rewrite';
    }
    this.#show(event);
    return 'pass';
  }

  /** Whether a complete call is neither released nor removed. */
  get #pending(): boolean {
    return this.#collector.calls.some(({ outcome }) => outcome === 'pending');
  }

  #observe(frame: Frame, event: ResponsesEvent): void {
    this.#out.named = frame.event !== undefined;
    this.#numbers.see(event.payload);
    if (event.kind !== 'snapshot') return;
    this.#created = true;
    this.#usage = event.response.usage;
    if (typeof event.response.id === 'string') this.#envelope = event.response;
  }

  /** Applies verdicts; a call without one is blocked. Returns whether any is blocked. */
  #settle(verdicts: readonly Verdict[]): boolean {
    const byKey = new Map(verdicts.map((verdict) => [verdict.key, verdict]));
    let blocked = false;
    for (const call of this.#collector.calls) {
      if (call.outcome !== 'pending') continue;
      const verdict = byKey.get(call.key);
      call.outcome = verdict && !verdict.blocked ? 'allowed' : 'blocked';
      if (call.outcome === 'allowed') continue;
      blocked = true;
      call.replacement = noteItem(verdict?.note ?? STOPPED, call.key);
      call.result = call.item && outputFor(call.item, verdict?.result ?? STOPPED);
    }
    return blocked;
  }

  #pieces(frame: Frame): readonly Piece[] {
    const found = this.#marks.get(frame);
    const payload = found?.event.payload ?? (frame.data === undefined ? undefined : parseWireJson(frame.data)?.value);
    if (!isObject(payload)) return [frame];
    if (found?.event.kind === 'snapshot') return this.#snapshot(frame, found);
    const call = found?.mark.slot?.call ?? found?.mark.call;
    if (found && call?.outcome === 'blocked') return this.#note(call, found.event.index);
    if (found?.mark.slot?.isCall && !call) return [];
    if (found) this.#show(found.event);
    return [this.#out.placed(frame, payload, {})];
  }

  #note(call: Call, index: number | undefined): readonly Piece[] {
    if (this.#noted.has(call) || !call.replacement) return [];
    this.#noted.add(call);
    return this.#out.note(index ?? this.#out.taken, call.replacement);
  }

  #snapshot(frame: Frame, { event, mark }: Found): readonly Piece[] {
    const pieces: Piece[] = [];
    const { payload } = event;
    if (event.kind === 'snapshot' && event.final) this.#remember(event.response.id);
    if (event.kind !== 'snapshot') return [this.#out.placed(frame, payload, {})];
    const usage = this.#splice && isObject(event.response.usage) && addUsage(this.#splice.usage, event.response.usage);
    if (event.output.length === 0)
      return [this.#out.placed(frame, payload, usage ? { response: { ...event.response, usage } } : {})];
    const blocked = (mark.outputs ?? []).some((call) => call?.outcome === 'blocked');
    mark.outputs?.forEach((call, at) => {
      // The call was only in the snapshot: send its note to clients that read events, if the position is free.
      if (event.final && call?.outcome === 'blocked' && at === this.#out.taken) pieces.push(...this.#note(call, at));
    });
    if (!blocked && !this.#splice) return [...pieces, this.#out.placed(frame, payload, {})];
    const rest = event.output.map((item, at) => mark.outputs?.[at]?.replacement ?? item);
    const response = { ...event.response, output: this.#out.after(rest), ...(usage && { usage }) };
    return [...pieces, this.#out.placed(frame, payload, { response })];
  }

  /** Remembers the results that a client continuing from this response cannot know about. */
  #remember(responseId: unknown): void {
    openCalls.add(
      responseId,
      this.#collector.calls.flatMap(({ result }) => (result ? [result] : [])),
    );
  }

  #startEdits(): void {
    if (this.#edits) return;
    this.#edits = true;
    this.#out.next = this.#numbers.next();
  }

  #show(event: ResponsesEvent): void {
    if (event.kind === 'item' && event.index !== undefined) this.#out.show(event.index, event.item);
  }
}

const STOPPED = 'Refused: a tool call was stopped and not run.';
/** The response object if the reply's start was not received. */
const EMPTY: JsonObject = { id: 'resp_croft_guard', object: 'response', created_at: 0, model: '', error: null };
