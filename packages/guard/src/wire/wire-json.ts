const MAX_DEPTH = 512;

/** A JSON object from a wire. */
export type JsonObject = { [name: string]: unknown };

/** Whether a value is a JSON object: not an array, not null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Parses JSON from a wire if every client would read it the same way. `undefined` if it is not valid JSON, or if a key
 * occurs twice in one object (some clients take the first value and others the last). Ignores a leading BOM. Never
 * throws. Numbers become doubles. Rejects more than 512 levels: no real reply has them, and `JSON.stringify` would
 * overflow the stack.
 *
 * Duplicates are found by counting: a JSON text has one colon outside strings per member, and `JSON.parse` keeps one
 * member per name.
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
 * Whether an object has a key that differs from one of `names` only in case. The decoders of Go and .NET accept it as
 * that name; all others ignore it.
 */
export function hasMisspeltKey(object: JsonObject, names: ReadonlySet<string>): boolean {
  for (const key of Object.keys(object)) if (!names.has(key) && names.has(foldKey(key))) return true;
  return false;
}

/** Lower case as decoders fold names, including the two letters outside ASCII that fold into it (U+017F, U+212A). */
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

/** The number of colons outside strings; `undefined` if the text is nested too deeply. */
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

/** The end of the string that begins at `start`: the position of its closing quote. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let slashes = 0;
    while (text.charCodeAt(quote - 1 - slashes) === 0x5c) slashes++;
    if (slashes % 2 === 0) return quote;
  }
  return text.length;
}
