import type { Frame } from '../../framing/framing.ts';
import { hasMisspeltKey, isObject, type JsonObject, parseWireJson } from '../wire-json.ts';
import { isCallItem, isCallType } from './items.ts';

/** Matches (as Latin-1) everything that must be read: calls in any spelling, whole items, snapshots, the end. */
export const INTERESTING =
  /_call|output_item|response\.(?:cre|que|in_pro|com|inc|fai|can|don)|"(?:item|response|choices|output)"|\[DONE\]|\\u00/i;

/** A frame or body that matches must be readable without doubt. */
export const TRACE_OF_A_CALL = INTERESTING;

const FRAME = new Set(
  'type item response output_index item_id delta arguments input diff name output choices part'.split(' '),
);
const RESPONSE = new Set(['id', 'output', 'status']);
const ITEM = new Set(
  'type id call_id name namespace arguments input action operation content command commands'.split(' '),
);

/** Members of a response that repeat the request, including old calls, or that are checked separately. */
const ECHOED = new Set(['output', 'instructions', 'input', 'tools', 'prompt', 'metadata']);

const CHANNELS: readonly (readonly [string, Channel])[] = [
  ['response.function_call_arguments.', 'arguments'],
  ['response.custom_tool_call_input.', 'input'],
  ['response.apply_patch_call_operation_diff.', 'diff'],
];

/** Events about items that are not calls for the client. */
const ABOUT_NO_CALL =
  /^response\.(?:mcp_call|mcp_list_tools|web_search_call|file_search_call|code_interpreter_call|image_generation_call|computer_call|tool_search_call)/;

/** The part of a call to which a fragment belongs; `other` if it is unknown. */
export type Channel = 'arguments' | 'input' | 'diff' | 'other';

interface About {
  readonly type: string;
  readonly payload: JsonObject;
  readonly index: number | undefined;
  readonly itemId: string | undefined;
}

/** The relevant parts of one event of a streamed response. */
export type ResponsesEvent = About &
  (
    | { readonly kind: 'item'; readonly done: boolean; readonly item: JsonObject }
    | {
        readonly kind: 'fragment';
        readonly channel: Channel;
        readonly text: string;
        /** The complete text again, rather than a piece of it. */
        readonly whole: boolean;
        readonly name: string | undefined;
      }
    | {
        readonly kind: 'snapshot';
        readonly response: JsonObject;
        readonly output: readonly unknown[];
        readonly final: boolean;
      }
    | { readonly kind: 'other' }
  );

/**
 * The event in a frame. `undefined` if it is not a JSON object or cannot be read reliably: a key that occurs twice or
 * in another case, an event with two types, a call where no client looks for one.
 */
export function readEvent(frame: Frame): ResponsesEvent | undefined {
  const payload = frame.data === undefined ? undefined : parseWireJson(frame.data)?.value;
  if (!isObject(payload) || hasMisspeltKey(payload, FRAME) || hasPrototypeKey(payload)) return undefined;
  const { event } = frame;
  if (payload.type !== undefined && typeof payload.type !== 'string') return undefined;
  if (payload.type !== undefined && event?.startsWith('response.') && event !== payload.type) return undefined;
  const type = payload.type ?? event ?? '';
  if (isCallType(type) || Array.isArray(payload.choices) || Array.isArray(payload.output)) return undefined;
  const { output_index: index, item_id: itemId, item, response } = payload;
  if (!isAbsent(index) && typeof index !== 'number') return undefined;
  if (!isAbsent(itemId) && typeof itemId !== 'string') return undefined;
  const about = { type, payload, index: index ?? undefined, itemId: itemId ?? undefined };
  if (!isAbsent(response)) return isAbsent(item) && isObject(response) ? snapshot(about, response) : undefined;
  if (isFinal(type)) return snapshot(about, {});
  if (!isAbsent(item)) {
    if (!isObject(item) || !isPlainItem(item) || hidesCall([payload], item)) return undefined;
    const id = typeof item.id === 'string' ? item.id : about.itemId;
    return { ...about, itemId: id, kind: 'item', done: type !== 'response.output_item.added', item };
  }
  return hidesCall([payload]) ? undefined : fragment(about);
}

function snapshot(about: About, response: JsonObject): ResponsesEvent | undefined {
  const output = readOutput(response);
  return output && { ...about, kind: 'snapshot', response, output, final: isFinal(about.type) };
}

/** A response's output. `undefined` if it cannot be read reliably. */
export function readOutput(response: JsonObject): readonly unknown[] | undefined {
  if (hasMisspeltKey(response, RESPONSE) || hasPrototypeKey(response)) return undefined;
  const { output } = response;
  if (!isAbsent(output) && !Array.isArray(output)) return undefined;
  for (const [key, value] of Object.entries(response)) if (!ECHOED.has(key) && hidesCall([value])) return undefined;
  const items: readonly unknown[] = output ?? [];
  return items.every((item) => !isObject(item) || isPlainItem(item)) ? items : undefined;
}

function isPlainItem(item: JsonObject): boolean {
  if (hasMisspeltKey(item, ITEM) || hasPrototypeKey(item)) return false;
  return isCallItem(item) || !hidesCall(Object.values(item));
}

/** Whether these values contain something with the type of a call; `except` is not searched. */
function hidesCall(values: readonly unknown[], except?: unknown): boolean {
  const open = [...values];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null || value === except) continue;
    if (isObject(value) && isCallType(value.type)) return true;
    for (const inner of Object.values(value)) if (typeof inner === 'object' && inner !== null) open.push(inner);
  }
  return false;
}

function fragment(about: About): ResponsesEvent | undefined {
  const { payload, type } = about;
  const found = CHANNELS.find(([prefix]) => type.startsWith(prefix));
  if (!found) {
    const foreign = type.includes('_call') && !ABOUT_NO_CALL.test(type);
    return foreign
      ? { ...about, kind: 'fragment', channel: 'other', text: '', whole: false, name: undefined }
      : { ...about, kind: 'other' };
  }
  const [prefix, channel] = found;
  const whole = type !== `${prefix}delta`;
  const text = whole ? payload[channel] : payload.delta;
  const { name } = payload;
  if ((!isAbsent(text) && typeof text !== 'string') || (!isAbsent(name) && typeof name !== 'string')) return undefined;
  return { ...about, kind: 'fragment', channel, text: text ?? '', whole, name: name || undefined };
}

function isFinal(type: string): boolean {
  return /^response\.(?:completed|incomplete|failed|cancelled|done)$/.test(type);
}

function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}

/** A client that copies the object by assignment would set the prototype. */
function hasPrototypeKey(object: JsonObject): boolean {
  return Object.hasOwn(object, '__proto__');
}

/** Whether this is the data of the frame after the last event. */
export function isDone(data: string): boolean {
  return data.trim() === '[DONE]';
}
