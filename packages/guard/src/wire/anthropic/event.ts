import { hasMisspeltKey, isObject, type JsonObject, parseWireJson } from '../wire-json.ts';
import { type Block, holdsStrayCall, readBlock } from './blocks.ts';
import { replaceSpans, type Span, spanOf } from '../json-span.ts';

/**
 * Bytes (as Latin-1) of every event that begins, continues or ends a call, by its type's value, which no client reads but
 * exactly; or an escape it may be written with. Beginnings of all blocks too: clients count them.
 */
export const INTERESTING = /content_block_st|tool_use|input_json|partial_j|message_st|message_delta|\\u00/i;

/** One event of the stream, as far as it matters. */
export type MessageEvent =
  | { readonly kind: 'message-start'; readonly blocks: readonly Block[]; readonly usage: unknown }
  | { readonly kind: 'block-start'; readonly index: number; readonly block: Block }
  | { readonly kind: 'delta'; readonly index: number; readonly partial: string | undefined }
  | { readonly kind: 'block-stop'; readonly index: number }
  | { readonly kind: 'message-delta'; readonly stop: string | undefined; readonly usage: unknown }
  | { readonly kind: 'message-stop' }
  | { readonly kind: 'other' };

/** What was read, and the event's `type`. */
export interface ReadEvent {
  readonly event: MessageEvent;
  readonly type: string;
  readonly payload: JsonObject;
}

const EVENT_KEYS = new Set(['type', 'index', 'content_block', 'delta', 'message', 'usage']);
const DELTA_KEYS = new Set(['type', 'text', 'partial_json', 'stop_reason']);
const MESSAGE_KEYS = new Set(['type', 'content', 'stop_reason', 'role', 'usage']);

/** Reads an event's data. `undefined`: it is no JSON object, or there is no certain reading. Never throws. */
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

/** The text of a value, where it is there. */
export function textAt(text: string, path: readonly (string | number)[]): string | undefined {
  const span = spanOf(text, path);
  return span && text.slice(span.start, span.end);
}

/**
 * Parses a text in which some values may hold a key twice, and nothing else may: what a call takes in is judged as text, so a
 * key that is there twice is the call's fault and not the reply's.
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
      // A type of another spelling is an event to nobody, but a block inside it has no business there.
      return 'content_block' in payload || 'delta' in payload ? undefined : { kind: 'other' };
  }
}

function readDelta(index: unknown, delta: unknown): MessageEvent | undefined {
  if (!isIndex(index) || !isObject(delta) || hasMisspeltKey(delta, DELTA_KEYS)) return undefined;
  const isInput = delta.type === 'input_json_delta';
  if (isInput !== 'partial_json' in delta) return undefined;
  if (!isInput) return { kind: 'delta', index, partial: undefined };
  // Anything else than a string is added up as its name by some clients, and refused by others.
  return typeof delta.partial_json === 'string' ? { kind: 'delta', index, partial: delta.partial_json } : undefined;
}

/** What `Array.prototype.at` and an object's key both take for one and the same block. */
function isIndex(index: unknown): index is number {
  return Number.isSafeInteger(index) && (index as number) >= 0;
}
