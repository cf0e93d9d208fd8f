import type { ObservedCall } from '../../decision.ts';
import { isObject, type JsonObject } from '../wire-json.ts';

/** The types of output items that a client runs, and the member with the content. */
const BODY_OF: Readonly<Record<string, string>> = {
  function_call: 'arguments',
  custom_tool_call: 'input',
  local_shell_call: 'action',
  shell_call: 'action',
  apply_patch_call: 'operation',
};

/** The names of calls without a name member. */
const NAME_OF: Readonly<Record<string, string>> = {
  local_shell_call: 'local_shell',
  shell_call: 'shell',
  apply_patch_call: 'apply_patch_call',
};

/**
 * Items that are not calls for the client to run on files: text, tools that ran upstream, and other actions of a client
 * (a computer's screen, approving an upstream call, a search for tools).
 */
const NO_CALLS = new Set([
  'message',
  'reasoning',
  'compaction',
  'compaction_summary',
  'item_reference',
  'additional_tools',
  'program',
  'computer_call',
  'web_search_call',
  'file_search_call',
  'code_interpreter_call',
  'image_generation_call',
  'mcp_call',
  'mcp_list_tools',
  'mcp_approval_request',
  'mcp_approval_response',
  'tool_search_call',
]);

/** Members in which a client could look for the content of a call. */
const SAYING = [
  'arguments',
  'input',
  'action',
  'operation',
  'command',
  'commands',
  'parameters',
  'args',
  'patch',
  'function',
  'custom',
];

/** Members that identify a call and its state. */
const ENVELOPE = new Set(['type', 'id', 'call_id', 'status', 'created_by', 'caller', 'namespace', 'name', 'async']);

/** Whether a type is a call that the protocol has a client run. */
export function isCallType(type: unknown): type is string {
  return typeof type === 'string' && Object.hasOwn(BODY_OF, type);
}

/**
 * Whether an output item is a call for the client to run. An item of an unknown type is one if it looks like one: a
 * type that a newer client knows must not bypass the guard.
 */
export function isCallItem(item: JsonObject): boolean {
  const { type } = item;
  if (isCallType(type)) return true;
  if (typeof type === 'string' && (NO_CALLS.has(type) || type.endsWith('_output'))) return false;
  if (typeof type === 'string' && /call|tool|exec|shell|patch|command|function/i.test(type)) return true;
  return item.call_id !== undefined || SAYING.some((key) => item[key] !== undefined);
}

/** The member with the content of a call. `undefined` for an unknown type. */
export function bodyKey(type: unknown): string | undefined {
  return isCallType(type) ? BODY_OF[type] : undefined;
}

/** Every way in which a client could read one item alone. */
export function readingsOf(item: JsonObject): ObservedCall[] {
  const own = bodyKey(item.type);
  const bodies: { body: unknown; isText: boolean }[] = [];
  if (own === undefined) bodies.push({ body: withoutEnvelope(item), isText: false });
  else if (own === 'action' || own === 'operation')
    bodies.push({ body: isObject(item[own]) ? item[own] : withoutEnvelope(item), isText: false });
  else bodies.push({ body: item[own], isText: item.type === 'custom_tool_call' && typeof item[own] === 'string' });
  for (const key of SAYING) {
    if (own === undefined || key === own || isEmpty(item[key])) continue;
    bodies.push({ body: typeof item[key] === 'string' ? { [key]: item[key] } : item[key], isText: false });
  }
  return namesOf(item).flatMap((name) =>
    bodies.map(({ body, isText }) => (isText ? { name, arguments: body, isText } : { name, arguments: body })),
  );
}

/** A client may look up a tool with or without its namespace. */
function namesOf(item: JsonObject): string[] {
  const fixed = typeof item.type === 'string' ? NAME_OF[item.type] : undefined;
  if (fixed !== undefined) return [fixed];
  const name = typeof item.name === 'string' ? item.name : '';
  if (!isCallType(item.type)) return [name || (typeof item.type === 'string' ? item.type : '')];
  return typeof item.namespace === 'string' && item.namespace !== '' ? [name, `${item.namespace}.${name}`] : [name];
}

function withoutEnvelope(item: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(item).filter(([key]) => !ENVELOPE.has(key)));
}

/** Whether a value is empty. */
export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/**
 * Whether `whole` contains everything in `part`: then a call in progress is the start of the finished one, and not a
 * second reading.
 */
export function covers(whole: unknown, part: unknown): boolean {
  if (isEmpty(part) || whole === part) return true;
  if (typeof part === 'string') return typeof whole === 'string' && whole.startsWith(part);
  if (Array.isArray(part))
    return Array.isArray(whole) && part.length <= whole.length && part.every((value, at) => covers(whole[at], value));
  if (!isObject(part) || !isObject(whole)) return false;
  return Object.entries(part).every(([key, value]) =>
    covers(Object.hasOwn(whole, key) ? whole[key] : undefined, value),
  );
}

/** The item that answers a call: what a client sends after running it, here with a refusal. `undefined` if unknown. */
export function outputFor(item: JsonObject, result: string): JsonObject | undefined {
  const { call_id } = item;
  if (typeof call_id !== 'string' || call_id === '') return undefined;
  switch (item.type) {
    case 'function_call':
    case 'custom_tool_call':
    case 'local_shell_call':
      return { type: `${item.type}_output`, call_id, output: result };
    case 'shell_call': {
      const limit = isObject(item.action) ? item.action.max_output_length : undefined;
      const output = [{ stdout: '', stderr: result, outcome: { type: 'exit', exit_code: 1 } }];
      return {
        type: 'shell_call_output',
        call_id,
        output,
        ...(typeof limit === 'number' && { max_output_length: limit }),
      };
    }
    case 'apply_patch_call':
      return { type: 'apply_patch_call_output', call_id, status: 'failed', output: result };
    default:
      return undefined;
  }
}

/**
 * Whether the client must answer this item although the guard does not judge it. The guard cannot answer a turn with
 * such an item.
 */
export function awaitsClient(item: JsonObject): boolean {
  if (item.type === 'computer_call' || item.type === 'mcp_approval_request') return true;
  return item.type === 'tool_search_call' && item.execution === 'client';
}
