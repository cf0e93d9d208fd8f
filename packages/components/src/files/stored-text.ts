import { sniffEncoding } from '@croft/workspace';

/** The name of the encoding that a file with these bytes has; the workspace adds a text in it. */
function encodingOf(bytes: Buffer): string {
  const mark = sniffEncoding(bytes);
  return mark === undefined || mark === 'utf-8-bom' ? 'utf-8' : mark;
}

/** The text of a file, without a byte order mark. `most` limits the bytes that are read. */
export const storedText = (bytes: Buffer, most = bytes.length): string =>
  new TextDecoder(encodingOf(bytes)).decode(bytes.subarray(0, most));

/** Whether the text of a file ends with this line end, or with its last character. */
export const endsWithLine = (bytes: Buffer, lineEnd = '\n'): boolean =>
  new TextDecoder(encodingOf(bytes), { ignoreBOM: true }).decode(bytes.subarray(-2)).endsWith(lineEnd.slice(-1));

/** The bytes that an addition of this text has in a file with these bytes. */
export function storedBytes(text: string, file: Buffer): Buffer {
  const encoding = encodingOf(file);
  if (encoding === 'utf-8') return Buffer.from(text);
  const bytes = Buffer.from(text, 'utf16le');
  return encoding === 'utf-16be' ? bytes.swap16() : bytes;
}
