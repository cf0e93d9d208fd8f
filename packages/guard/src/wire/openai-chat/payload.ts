import { foldKey, hasMisspeltKey, isObject, type JsonObject } from '../wire-json.ts';

/** Matches (as Latin-1) every JSON text with a call: a key's name, or an escape in it. */
export const TRACE_OF_A_CALL = /tool_call|function_call|\\u00/i;

const TOP = new Set(['choices', 'error']);
const CHOICE = new Set(['index', 'delta', 'message', 'finish_reason']);
const MESSAGE = new Set(['role', 'content', 'tool_calls', 'function_call']);
const ENTRY = new Set(['index', 'id', 'type', 'function', 'custom']);
const PART = new Set(['name', 'arguments', 'input']);

/** The relevant parts of one choice of a chunk or a reply. */
export interface ReadChoice {
  readonly index: string;
  readonly choice: JsonObject;
  /** `delta` or `message`. */
  readonly message: JsonObject;
  readonly toolCalls: readonly unknown[];
  readonly functionCall: unknown;
  readonly finish: string | undefined;
}

/**
 * The choices of a chunk (`delta`) or of a reply that is not streamed (`message`). `undefined` if they cannot be read
 * reliably: a key in another case, calls in another form than a list, or something like a call in another place.
 */
export function readChoices(payload: JsonObject, holder: 'delta' | 'message'): ReadChoice[] | undefined {
  if (hasMisspeltKey(payload, TOP) || straysFrom(payload, holder)) return undefined;
  const { choices } = payload;
  if (choices === undefined || choices === null) return [];
  if (!Array.isArray(choices)) return undefined;
  const read: ReadChoice[] = [];
  for (const choice of choices) {
    if (!isObject(choice) || hasMisspeltKey(choice, CHOICE)) return undefined;
    const index = choice.index ?? 0;
    if (typeof index !== 'number' && typeof index !== 'string') return undefined;
    const message = choice[holder] ?? {};
    if (!isObject(message) || hasMisspeltKey(message, MESSAGE)) return undefined;
    const toolCalls = message.tool_calls ?? [];
    if (!Array.isArray(toolCalls) || toolCalls.some(isMisspeltEntry)) return undefined;
    const functionCall = message.function_call ?? undefined;
    if (isObject(functionCall) && hasMisspeltKey(functionCall, PART)) return undefined;
    const finish = choice.finish_reason;
    read.push({
      index: String(index),
      choice,
      message,
      toolCalls,
      functionCall,
      finish: typeof finish === 'string' && finish !== '' ? finish : undefined,
    });
  }
  return read;
}

function isMisspeltEntry(entry: unknown): boolean {
  if (!isObject(entry) || hasMisspeltKey(entry, ENTRY)) return true;
  return [entry.function, entry.custom].some((part) => isObject(part) && hasMisspeltKey(part, PART));
}

/** Whether the payload has a member with a call's key where no client of this protocol looks for calls. */
function straysFrom(payload: JsonObject, holder: 'delta' | 'message'): boolean {
  const open: unknown[] = [payload];
  const holders = new Set<unknown>();
  if (Array.isArray(payload.choices))
    for (const choice of payload.choices) if (isObject(choice)) holders.add(choice[holder]);
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    const isHolder = holders.has(item);
    for (const [key, value] of Object.entries(item as JsonObject)) {
      if (typeof value !== 'object' || value === null) continue;
      if (/^(tool_call|function_call)s?$/.test(foldKey(key))) {
        if (isHolder) continue;
        if (Object.keys(value).length > 0) return true;
      }
      open.push(value);
    }
  }
  return false;
}
