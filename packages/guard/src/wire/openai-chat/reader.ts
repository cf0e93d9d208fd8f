import type { Frame, Piece } from '../../framing/framing.ts';
import { addUsage } from '../usage.ts';
import { isObject, type JsonObject, parseWireJson } from '../wire-json.ts';
import type { Reading, ReplyReader, SeenCall, Verdict } from '../wire.ts';
import type { CollectedCall } from './calls.ts';
import { editChoice } from './edit-choices.ts';
import { FragmentTemplate } from './fragment-template.ts';
import { type ReadChoice, readChoices, TRACE_OF_A_CALL } from './payload.ts';
import { collectCalls, type Mark, openCalls, StreamedChoices } from './streamed-choices.ts';

/** Matches a call's key in any spelling, a finish reason, or the end. */
const INTERESTING = /tool_call|function_call|finish_reason"\s*:\s*"|\[DONE\]|\\u00/i;

/** The facts about the first reply that a second one must fit. */
export interface Splice {
  /** `id`, `created`, `model` and similar members of the first reply. */
  readonly envelope: JsonObject;
  readonly roleSent: boolean;
  readonly textSent: boolean;
  /** The usage of the earlier replies. */
  readonly usage: JsonObject | undefined;
}

/** Reads a streamed chat completion. A call is complete when its choice has a finish reason, or at `[DONE]`. */
export class ChatReader implements ReplyReader {
  ended = false;
  #edits: boolean;
  readonly #choices = new StreamedChoices();
  readonly #marks = new Map<Frame, readonly Mark[]>();
  readonly #splice: Splice | undefined;
  #envelope: JsonObject | undefined;
  /** The form of the previous frame, if it contained only a fragment of this call. */
  #like: { template: FragmentTemplate; call: CollectedCall; marks: readonly Mark[] } | undefined;
  #textSent: boolean;

  constructor(splice?: Splice) {
    this.#splice = splice;
    this.#edits = splice !== undefined;
    this.#envelope = splice?.envelope;
    this.#textSent = splice?.textSent ?? false;
  }

  get interesting(): RegExp | undefined {
    return this.#edits || this.ended ? undefined : INTERESTING;
  }

  read(frame: Frame): Reading {
    if (this.ended) return frame.data === undefined ? 'pass' : 'drop';
    const more = this.#like?.template.text(frame.raw);
    if (this.#like && more !== undefined) {
      this.#like.call.addArguments(more);
      this.#marks.set(frame, this.#like.marks);
      return 'hold';
    }
    this.#like = undefined;
    const raw = frame.raw.toString('latin1');
    const trace = TRACE_OF_A_CALL.test(raw);
    if (trace && frame.unclear) return 'broken';
    if (frame.data === undefined) return 'pass';
    if (frame.data.trim() === '[DONE]') {
      this.ended = true;
      return this.#choices.open().length > 0 ? 'finish' : 'pass';
    }
    const payload = parseWireJson(frame.data)?.value;
    if (!isObject(payload)) return trace ? 'broken' : 'pass';
    const choices = readChoices(payload, 'delta');
    if (!choices) return trace ? 'broken' : 'pass';
    this.#envelope ??= envelopeOf(payload);
    const reading = this.#readChoices(frame, choices);
    if (reading === 'hold') this.#learn(frame, raw, choices);
    return reading;
  }

  complete(): SeenCall[] {
    const seen: SeenCall[] = [];
    for (const choice of this.#choices.all()) seen.push(...choice.calls.seen(openCalls(choice)));
    return seen;
  }

  release(held: readonly Frame[], verdicts: readonly Verdict[]): readonly Piece[] {
    const blocked = new Map(verdicts.filter((verdict) => verdict.blocked).map((verdict) => [verdict.key, verdict]));
    this.#settle(blocked);
    const pieces = blocked.size === 0 && !this.#edits ? held : held.flatMap((frame) => this.#pieces(frame, blocked));
    this.#marks.clear();
    return pieces;
  }

  rewrite(frame: Frame): readonly Piece[] {
    const pieces = this.#pieces(frame, new Map());
    this.#marks.delete(frame);
    return pieces;
  }

  conclude(note: string): readonly Piece[] {
    this.ended = true;
    return [this.#made('0', { role: 'assistant', content: note }), this.#made('0', {}, 'stop'), { data: '[DONE]' }];
  }

  fail(message: string): readonly Piece[] {
    this.ended = true;
    return [{ data: JSON.stringify({ error: { message, type: 'croft_guard', param: null, code: 'croft_guard' } }) }];
  }

  splice(frames: readonly Frame[], sent: number): ReplyReader {
    let envelope: JsonObject | undefined = this.#splice?.envelope;
    let roleSent = this.#splice?.roleSent ?? false;
    let textSent = this.#textSent;
    let usage: unknown;
    frames.forEach((frame, position) => {
      const payload = frame.data === undefined ? undefined : parseWireJson(frame.data)?.value;
      if (!isObject(payload)) return;
      envelope ??= envelopeOf(payload);
      usage = payload.usage ?? usage;
      if (position >= sent) return;
      for (const { message } of readChoices(payload, 'delta') ?? []) {
        roleSent ||= typeof message.role === 'string';
        textSent ||= typeof message.content === 'string' && message.content.trim() !== '';
      }
    });
    const total = addUsage(this.#splice?.usage, usage);
    return new ChatReader({ envelope: envelope ?? this.#envelope ?? {}, roleSent, textSent, usage: total });
  }

  #readChoices(frame: Frame, choices: readonly ReadChoice[]): Reading {
    const marks: Mark[] = [];
    for (const read of choices) {
      const choice = this.#choices.of(read.index);
      const mark = collectCalls(choice, read);
      if (!mark) return 'broken';
      marks.push(mark);
      // A call after the end of its choice is complete only with the next end.
      if (openCalls(choice).length > 0) choice.finished = read.finish !== undefined;
      else choice.finished ||= read.finish !== undefined;
    }
    const touched = marks.some((mark) => mark.entries.length > 0 || mark.functionCall !== undefined);
    const open = this.#choices.open();
    if (touched || open.length > 0) this.#marks.set(frame, marks);
    if (open.length === 0) return this.#edits ? 'rewrite' : 'pass';
    return open.every((choice) => choice.finished) ? 'finish' : 'hold';
  }

  #learn(frame: Frame, raw: string, choices: readonly ReadChoice[]): void {
    const [read] = choices;
    const marks = this.#marks.get(frame);
    if (choices.length !== 1 || read?.toolCalls.length !== 1 || read.functionCall !== undefined || read.finish) return;
    const call = this.#choices.of(read.index).calls.calls.find((each) => each.key === marks?.[0]?.entries[0]);
    const template = FragmentTemplate.of(raw, read.toolCalls[0]);
    if (template && call && marks) this.#like = { template, call, marks };
  }

  #settle(blocked: ReadonlyMap<string, Verdict>): void {
    for (const choice of this.#choices.all())
      for (const call of openCalls(choice)) {
        const isBlocked = blocked.has(call.key);
        if (isBlocked) this.#edits = true;
        choice.settled.set(call.key, isBlocked ? undefined : choice.survivors++);
      }
  }

  #pieces(frame: Frame, blocked: Map<string, Verdict>): readonly Piece[] {
    const marks = this.#marks.get(frame);
    if (!marks && !this.#splice) return [frame];
    const payload = frame.data === undefined ? undefined : parseWireJson(frame.data)?.value;
    if (!isObject(payload) || !Array.isArray(payload.choices)) return [frame];
    if (this.#splice) Object.assign(payload, this.#splice.envelope);
    if (isObject(payload.usage)) payload.usage = addUsage(this.#splice?.usage, payload.usage);
    const notes: Piece[] = [];
    const read = readChoices(payload, 'delta') ?? [];
    const kept = read.filter(({ index, choice, message }, position) => {
      const mark = marks?.[position];
      const note = this.#note(mark, blocked);
      if (note !== undefined)
        notes.push(
          this.#made(index, { ...(typeof message.role === 'string' && { role: 'assistant' }), content: note }),
        );
      return this.#edit(index, choice, mark);
    });
    const rest = payload.choices.length > 0 && kept.length === 0 && !isObject(payload.usage);
    if (rest) return notes;
    return [...notes, { data: JSON.stringify({ ...payload, choices: kept.map(({ choice }) => choice) }) }];
  }

  #edit(index: string, object: JsonObject, mark: Mark | undefined): boolean {
    const choice = this.#choices.of(index);
    if (this.#splice?.textSent && this.#textSent) this.#separate(object);
    return editChoice(object, {
      indexes: (mark?.entries ?? []).map((key) => choice.settled.get(key)),
      dropFunctionCall: mark?.functionCall !== undefined && choice.settled.get(mark.functionCall) === undefined,
      withoutCalls: choice.survivors === 0,
      dropRole: this.#splice?.roleSent ?? false,
    });
  }

  /** Separates the text before a refused call from the text of the next reply. */
  #separate(object: JsonObject): void {
    const { delta } = object;
    if (!isObject(delta) || typeof delta.content !== 'string' || delta.content === '') return;
    delta.content = `\n\n${delta.content}`;
    this.#textSent = false;
  }

  /** The notes for blocked calls that first appear in this frame. */
  #note(mark: Mark | undefined, blocked: Map<string, Verdict>): string | undefined {
    const notes: string[] = [];
    for (const key of [...(mark?.entries ?? []), mark?.functionCall ?? '']) {
      const verdict = blocked.get(key);
      if (!verdict) continue;
      blocked.delete(key);
      notes.push(verdict.note);
    }
    return notes.length === 0 ? undefined : notes.join('\n\n');
  }

  #made(index: string, delta: JsonObject, finish: string | null = null): Piece {
    const envelope = this.#envelope ?? {
      id: 'chatcmpl-croft-guard',
      object: 'chat.completion.chunk',
      created: 0,
      model: '',
    };
    const choice = { index: Number(index) || 0, delta, finish_reason: finish };
    return { data: JSON.stringify({ ...envelope, choices: [choice] }) };
  }
}

function envelopeOf(payload: JsonObject): JsonObject {
  const envelope: JsonObject = {};
  for (const name of ['id', 'object', 'created', 'model', 'system_fingerprint'])
    if (payload[name] !== undefined) envelope[name] = payload[name];
  return envelope;
}
