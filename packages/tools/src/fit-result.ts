import { numberLines } from '@croft/workspace';

/** Room for the rest of an envelope beside its one long field. */
export const ENVELOPE_BYTES = 4_096;

/** Arguments up to this length are quoted completely. Reasonable paths and patterns are shorter. */
const ECHO_CHARS = 8_192;

/** Quotes a caller's text for the result; shortens very long text. */
export function echoed(text: string): string {
  return text.length <= ECHO_CHARS ? text : `${text.slice(0, 1_000)}… (${text.length} characters)`;
}

/** Bytes of `text` as a JSON string, quotes included. */
export function jsonBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}

/** Numbered lines that fit into one result. */
export interface FittedLines {
  readonly content: string;
  readonly shown: number;
  /** Characters shown of the last line, if that line was cut. */
  readonly cutAt?: number;
}

/** Numbers as many lines as fit into `maxBytes` of JSON; always at least a part of the first line. */
export function fitLines(lines: readonly string[], first: number, maxBytes: number): FittedLines {
  const room = maxBytes - ENVELOPE_BYTES;
  let total = 0;
  for (const line of lines) total += line.length + 8;
  // A character has at most six bytes of JSON, so short windows fit without measuring.
  if (total * 6 <= room) return { content: numberLines(lines, first), shown: lines.length };
  let used = 0;
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] as string;
    // A character has at least one byte of JSON: a line of megabytes is not measured.
    const cost = line.length > room ? line.length : jsonBytes(line) + prefixBytes(first + i);
    if (used + cost > room) {
      if (i > 0) return { content: numberLines(lines.slice(0, i), first), shown: i };
      const part = cutText(lines[0] as string, room - prefixBytes(first));
      return { content: numberLines([part], first), shown: 1, cutAt: part.length };
    }
    used += cost;
  }
  return { content: numberLines(lines, first), shown: lines.length };
}

/** Bytes beside a line: the number, the arrow (three bytes) and the line break (two in JSON). */
function prefixBytes(lineNumber: number): number {
  return Math.max(6, String(lineNumber).length) + 5;
}

/** Characters that `cutText` measures at once. */
const PART_CHARS = 4_096;

/** Cuts `text` to the longest beginning that fits into `maxBytes` of JSON, without reading much more. Never splits a surrogate pair. */
export function cutText(text: string, maxBytes: number): string {
  if (text.length * 6 <= maxBytes) return text;
  let room = maxBytes - 2;
  for (let from = 0; from < text.length; ) {
    const to = from + PART_CHARS - (isHighSurrogate(text.charCodeAt(from + PART_CHARS - 1)) ? 1 : 0);
    const part = text.slice(from, to);
    const bytes = jsonBytes(part) - 2;
    if (bytes > room) return text.slice(0, from + fittingChars(part, room));
    room -= bytes;
    from = to;
  }
  return text;
}

/** The length of the longest beginning of `text` that has at most `maxBytes` in a JSON string, without its quotes. */
function fittingChars(text: string, maxBytes: number): number {
  let chars = 0;
  let bytes = 0;
  for (const char of text) {
    bytes += jsonBytes(char) - 2;
    if (bytes > maxBytes) break;
    chars += char.length;
  }
  return chars;
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;

/** Returns as many items as fit into `maxBytes` of JSON. */
export function fitItems<T>(items: readonly T[], maxBytes: number): readonly T[] {
  const room = maxBytes - ENVELOPE_BYTES;
  // Serialising all items at once is much faster than one by one, and they nearly always fit.
  if (items.length > 1 && Buffer.byteLength(JSON.stringify(items)) - 1 <= room) return items;
  let used = 0;
  for (let i = 0; i < items.length; i++) {
    used += Buffer.byteLength(JSON.stringify(items[i])) + 1;
    if (used > room) return items.slice(0, i);
  }
  return items;
}
