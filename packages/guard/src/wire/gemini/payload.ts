import { isObject, type JsonObject } from '../wire-json.ts';
import { foldName, memberNames, readMembers } from './members.ts';

/**
 * Matches (as Latin-1) every JSON text with a call: the key's name in any spelling, or an escaped letter or underscore.
 * Google escapes `<`, `>`, `&`, `=` and `'` in all text; those escapes do not match.
 */
export const TRACE_OF_A_CALL = /function_?call|\\u00[4-7]/i;

const TOP = memberNames('candidates', 'response', 'error');
const CANDIDATE = memberNames('content', 'finishReason', 'index');
const CONTENT = memberNames('parts', 'role');
const PART = memberNames('functionCall', 'thoughtSignature', 'text', 'thought');

/** One part of a candidate's content. */
export interface ReadPart {
  readonly part: JsonObject;
  readonly call: JsonObject | undefined;
  readonly signature: unknown;
}

/** The relevant parts of one candidate of a chunk or a reply. */
export interface ReadCandidate {
  readonly key: string;
  readonly candidate: JsonObject;
  /** Undefined if there are no parts. */
  readonly content: JsonObject | undefined;
  readonly parts: readonly ReadPart[];
  /** The finish reason, as written. */
  readonly finish: string | undefined;
}

/** A GenerateContentResponse. */
export interface ReadPayload {
  /** The response itself: the payload, or the member `response` in which Code Assist wraps it. */
  readonly root: JsonObject;
  readonly wrapped: boolean;
  readonly candidates: readonly ReadCandidate[];
}

/**
 * Reads a chunk or a whole reply, which have the same shape. `undefined` if it cannot be read reliably: a name in
 * another case or in both spellings, values that should be lists, or something like a call where no client of this
 * protocol looks.
 */
export function readPayload(payload: JsonObject): ReadPayload | undefined {
  const top = readMembers(payload, TOP);
  if (!top) return undefined;
  const wrapped = top.candidates === undefined && isObject(top.response);
  const root = wrapped ? (top.response as JsonObject) : payload;
  const members = wrapped ? readMembers(root, TOP) : top;
  const list = members?.candidates ?? [];
  if (!members || !Array.isArray(list)) return undefined;
  const candidates: ReadCandidate[] = [];
  for (const [position, candidate] of list.entries()) {
    const read = readCandidate(candidate, position);
    if (!read) return undefined;
    candidates.push(read);
  }
  const parts = new Set<unknown>(candidates.flatMap((candidate) => candidate.parts.map(({ part }) => part)));
  return straysFrom(payload, parts) ? undefined : { root, wrapped, candidates };
}

function readCandidate(candidate: unknown, position: number): ReadCandidate | undefined {
  const members = isObject(candidate) ? readMembers(candidate, CANDIDATE) : undefined;
  if (!members || !isObject(candidate)) return undefined;
  const content = members.content ?? {};
  const inner = isObject(content) ? readMembers(content, CONTENT) : undefined;
  const list = inner?.parts ?? [];
  if (!inner || !Array.isArray(list)) return undefined;
  const parts: ReadPart[] = [];
  for (const part of list) {
    const read = isObject(part) ? readMembers(part, PART) : undefined;
    if (!read || !isObject(part)) return undefined;
    const { functionCall: call, thoughtSignature: signature } = read;
    if (call !== undefined && !isObject(call)) return undefined;
    parts.push({ part, call, signature });
  }
  return {
    key: JSON.stringify(members.index ?? position),
    candidate,
    content: list.length > 0 && isObject(content) ? content : undefined,
    parts,
    finish: finishOf(members.finishReason),
  };
}

/** Enums are sent as names; `$alt=json;enum-encoding=int` makes them numbers, of which 0 is "unspecified". */
function finishOf(reason: unknown): string | undefined {
  if (typeof reason !== 'string' && typeof reason !== 'number') return undefined;
  const text = String(reason);
  return text === '' || text === '0' || text === 'FINISH_REASON_UNSPECIFIED' ? undefined : text;
}

/** Whether the payload has a member with a call's name outside the parts. Arguments of calls are not searched. */
function straysFrom(payload: JsonObject, parts: ReadonlySet<unknown>): boolean {
  const open: unknown[] = [payload];
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    if (Array.isArray(item)) {
      for (const value of item) if (typeof value === 'object' && value !== null) open.push(value);
      continue;
    }
    if (!isObject(item)) continue;
    for (const [key, value] of Object.entries(item)) {
      if (typeof value !== 'object' || value === null) continue;
      const name = foldName(key);
      if (name === 'functioncall' && parts.has(item)) continue;
      if ((name === 'functioncall' || name === 'functioncalls') && Object.keys(value).length > 0) return true;
      open.push(value);
    }
  }
  return false;
}
