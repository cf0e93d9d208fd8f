import type { Frame } from '../../framing/framing.ts';
import { hasMisspeltKey, isObject, type JsonObject, parseWireJson } from '../wire-json.ts';
import { type Block, holdsStrayCall, readBlock } from './blocks.ts';
import { replaceSpans, type Span, spanOf } from '../json-span.ts';

/**
 * Matches (as Latin-1) every event that begins, continues or ends a call, by the value of its type, which clients
 * compare exactly; or an escape in it. Also matches the start of every block, because clients count blocks.
 */
export const INTERESTING = /content_block_st|tool_use|input_json|partial_j|message_st|message_delta|\\u00/i;

/** The relevant parts of one event of the stream. */
export type MessageEvent =
  | { readonly kind: 'message-start'; readonly blocks: readonly Block[]; readonly usage: unknown }
  | { readonly kind: 'block-start'; readonly index: number; readonly block: Block }
  | { readonly kind: 'delta'; readonly index: number; readonly partial: string | undefined }
  | { readonly kind: 'block-stop'; readonly index: number }
  | { readonly kind: 'message-delta'; readonly stop: string | undefined; readonly usage: unknown }
  | { readonly kind: 'message-stop' }
  | { readonly kind: 'other' };

/** An event, and its `type`. */
export interface ReadEvent {
  readonly event: MessageEvent;
  readonly type: string;
  readonly payload: JsonObject;
}

const EVENT_KEYS = new Set(['type', 'index', 'content_block', 'delta', 'message', 'usage']);
const DELTA_KEYS = new Set(['type', 'text', 'partial_json', 'stop_reason']);
const MESSAGE_KEYS = new Set(['type', 'content', 'stop_reason', 'role', 'usage']);

/** Reads an event's data. `undefined` if it is not a JSON object or cannot be read reliably. Never throws. */
export function readEvent(data: string): ReadEvent | undefined {
  const text = data.charCodeAt(0) === 0xfeff ? data.slice(1) : data;
  const payload = parsePayload(text);
  if (!payload || hasMisspeltKey(payload, EVENT_KEYS)) return undefined;
  const { type } = payload;
  if (typeof type !== 'string') return undefined;
  if (type === 'message_start') return readMessageStart(text, payload);
  const strayed = holdsStrayCall(payload, new Set([payload.content_block]));
  if (strayed) return undefined;
  const event = readOther(text, type, payload);
  return event && { event, type, payload };
}

/** The text of a value, if it exists. */
export function textAt(text: string, path: readonly (string | number)[]): string | undefined {
  const span = spanOf(text, path);
  return span && text.slice(span.start, span.end);
}

/**
 * Parses a text in which only the given values may contain a duplicate key. Inputs of calls are judged as text, so a
 * duplicate key in one makes the call ambiguous and not the whole reply.
 */
export function parseExcept(text: string, inputs: (payload: JsonObject) => (readonly (string | number)[])[]) {
  const whole = parseWireJson(text)?.value;
  if (whole !== undefined) return isObject(whole) ? whole : undefined;
  try {
    const payload: unknown = JSON.parse(text);
    if (!isObject(payload)) return undefined;
    const spans = inputs(payload)
      .map((path) => spanOf(text, path))
      .filter((span): span is Span => span !== undefined);
    const rest = replaceSpans(
      text,
      spans.map((span) => ({ span, text: 'null' })),
    );
    return parseWireJson(rest) && payload;
  } catch {
    return undefined;
  }
}

function parsePayload(text: string): JsonObject | undefined {
  return parseExcept(text, (payload) => {
    if (isObject(payload.content_block)) return [['content_block', 'input']];
    const content = isObject(payload.message) ? payload.message.content : undefined;
    return Array.isArray(content) ? content.map((_, place) => ['message', 'content', place, 'input']) : [];
  });
}

function readMessageStart(text: string, payload: JsonObject): ReadEvent | undefined {
  const { message } = payload;
  if (!isObject(message) || hasMisspeltKey(message, MESSAGE_KEYS)) return undefined;
  const content = message.content ?? [];
  if (!Array.isArray(content) || holdsStrayCall(payload, new Set(content))) return undefined;
  const blocks: Block[] = [];
  for (const [place, part] of content.entries()) {
    const block = readBlock(part, textAt(text, ['message', 'content', place, 'input']));
    if (!block) return undefined;
    blocks.push(block);
  }
  return { event: { kind: 'message-start', blocks, usage: message.usage }, type: 'message_start', payload };
}

function readOther(text: string, type: string, payload: JsonObject): MessageEvent | undefined {
  const { index } = payload;
  switch (type) {
    case 'content_block_start': {
      const block = readBlock(payload.content_block, textAt(text, ['content_block', 'input']));
      return block && isIndex(index) ? { kind: 'block-start', index, block } : undefined;
    }
    case 'content_block_delta':
      return readDelta(index, payload.delta);
    case 'content_block_stop':
      return isIndex(index) ? { kind: 'block-stop', index } : undefined;
    case 'message_delta': {
      const { delta } = payload;
      if (!isObject(delta) || hasMisspeltKey(delta, DELTA_KEYS)) return undefined;
      const stop = delta.stop_reason;
      const reason = typeof stop === 'string' && stop !== '' ? stop : undefined;
      return { kind: 'message-delta', stop: reason, usage: payload.usage };
    }
    case 'message_stop':
      return { kind: 'message-stop' };
    default:
      // Clients ignore an event type in another spelling, but it must not contain a block.
      return 'content_block' in payload || 'delta' in payload ? undefined : { kind: 'other' };
  }
}

function readDelta(index: unknown, delta: unknown): MessageEvent | undefined {
  if (!isIndex(index) || !isObject(delta) || hasMisspeltKey(delta, DELTA_KEYS)) return undefined;
  const isInput = delta.type === 'input_json_delta';
  if (isInput !== 'partial_json' in delta) return undefined;
  if (!isInput) return { kind: 'delta', index, partial: undefined };
  // Some clients append the name of any other type, others refuse it.
  return typeof delta.partial_json === 'string' ? { kind: 'delta', index, partial: delta.partial_json } : undefined;
}

/** Whether `Array.prototype.at` and an object key both take the index as the same block. */
function isIndex(index: unknown): index is number {
  return Number.isSafeInteger(index) && (index as number) >= 0;
}

/** Whether a frame may hold an event that matters to the guard. */
export function hasTrace(frame: Frame): boolean {
  return INTERESTING.test(frame.raw.toString('latin1'));
}
