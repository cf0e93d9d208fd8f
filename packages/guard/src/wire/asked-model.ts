import { isObject, parseWireJson } from './wire-json.ts';

const KEY = Buffer.from('"model"');
/** A letter of the key may be escaped: `"\u006dodel"`. */
const ESCAPED_LETTER = Buffer.from('\\u006');
/** Clients write the model near the start of a request. */
const NEAR = 4_096;
const VALUE = /^"model"\s*:\s*"([^"\\\u0000-\u001f]{1,256})"/;

/**
 * The member `model` of a request's body. `undefined` if it is missing, is not a string, or occurs twice.
 *
 * A body is often a megabyte of conversation. If the key occurs once, near the start and at the top level, the rest is
 * neither parsed nor validated.
 */
export function askedModel(request: Buffer | undefined): string | undefined {
  if (request === undefined) return undefined;
  const at = request.subarray(0, NEAR).indexOf(KEY);
  if (at !== -1 && request.indexOf(KEY, at + 1) === -1 && request.indexOf(ESCAPED_LETTER) === -1) {
    const value = VALUE.exec(request.toString('utf8', at, at + 300))?.[1];
    if (value !== undefined && !value.includes('\ufffd') && isAtTop(request, at)) return value;
  }
  const asked = parseWireJson(request.toString('utf8'))?.value;
  return isObject(asked) && typeof asked.model === 'string' ? asked.model : undefined;
}

/** Whether a key that begins at `end` belongs to the outermost object. */
function isAtTop(bytes: Buffer, end: number): boolean {
  let depth = 0;
  for (let at = 0; at < end; at++) {
    const byte = bytes[at];
    if (byte === 0x22 /* " */) {
      for (at++; at < end && bytes[at] !== 0x22; at++) if (bytes[at] === 0x5c /* \ */) at++;
      if (at >= end) return false;
    } else if (byte === 0x7b /* { */ || byte === 0x5b /* [ */) depth++;
    else if (byte === 0x7d /* } */ || byte === 0x5d /* ] */) depth--;
  }
  return depth === 1;
}
