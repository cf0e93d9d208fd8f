import { numberLines, numberPrefix, splitLines } from '@croft/workspace';
import type { WholeFile } from '../tool.ts';

const NEWLINE = 10;
const RETURN = 13;
const QUOTE = 34;
const BACKSLASH = 92;
/** Most bytes per input byte: its longest form, `\\u0000`, with the longest line prefix before it. */
const MOST_A_STEP = 7 + 16;

const HEX = Buffer.from('0123456789abcdef');
/** The character after the backslash for a control character in JSON; 0 means `u00xx`. */
const SHORT = new Uint8Array(32);
for (const [code, letter] of [
  [8, 'b'],
  [9, 't'],
  [NEWLINE, 'n'],
  [12, 'f'],
  [RETURN, 'r'],
] as const)
  SHORT[code] = letter.charCodeAt(0);

/** Line prefixes in UTF-8. */
const PREFIXES: Buffer[] = [];

function prefix(line: number): Buffer {
  return (PREFIXES[line] ??= Buffer.from(numberPrefix(line)));
}

/** Copies bytes until `end` or the first one that JSON escapes, and returns that position. */
function copyPlain(bytes: Uint8Array, i: number, end: number, into: Buffer, at: number): number {
  const shift = at - i;
  for (; i < end; i++) {
    const byte = bytes[i] as number;
    if (byte < 32 || byte === QUOTE || byte === BACKSLASH) return i;
    into[i + shift] = byte;
  }
  return i;
}

/**
 * Numbers the lines of a file like `numberLines` and writes them escaped twice, for a JSON string inside a JSON string. One pass
 * over the bytes; decoding, splitting, numbering and escaping twice would take four times as long. Drops a `\r` at the end of a
 * line, like `splitLines` with the rule `newline`.
 *
 * @param bytes valid UTF-8 without a byte order mark
 * @returns the end position; -1 if `into` is too small
 */
function quoteLines(bytes: Uint8Array, into: Buffer, at: number): number {
  const room = into.length - MOST_A_STEP;
  const { length } = bytes;
  let line = 0;
  let isStart = true;
  for (let i = 0; i < length; i++) {
    if (at > room) return -1;
    if (isStart) {
      if (++line > 1) {
        into[at++] = BACKSLASH;
        into[at++] = BACKSLASH;
        into[at++] = 110;
      }
      const start = prefix(line);
      for (let k = 0; k < start.length; k++) into[at++] = start[k] as number;
      isStart = false;
    }
    const end = copyPlain(bytes, i, Math.min(length, i + room - at), into, at);
    at += end - i;
    i = end;
    if (i === length) break;
    if (at >= room) return -1;
    const byte = bytes[i] as number;
    if (byte === NEWLINE) isStart = true;
    else if (byte === RETURN && (i + 1 === length || bytes[i + 1] === NEWLINE)) continue;
    else {
      into[at++] = BACKSLASH;
      into[at++] = BACKSLASH;
      const short = byte < 32 ? (SHORT[byte] as number) : byte;
      if (short === 0) {
        into[at++] = 117;
        into[at++] = 48;
        into[at++] = 48;
        into[at++] = HEX[byte >> 4] as number;
        into[at++] = HEX[byte & 15] as number;
      } else {
        // A quote and a backslash are escaped once more.
        if (byte > 31) into[at++] = BACKSLASH;
        into[at++] = short;
      }
    }
  }
  return at;
}

/**
 * Writes the envelope of a whole file as JSON, quoted as a JSON string: `JSON.stringify(JSON.stringify(dataOfWholeFile(file)))`.
 *
 * @returns the end position; -1 if `into` is too small
 */
export function quoteWholeFile({ bytes, before, after }: WholeFile, into: Buffer, at: number): number {
  const head = JSON.stringify(`${JSON.stringify(before).slice(0, -1)},"content":"`).slice(0, -1);
  if (at + head.length * 3 > into.length) return -1;
  const end = quoteLines(bytes, into, at + into.write(head, at, 'utf8'));
  const tail = JSON.stringify(`",${JSON.stringify(after).slice(1)}`).slice(1);
  if (end < 0 || end + tail.length * 3 > into.length) return -1;
  return end + into.write(tail, end, 'utf8');
}

/** The envelope of a whole file, with its content as a string. */
export function dataOfWholeFile({ bytes, before, after }: WholeFile): Readonly<Record<string, unknown>> {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
  return { ...before, content: numberLines(splitLines(text, 'newline'), 1), ...after };
}
