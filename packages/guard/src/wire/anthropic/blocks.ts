import type { ObservedCall } from '../../decision.ts';
import { foldKey, hasMisspeltKey, isObject, type JsonObject } from '../wire-json.ts';
import type { SeenCall } from '../wire.ts';

/** Tools that run upstream before the reply arrives: the guard cannot stop them, and no client runs them. */
const RUN_UPSTREAM = new Set(['server_tool_use', 'mcp_tool_use']);
const BLOCK_KEYS = new Set(['type', 'id', 'name', 'input', 'toolset_name', 'caller']);

/** The relevant parts of a content block's start. */
export interface Block {
  readonly call: BlockCall | undefined;
  /** `input_json_delta` belongs to blocks like this one. */
  readonly takesInput: boolean;
}

/** A call for the client to run. */
export interface BlockCall {
  readonly id: string | undefined;
  /** The names under which a client may run it: its name, and the toolset's, which the AI SDK calls instead. */
  readonly names: readonly string[];
  /** The text of `input`, if present. */
  readonly input: string | undefined;
  /** Whether the protocol has a result type for this block's type. */
  readonly native: boolean;
}

/**
 * Reads a content block. `input` is the text of its input. A block of any type with a name and an input is a call,
 * unless its type is known to run upstream. `undefined` if the block cannot be read reliably.
 */
export function readBlock(block: unknown, input: string | undefined): Block | undefined {
  if (!isObject(block) || hasMisspeltKey(block, BLOCK_KEYS)) return undefined;
  const { type, name } = block;
  if (typeof type !== 'string') return undefined;
  if (RUN_UPSTREAM.has(type)) return { call: undefined, takesInput: true };
  const likeACall = 'input' in block && 'name' in block;
  if (!foldKey(type).endsWith('tool_use') && !likeACall) return { call: undefined, takesInput: false };
  const names = [name, block.toolset_name].filter((value) => value !== undefined && value !== null);
  if (names.length === 0 || !names.every((value) => typeof value === 'string')) return undefined;
  const id = typeof block.id === 'string' && block.id !== '' ? block.id : undefined;
  return { call: { id, names: [...new Set(names)], input, native: type === 'tool_use' }, takesInput: true };
}

/** The possible readings of a call whose block contained `call.input` and whose joined deltas are `deltas`. */
export function readingsOf(call: BlockCall, deltas: string): ObservedCall[] {
  const texts: string[] = [];
  // In the official SDKs deltas override the first input; a client without support for deltas keeps the first.
  const hasDeltas = deltas.trim() !== '';
  if (hasDeltas) texts.push(deltas);
  if (!hasDeltas || !isEmpty(call.input)) texts.push(call.input ?? '{}');
  // The list grows during the loop: a string inside a string contains one more text.
  for (const text of texts) {
    const inner = innerText(text);
    if (inner !== undefined) texts.push(inner);
  }
  return call.names.flatMap((name) => texts.map((text) => ({ name, arguments: text })));
}

/** A call that is not streamed. */
export function seenWhole(key: string, call: BlockCall): SeenCall {
  return { key, readings: readingsOf(call, '') };
}

/**
 * Whether a value contains an object that looks like a call, where no client of this protocol looks for one. Does not
 * search the inputs of calls.
 */
export function holdsStrayCall(value: unknown, known: ReadonlySet<unknown>): boolean {
  const open = [value];
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    if (Array.isArray(item)) {
      open.push(...(item as unknown[]).filter(isContainer));
      continue;
    }
    if (!isObject(item)) continue;
    const isBlock = known.has(item);
    if (!isBlock && hasCallType(item)) return true;
    for (const [key, inner] of Object.entries(item))
      if (isContainer(inner) && !(isBlock && key === 'input')) open.push(inner);
  }
  return false;
}

function hasCallType(object: JsonObject): boolean {
  return Object.entries(object).some(
    ([key, value]) => foldKey(key) === 'type' && typeof value === 'string' && foldKey(value) === 'tool_use',
  );
}

function isContainer(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function isEmpty(input: string | undefined): boolean {
  const plain = input?.replace(/\s+/g, '');
  return plain === undefined || plain === '{}' || plain === 'null';
}

/** An input that is a JSON text in a JSON string: a lenient client reads the inner text. */
function innerText(text: string): string | undefined {
  if (!text.trimStart().startsWith('"')) return undefined;
  try {
    const inner: unknown = JSON.parse(text);
    return typeof inner === 'string' ? inner : undefined;
  } catch {
    return undefined;
  }
}
