const MAX_DEPTH = 512;

/** A JSON object as it came off a wire. */
export type JsonObject = { [name: string]: unknown };

/** Whether a value is a JSON object: no array, not null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Reads JSON from a wire as every client would, or not at all: `undefined` when it is no JSON, or when a key stands twice in
 * one object (of two such values one client takes the first and another the last). A BOM in front is ignored. Never
 * throws. Numbers become doubles. Deeper than 512 levels is nobody's reply, and could not be written again: `JSON.parse`
 * takes any depth, `JSON.stringify` overflows the stack.
 *
 * Twice is found by counting: a JSON text has one colon outside strings for every member, and `JSON.parse` keeps one
 * member for every name.
 */
export function parseWireJson(text: string): { readonly value: unknown } | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch {
    return undefined;
  }
  const colons = countColons(text);
  return colons !== undefined && countMembers(value) === colons ? { value } : undefined;
}

/**
 * Whether an object has a key that is one of `names` but for letter case. Go's and .NET's decoders take it for that name;
 * all others ignore it.
 */
export function hasMisspeltKey(object: JsonObject, names: ReadonlySet<string>): boolean {
  for (const key of Object.keys(object)) if (!names.has(key) && names.has(foldKey(key))) return true;
  return false;
}

/** Lower case as decoders fold names, with the two letters outside ASCII that fold into it (U+017F, U+212A). */
export function foldKey(key: string): string {
  return key.toUpperCase().toLowerCase();
}

function countMembers(value: unknown): number {
  let members = 0;
  const open = [value];
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    if (typeof item !== 'object' || item === null) continue;
    const values: unknown[] = Array.isArray(item) ? item : Object.values(item);
    if (!Array.isArray(item)) members += values.length;
    for (const inner of values) if (typeof inner === 'object' && inner !== null) open.push(inner);
  }
  return members;
}

/** The colons outside strings; `undefined` where the text is nested too deep. */
function countColons(text: string): number | undefined {
  let colons = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x3a) colons++;
    else if (code === 0x22) at = endOfString(text, at);
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > MAX_DEPTH) return undefined;
    } else if (code === 0x7d || code === 0x5d) depth--;
  }
  return colons;
}

/** Where the string ends that begins at `start`: at its closing quote. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let slashes = 0;
    while (text.charCodeAt(quote - 1 - slashes) === 0x5c) slashes++;
    if (slashes % 2 === 0) return quote;
  }
  return text.length;
}
