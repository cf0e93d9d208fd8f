import { isUtf8 } from 'node:buffer';
import type { ObservedCall } from '../decision.ts';
import { plainText } from '../judge/words.ts';
import { type JsonEntry, jsonEntries } from './json-entries.ts';

/** What a line from an MCP client is to the guard. */
export type ClientLine =
  /** No tool call for any reader. `bytes` go on: those that came, but for separators a server could take for line breaks. */
  | { readonly kind: 'pass'; readonly bytes: Buffer; readonly caller?: string | undefined }
  | {
      readonly kind: 'call';
      readonly bytes: Buffer;
      readonly call: ObservedCall;
      readonly answer: AnswerTo;
      readonly caller?: string | undefined;
      /** Why it cannot be judged although it is a call. */
      readonly fault?: { readonly rule: 'ambiguous-arguments' | 'invalid-arguments'; readonly reason: string };
    }
  /** Not forwarded; what is waited for is answered with an error. */
  | { readonly kind: 'refuse'; readonly code: number; readonly message: string; readonly ids: readonly string[] };

/** Whom an answer is for: the id as it was written, and in which era's form. Nobody waits when there is no id. */
export interface AnswerTo {
  readonly id: string | undefined;
  readonly isModern: boolean;
}

const CR = 13;
const NEWLINE = 10;
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

/** What JSON-RPC and `tools/call` give a meaning to. A reader that is careless of case finds these in other spellings. */
const MESSAGE_KEYS = new Set(['jsonrpc', 'id', 'method', 'params', 'result', 'error', '__proto__']);
const CALL_KEYS = new Set(['name', 'arguments', '_meta', 'task', '__proto__']);
const CALL = 'tools/call';
const META_VERSION = 'io.modelcontextprotocol/protocolVersion';
const META_CLIENT = 'io.modelcontextprotocol/clientInfo';

/** Line breaks to some readers (Node's readline, Python's splitlines) that JSON allows within a string. */
const SEPARATORS: readonly (readonly [Buffer, string])[] = [
  [Buffer.from('\u2028'), '\\u2028'],
  [Buffer.from('\u2029'), '\\u2029'],
  [Buffer.from('\u0085'), '\\u0085'],
];

/**
 * Says what a line of an MCP client is. What two servers could read differently is never passed on: no JSON, no UTF-8, a
 * carriage return within the line (a line break to Python), a batch, a key of the protocol twice or in another spelling.
 */
export function readClientLine(line: Buffer): ClientLine {
  const body = withoutBreak(line);
  if (!isUtf8(body)) return refuse(PARSE_ERROR, 'The message is not UTF-8');
  const text = body.toString('utf8');
  if (text.trim() === '' && !body.includes(CR)) return { kind: 'pass', bytes: line };
  if (body.includes(CR))
    return refuse(PARSE_ERROR, 'The message holds a carriage return: one message a line is expected');
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return refuse(PARSE_ERROR, 'Not JSON: one message a line is expected');
  }
  if (Array.isArray(message))
    return refuse(INVALID_REQUEST, 'Batches are not taken: send each message on a line of its own', idsOf(message));
  if (typeof message !== 'object' || message === null) return refuse(INVALID_REQUEST, 'Not a JSON-RPC message');
  return readMessage(text, message as Record<string, unknown>, withoutSeparators(line));
}

function readMessage(text: string, message: Readonly<Record<string, unknown>>, bytes: Buffer): ClientLine {
  const entries = jsonEntries(text);
  const ids = idsOf([message]);
  const problem = ambiguity(entries, MESSAGE_KEYS);
  if (problem !== undefined) return refuse(INVALID_REQUEST, problem, ids);
  const { method, params } = message;
  if (method === undefined) return { kind: 'pass', bytes };
  if (typeof method !== 'string') return refuse(INVALID_REQUEST, 'The method is no text', ids);
  if (method !== CALL) {
    if (plainText(method).trim().toLowerCase() === CALL)
      return refuse(INVALID_REQUEST, `The method is written ${JSON.stringify(method.slice(0, 40))}, not ${CALL}`, ids);
    return { kind: 'pass', bytes, ...(method === 'initialize' && { caller: nameIn(fieldsOf(params).clientInfo) }) };
  }
  const meta = fieldsOf(fieldsOf(params)._meta);
  const caller = nameIn(meta[META_CLIENT]);
  const raw = entries.find(({ key }) => key === 'params')?.raw ?? '';
  if (!raw.startsWith('{')) return refuse(INVALID_REQUEST, 'A tool call needs params: an object', ids);
  if ('id' in message && ids.length === 0) return refuse(INVALID_REQUEST, 'The id is neither a text nor a number');
  const inner = jsonEntries(raw);
  const { name, arguments: given } = params as Record<string, unknown>;
  const args = inner.find(({ key }) => key === 'arguments')?.raw;
  const fault = faultOf(inner, name, given);
  return {
    kind: 'call',
    bytes,
    // As text: the judge reads it as strictly as it reads what comes over the other doors.
    call: { name: typeof name === 'string' ? name : '', arguments: args === 'null' ? undefined : args },
    answer: { id: entries.find(({ key }) => key === 'id')?.raw, isModern: META_VERSION in meta },
    ...(caller !== undefined && { caller }),
    ...(fault && { fault }),
  };
}

function faultOf(
  params: readonly JsonEntry[],
  name: unknown,
  given: unknown,
): Extract<ClientLine, { kind: 'call' }>['fault'] {
  const problem = ambiguity(params, CALL_KEYS);
  if (problem !== undefined) return { rule: 'ambiguous-arguments', reason: problem };
  if (typeof name !== 'string') return { rule: 'invalid-arguments', reason: 'The call names no tool' };
  if (given !== undefined && (given === null ? false : typeof given !== 'object' || Array.isArray(given)))
    return { rule: 'invalid-arguments', reason: 'The arguments are no JSON object' };
  return undefined;
}

/** Why two readers could find different values under the keys of the protocol. */
function ambiguity(entries: readonly JsonEntry[], known: ReadonlySet<string>): string | undefined {
  const seen = new Set<string>();
  for (const { key } of entries) {
    const folded = key.length > 40 ? key : plainText(key).trim().toLowerCase();
    if (!known.has(folded)) continue;
    if (key === '__proto__') return 'The message holds the key "__proto__", which programs read differently';
    if (key !== folded)
      return `The message spells the key "${folded}" as ${JSON.stringify(key)}, which programs read differently`;
    if (seen.has(key)) return `The message holds the key "${key}" twice, and programs differ in which one they take`;
    seen.add(key);
  }
  return undefined;
}

function refuse(code: number, message: string, ids: readonly string[] = []): ClientLine {
  return { kind: 'refuse', code, message, ids };
}

/** The ids of those messages that wait for an answer, as JSON. */
function idsOf(messages: readonly unknown[]): readonly string[] {
  return messages.slice(0, 100).flatMap((message) => {
    const { id, method } = fieldsOf(message);
    return method !== undefined && (typeof id === 'string' || typeof id === 'number') ? [JSON.stringify(id)] : [];
  });
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function nameIn(client: unknown): string | undefined {
  const { name } = fieldsOf(client);
  return typeof name === 'string' && name !== '' ? name : undefined;
}

function withoutBreak(line: Buffer): Buffer {
  if (line.at(-1) !== NEWLINE) return line;
  return line.subarray(0, line.at(-2) === CR ? -2 : -1);
}

/** The same message for every reader of JSON, on one line for every reader of lines. */
function withoutSeparators(line: Buffer): Buffer {
  if (!SEPARATORS.some(([separator]) => line.includes(separator))) return line;
  const text = line.toString('utf8');
  return Buffer.from(
    SEPARATORS.reduce((rest, [separator, escape]) => rest.replaceAll(separator.toString(), escape), text),
  );
}
