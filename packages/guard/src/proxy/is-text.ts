import { isUtf8 } from 'node:buffer';

/**
 * Whether bytes are what the wires read: UTF-8 without a NUL. Some clients guess the encoding of JSON (Python's `json.loads`
 * of bytes takes a NUL for UTF-16 or UTF-32) or skip what is no UTF-8; they would see a call where a search for its keys
 * sees none.
 */
export function isText(bytes: Buffer): boolean {
  return !bytes.includes(0) && isUtf8(bytes);
}
