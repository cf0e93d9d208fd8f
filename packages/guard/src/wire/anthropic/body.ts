import { hasMisspeltKey, type JsonObject } from '../wire-json.ts';
import type { BodyReading, SeenCall, Verdict } from '../wire.ts';
import { type Block, holdsStrayCall, readBlock, seenWhole } from './blocks.ts';
import { parseExcept, textAt } from './event.ts';
import { elementSpans, replaceSpans, type Replacement, type Span, spanOf } from '../json-span.ts';

/** Matches (as Latin-1) every body with a call: the value of its type, the key of its input, or an escape of either. */
const TRACE = /tool_use|"input"|\\u00/i;
const KEYS = new Set(['type', 'content', 'stop_reason', 'role']);

/** A message that is not streamed. */
export interface Message {
  readonly text: string;
  readonly payload: JsonObject;
  readonly blocks: readonly Block[];
  /** Where each block is in the text. */
  readonly spans: readonly Span[];
}

/** The calls of a message. A body without a trace of one passes unread, whether or not it is JSON. */
export function readAnthropicBody(body: Buffer): BodyReading {
  if (!TRACE.test(body.toString('latin1'))) return { kind: 'plain' };
  const message = readMessage(body);
  if (!message) return { kind: 'broken' };
  const calls: SeenCall[] = [];
  for (const [place, { call }] of message.blocks.entries()) if (call) calls.push(seenWhole(String(place), call));
  return calls.length === 0 ? { kind: 'plain' } : { kind: 'calls', calls };
}

/** Parses a message. `undefined` if it is not a JSON object or cannot be read reliably. */
export function readMessage(body: Buffer): Message | undefined {
  const text = body.toString('utf8').replace(/^\uFEFF/, '');
  const payload = parseExcept(text, ({ content }) =>
    Array.isArray(content) ? content.map((_, place) => ['content', place, 'input']) : [],
  );
  if (!payload || hasMisspeltKey(payload, KEYS)) return undefined;
  const content: unknown[] = Array.isArray(payload.content) ? payload.content : [];
  if (holdsStrayCall(payload, new Set(content))) return undefined;
  const spans = elementSpans(text, ['content']);
  const blocks: Block[] = [];
  for (const [place, part] of content.entries()) {
    const block = readBlock(part, inputIn(text, spans[place]));
    if (!block) return undefined;
    blocks.push(block);
  }
  return { text, payload, blocks, spans };
}

/** The text of the input of the block at `span`, if it has one. */
export function inputIn(text: string, span: Span | undefined): string | undefined {
  return span && textAt(text.slice(span.start, span.end), ['input']);
}

/**
 * The message with a text block in place of each blocked call, and a fitting stop reason; everything else keeps its
 * bytes.
 */
export function rewriteAnthropicBody(body: Buffer, verdicts: readonly Verdict[]): Buffer {
  const message = readMessage(body);
  if (!message) throw new Error('only a body that was read can be rewritten');
  const { text, payload, blocks, spans } = message;
  const replacements: Replacement[] = [];
  let kept = 0;
  for (const [place, { call }] of blocks.entries()) {
    if (!call) continue;
    const verdict = verdicts.find(({ key }) => key === String(place));
    const span = spans[place];
    if (!span) throw new Error('only a body that was read can be rewritten');
    if (verdict && !verdict.blocked) kept++;
    else {
      const note = verdict?.note ?? 'A tool call was refused and not run.';
      replacements.push({ span, text: JSON.stringify({ type: 'text', text: note }) });
    }
  }
  const reason = spanOf(text, ['stop_reason']);
  if (kept === 0 && replacements.length > 0 && payload.stop_reason === 'tool_use' && reason)
    replacements.push({ span: reason, text: '"end_turn"' });
  return Buffer.from(replaceSpans(text, replacements));
}
