import type { Frame, Piece } from '../../framing/framing.ts';
import { addUsage } from '../usage.ts';
import { isObject, type JsonObject, parseWireJson } from '../wire-json.ts';
import type { Reading, ReplyReader, SeenCall, Verdict } from '../wire.ts';
import { collectPayload } from './body.ts';
import { CallCollector } from './calls.ts';
import { readPayload, type ReadPayload, TRACE_OF_A_CALL } from './payload.ts';
import { type Marks, Removal } from './removal.ts';

/** Matches a call, or the end of a candidate, in any spelling. */
const INTERESTING = /function_?call|finish_?reason|\\u00[4-7]/i;

/** The facts about the first reply that a second one must fit. */
export interface Splice {
  /** `responseId`, `modelVersion` and `createTime` of the first reply. */
  readonly envelope: JsonObject;
  readonly textSent: boolean;
  /** The usage of the earlier replies. */
  readonly usage: JsonObject | undefined;
}

/**
 * Reads a streamed reply. A call is complete in its part, or (streamed arguments) in the last of its parts. The
 * protocol has no last frame: the stream ends after the frame in which each candidate has a finish reason. The finish
 * reason does not show whether there are calls (STOP in both cases); older models put one into every chunk, so calls
 * after one are read like the first.
 */
export class GeminiReader implements ReplyReader {
  ended = false;
  readonly #splice: Splice | undefined;
  readonly #collector = new CallCollector();
  readonly #marks = new Map<Frame, Marks>();
  /** Candidates of which the client already has a call. */
  readonly #before = new Set<string>();
  readonly #unfinished = new Set<string>();
  #envelope: JsonObject | undefined;
  #wrapped = false;
  #textSent: boolean;

  constructor(splice?: Splice) {
    this.#splice = splice;
    this.#envelope = splice?.envelope;
    this.#textSent = splice?.textSent ?? false;
  }

  get interesting(): RegExp | undefined {
    return this.#splice || this.ended ? undefined : INTERESTING;
  }

  read(frame: Frame): Reading {
    if (this.ended) return frame.data === undefined ? 'pass' : 'drop';
    const trace = TRACE_OF_A_CALL.test(frame.raw.toString('latin1'));
    if (frame.unclear && (trace || frame.raw.includes(0))) return 'broken';
    if (frame.data === undefined) return 'pass';
    const payload = parseWireJson(frame.data)?.value;
    if (!isObject(payload)) return trace ? 'broken' : 'pass';
    const collected = collectPayload(payload, this.#collector);
    if (!collected) return trace ? 'broken' : 'pass';
    this.#wrapped ||= collected.read.wrapped;
    this.#envelope ??= envelopeOf(collected.read.root);
    return this.#readingOf(frame, collected.read, collected.marks);
  }

  complete(): SeenCall[] {
    const fresh = this.#collector.calls.filter((call) => call.complete && !call.reported);
    for (const call of fresh) call.reported = true;
    return fresh.map((call) => call.seen());
  }

  release(held: readonly Frame[], verdicts: readonly Verdict[]): readonly Piece[] {
    const calls = this.#collector.takeComplete();
    const blocked = new Set(verdicts.filter((verdict) => verdict.blocked).map((verdict) => verdict.key));
    const removal = new Removal(calls, verdicts, this.#before);
    for (const call of calls) if (!blocked.has(call.key)) this.#before.add(call.candidate);
    const pieces = blocked.size === 0 && !this.#splice ? held : held.flatMap((frame) => this.#pieces(frame, removal));
    this.#marks.clear();
    return pieces;
  }

  rewrite(frame: Frame): readonly Piece[] {
    return this.#pieces(frame, undefined);
  }

  conclude(note: string): readonly Piece[] {
    this.ended = true;
    const content = { role: 'model', parts: [{ text: note }] };
    const response = { candidates: [{ content, finishReason: 'STOP', index: 0 }], ...this.#envelope };
    return [{ data: JSON.stringify(this.#wrapped ? { response } : response) }];
  }

  fail(message: string): readonly Piece[] {
    this.ended = true;
    return [{ data: JSON.stringify({ error: { code: 500, message, status: 'INTERNAL' } }) }];
  }

  splice(frames: readonly Frame[], sent: number): ReplyReader {
    let envelope = this.#splice?.envelope;
    let textSent = this.#textSent;
    let usage: unknown;
    for (const [position, frame] of frames.entries()) {
      const read = readFrame(frame);
      if (!read) continue;
      envelope ??= envelopeOf(read.root);
      usage = read.root.usageMetadata ?? read.root.usage_metadata ?? usage;
      if (position < sent)
        textSent ||= read.candidates.some((candidate) => candidate.parts.some(({ part }) => isText(part)));
    }
    const total = addUsage(this.#splice?.usage, usage);
    return new GeminiReader({ envelope: envelope ?? this.#envelope ?? {}, textSent, usage: total });
  }

  #readingOf(frame: Frame, read: ReadPayload, marks: Marks): Reading {
    for (const candidate of read.candidates) {
      if (candidate.finish !== undefined) this.#unfinished.delete(candidate.key);
      else if (candidate.parts.some((part) => part.call)) this.#unfinished.add(candidate.key);
    }
    const touched = marks.some((calls) => calls.some((call) => call !== undefined));
    if (touched) this.#marks.set(frame, marks);
    if (this.#collector.calls.length === 0) return this.#splice ? 'rewrite' : 'pass';
    const over = read.candidates.some((candidate) => candidate.finish !== undefined) && this.#unfinished.size === 0;
    if (over) {
      this.#collector.finish();
      return 'finish';
    }
    if (this.#collector.open) return 'hold';
    return touched ? 'settle' : 'hold';
  }

  #pieces(frame: Frame, removal: Removal | undefined): readonly Piece[] {
    const marks = this.#marks.get(frame);
    if (!marks && !this.#splice) return [frame];
    const payload = frame.data === undefined ? undefined : parseWireJson(frame.data)?.value;
    const read = isObject(payload) ? readPayload(payload) : undefined;
    if (!read) return marks ? [] : [frame];
    if (removal && marks && !removal.apply(read, marks)) return [];
    if (this.#splice) this.#fit(read, this.#splice);
    return [{ data: JSON.stringify(payload) }];
  }

  /** Rewrites a frame of a second reply to continue the first. */
  #fit(read: ReadPayload, splice: Splice): void {
    Object.assign(read.root, splice.envelope);
    for (const name of ['usageMetadata', 'usage_metadata'])
      if (isObject(read.root[name])) read.root[name] = addUsage(splice.usage, read.root[name]);
    if (!this.#textSent) return;
    for (const { content } of read.candidates) {
      const parts: unknown = content?.parts;
      if (!Array.isArray(parts)) continue;
      const place = parts.findIndex((part) => isObject(part) && isText(part));
      if (place === -1) continue;
      // Separates the text before a refused call from the text of the next reply. A part of its own, because the next
      // one may be signed.
      parts.splice(place, 0, { text: '\n\n' });
      this.#textSent = false;
      return;
    }
  }
}

/** A frame's payload, if it can be read. */
export function readFrame(frame: Frame): ReadPayload | undefined {
  const payload = frame.data === undefined ? undefined : parseWireJson(frame.data)?.value;
  return isObject(payload) ? readPayload(payload) : undefined;
}

function isText(part: JsonObject): boolean {
  return typeof part.text === 'string' && part.text.trim() !== '' && part.thought !== true;
}

function envelopeOf(root: JsonObject): JsonObject {
  const envelope: JsonObject = {};
  for (const name of ['responseId', 'modelVersion', 'createTime'])
    if (root[name] !== undefined) envelope[name] = root[name];
  return envelope;
}
