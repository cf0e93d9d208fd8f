import { isObject, parseWireJson } from './wire-json.ts';

const KEY = Buffer.from('"model"');
/** A letter of that key may be written so: `"\u006dodel"`. */
const ESCAPED_LETTER = Buffer.from('\\u006');
/** Who sends a model sends it near the front. */
const NEAR = 4_096;
const VALUE = /^"model"\s*:\s*"([^"\\\u0000-\u001f]{1,256})"/;

/**
 * The member `model` of a request's body. `undefined` when it is not there, is no text, or is there twice.
 *
 * A body is often a megabyte of conversation: where the key stands in it once, near the front and at the top, the rest
 * is not parsed, and not checked to be JSON.
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

/** Whether a key that begins at `end` is one of the outermost object's. */
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
