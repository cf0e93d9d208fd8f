import { isUtf8 } from 'node:buffer';

/**
 * Whether bytes are UTF-8 without a NUL, the only form that the wires read. Some clients guess the encoding of JSON
 * (Python's `json.loads` treats bytes with a NUL as UTF-16 or UTF-32) or skip invalid UTF-8; they could see a call
 * where a search for its keys finds none.
 */
export function isText(bytes: Buffer): boolean {
  return !bytes.includes(0) && isUtf8(bytes);
}
