import { isUtf8 } from 'node:buffer';
import { WorkspaceError } from '../errors.ts';

/**
 * `unknown-8bit` is text that is not valid UTF-8 (such as Latin-1): shown with U+FFFD for unreadable bytes, and never
 * written back.
 */
export type Encoding = 'utf-8' | 'utf-8-bom' | 'utf-16le' | 'utf-16be' | 'unknown-8bit';

/** The text of a file and how its bytes carried it. */
export interface DecodedText {
  readonly text: string;
  readonly encoding: Encoding;
}

/** UTF-16 is recognised by its byte-order mark only: without one it is binary to every tool. */
export function sniffEncoding(bytes: Uint8Array): 'utf-8-bom' | 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8-bom';
  return undefined;
}

/** NUL within the first `sniffBytes`, unless a byte-order mark says UTF-16. */
export function isBinary(bytes: Buffer, sniffBytes: number): boolean {
  const mark = sniffEncoding(bytes);
  if (mark === 'utf-16le' || mark === 'utf-16be') return false;
  return bytes.subarray(0, sniffBytes).includes(0);
}

/** Decodes a whole file that is not binary. Never throws: what is not UTF-8 or UTF-16 is `unknown-8bit`. */
export function decodeText(bytes: Buffer): DecodedText {
  const encoding = sniffEncoding(bytes);
  // Half a character at the end is invalid: such a file could not be written back unchanged.
  if (encoding?.startsWith('utf-16') && bytes.length % 2 === 1) {
    const even = decodeText(bytes.subarray(0, bytes.length - 1));
    return { text: `${even.text}\ufffd`, encoding: 'unknown-8bit' };
  }
  switch (encoding) {
    case 'utf-16le':
      return { text: bytes.subarray(2).toString('utf16le'), encoding };
    case 'utf-16be':
      return { text: swapped(bytes.subarray(2)).toString('utf16le'), encoding };
    case 'utf-8-bom':
      return { text: bytes.toString('utf8', 3), encoding: isUtf8(bytes) ? encoding : 'unknown-8bit' };
    case undefined:
      return { text: bytes.toString('utf8'), encoding: isUtf8(bytes) ? 'utf-8' : 'unknown-8bit' };
  }
}

/** The exact inverse of {@link decodeText} for text; bytes that were not touched come back as they were. */
export function encodeText(text: string, encoding: Encoding): Buffer {
  switch (encoding) {
    case 'utf-8':
      return Buffer.from(text, 'utf8');
    case 'utf-8-bom':
      return Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(text, 'utf8')]);
    case 'utf-16le':
      return Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
    case 'utf-16be':
      return Buffer.concat([Buffer.from([0xfe, 0xff]), swapped(Buffer.from(text, 'utf16le'))]);
    case 'unknown-8bit':
      throw new WorkspaceError('not_text', 'This text has no encoding it could be written back in');
  }
}

/** Bytes of the byte-order mark a file of this encoding begins with. */
export function markSize(encoding: Encoding): number {
  return encoding === 'utf-8-bom' ? 3 : encoding.startsWith('utf-16') ? 2 : 0;
}

/** Bytes `text` takes, without a mark, before it is encoded. */
export function encodedSize(text: string, encoding: Encoding): number {
  return encoding.startsWith('utf-16') ? text.length * 2 : Buffer.byteLength(text, 'utf8');
}

/** A copy with each pair of bytes exchanged, but for an odd last one. */
function swapped(bytes: Buffer): Buffer {
  return Buffer.from(bytes.subarray(0, bytes.length & ~1)).swap16();
}
