import { isUtf8 } from 'node:buffer';
import type { ObservedCall } from '../decision.ts';
import { plainText } from '../judge/words.ts';
import { type JsonEntry, jsonEntries } from './json-entries.ts';

/** The guard's classification of a line from an MCP client. */
export type ClientLine =
  /**
   * Not a tool call for any reader. `bytes` are forwarded: the original ones, with separators escaped that a server
   * could treat as line breaks.
   */
  | { readonly kind: 'pass'; readonly bytes: Buffer; readonly caller?: string | undefined }
  | {
      readonly kind: 'call';
      readonly bytes: Buffer;
      readonly call: ObservedCall;
      readonly answer: AnswerTo;
      readonly caller?: string | undefined;
      /** Why the call cannot be judged. */
      readonly fault?: { readonly rule: 'ambiguous-arguments' | 'invalid-arguments'; readonly reason: string };
    }
  /** Not forwarded. Each request in it gets an error response. */
  | { readonly kind: 'refuse'; readonly code: number; readonly message: string; readonly ids: readonly string[] };

/**
 * Where a response goes: the id as written, and the protocol era. `id` is undefined for a notification, which gets
 * none.
 */
export interface AnswerTo {
  readonly id: string | undefined;
  readonly isModern: boolean;
}

const CR = 13;
const NEWLINE = 10;
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

/** The keys of JSON-RPC and of `tools/call`. A case-insensitive parser accepts them in other spellings too. */
const MESSAGE_KEYS = new Set(['jsonrpc', 'id', 'method', 'params', 'result', 'error', '__proto__']);
const CALL_KEYS = new Set(['name', 'arguments', '_meta', 'task', '__proto__']);
const CALL = 'tools/call';
const META_VERSION = 'io.modelcontextprotocol/protocolVersion';
const META_CLIENT = 'io.modelcontextprotocol/clientInfo';

/**
 * Characters that JSON allows within a string and that some readers treat as line breaks (Node's readline, Python's
 * splitlines).
 */
const SEPARATORS: readonly (readonly [Buffer, string])[] = [
  [Buffer.from('\u2028'), '\\u2028'],
  [Buffer.from('\u2029'), '\\u2029'],
  [Buffer.from('\u0085'), '\\u0085'],
];

/**
 * Classifies a line of an MCP client. Refuses everything that two servers could read differently: invalid JSON or
 * UTF-8, a carriage return within the line (a line break for Python), a batch, a protocol key that occurs twice or in
 * another case.
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
  if (typeof method !== 'string') return refuse(INVALID_REQUEST, 'The method is not a string', ids);
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
    // As text: the judge parses it as strictly as the input of the other entry points.
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
    return { rule: 'invalid-arguments', reason: 'The arguments are not a JSON object' };
  return undefined;
}

/** Why two parsers could find different values under the protocol's keys. */
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

/** The ids, as JSON, of the messages that expect a response. */
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

/** The same message on a single line for every line reader, with the same meaning for every JSON parser. */
function withoutSeparators(line: Buffer): Buffer {
  if (!SEPARATORS.some(([separator]) => line.includes(separator))) return line;
  const text = line.toString('utf8');
  return Buffer.from(
    SEPARATORS.reduce((rest, [separator, escape]) => rest.replaceAll(separator.toString(), escape), text),
  );
}
