import { isAscii } from 'node:buffer';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { errnoOf, isRefusal } from '../errors.ts';
import { O_NOFOLLOW } from '../resolve/native.ts';
import { decodeText, isBinary, sniffEncoding } from '../text/encoding.ts';
import { hasOtherBreaks, splitLines } from '../text/lines.ts';
import type { LineMatcher } from './line-matcher.ts';
import type { GrepRequest } from './search-request.ts';

/** The matches in one file. `count` is lines, at most the requested number; `more` says that there are more. */
export interface FileHits {
  count: number;
  lines: { number: number; text: string }[];
  more: boolean;
}

const OPEN = constants.O_RDONLY | O_NOFOLLOW | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);
const FIRST_BUFFER = 256 * 1024;
const LARGE_CHUNK = 4 * 1024 * 1024;
const NEWLINE = 10;
const RETURN = 13;

/** Scans files one after another with one reused buffer. */
export class FileScanner {
  private readonly matcher: LineMatcher;
  private readonly request: GrepRequest;
  private buffer = Buffer.allocUnsafe(FIRST_BUFFER);
  /** The file scanned last was a link, and so was not opened. */
  metLink = false;
  /** This process may not read the file scanned last. */
  wasRefused = false;

  constructor(matcher: LineMatcher, request: GrepRequest) {
    this.matcher = matcher;
    this.request = request;
  }

  /**
   * Searches one file. `undefined` for what is not searched: links, special files, binary files, files too large or
   * unreadable.
   */
  scan(at: string, maxLines: number): FileHits | undefined {
    let fd: number;
    try {
      this.metLink = false;
      this.wasRefused = false;
      fd = openSync(at, OPEN);
    } catch (error) {
      this.metLink = errnoOf(error) === 'ELOOP';
      this.wasRefused = isRefusal(error);
      return undefined;
    }
    try {
      // Most files fit the buffer, so their size need not be asked for; pipes and terminals refuse a read at a place.
      const head = this.read(fd, 0, this.buffer.length);
      if (head === 0) return undefined;
      if (head < this.buffer.length) return this.scanWhole(this.buffer.subarray(0, head), maxLines);
      const stat = fstatSync(fd);
      if (!stat.isFile()) return undefined;
      if (stat.size > this.request.scope.limits.maxFileBytes)
        return this.request.anySize ? this.scanLarge(fd, stat.size, maxLines) : undefined;
      return this.scanWhole(this.readWhole(fd, stat.size), maxLines);
    } catch {
      return undefined;
    } finally {
      closeSync(fd);
    }
  }

  /** Reads up to `to` bytes into the buffer, behind the first `filled`; gives how many it then holds. */
  private read(fd: number, filled: number, to: number): number {
    let end = filled;
    while (end < to) {
      const n = readSync(fd, this.buffer, end, to - end, end);
      if (n === 0) break;
      end += n;
    }
    return end;
  }

  private readWhole(fd: number, size: number): Buffer {
    if (size > this.buffer.length) this.buffer = Buffer.allocUnsafe(2 ** Math.ceil(Math.log2(size)));
    return this.buffer.subarray(0, this.read(fd, 0, size));
  }

  private scanWhole(bytes: Buffer, maxLines: number): FileHits | undefined {
    const hits: FileHits = { count: 0, lines: [], more: false };
    const { required } = this.matcher;
    const first = bytes[0] as number;
    const marked = first >= 0xef ? sniffEncoding(bytes) : undefined;
    const isWide = marked === 'utf-16le' || marked === 'utf-16be';
    if (!isWide && required !== undefined && bytes.indexOf(required) === -1) return hits;
    if (isBinary(bytes, this.request.scope.limits.binarySniffBytes)) return undefined;
    const split = this.request.lineRule === 'universal' ? splitOtherBreaks(decodeText(bytes).text) : undefined;
    if (split) this.scanLines(split, maxLines, hits);
    else if (isWide) this.scanText(decodeText(bytes).text, 1, maxLines, hits);
    else this.scanChunk(marked === 'utf-8-bom' ? bytes.subarray(3) : bytes, 1, maxLines, hits);
    return hits;
  }

  /** A chunk at a time, each ending at a line end. A line longer than a chunk counts as one, cut. */
  private scanLarge(fd: number, size: number, maxLines: number): FileHits | undefined {
    const hits: FileHits = { count: 0, lines: [], more: false };
    let line = 1;
    for (let position = 0; position < size && !hits.more && hits.count < maxLines + 1; ) {
      const want = Math.min(LARGE_CHUNK, size - position);
      if (want > this.buffer.length) this.buffer = Buffer.allocUnsafe(LARGE_CHUNK);
      const n = readSync(fd, this.buffer, 0, want, position);
      if (n === 0) break;
      const chunk = this.buffer.subarray(0, n);
      // Chunks are cut at the byte of a line end, which UTF-16 does not have.
      if (
        position === 0 &&
        (isBinary(chunk, this.request.scope.limits.binarySniffBytes) || sniffEncoding(chunk)?.startsWith('utf-16'))
      )
        return undefined;
      const end = position + n >= size ? n : chunk.lastIndexOf(NEWLINE) + 1 || n;
      const whole = chunk.subarray(0, end);
      if (!this.matcher.required || whole.indexOf(this.matcher.required) !== -1)
        this.scanChunk(whole, line, maxLines, hits);
      if (this.request.outputMode === 'content') line += countNewlines(whole, 0, end);
      position += end;
      if (hits.count >= maxLines && this.request.outputMode === 'files_with_matches') break;
    }
    return hits;
  }

  private scanChunk(bytes: Buffer, firstLine: number, maxLines: number, hits: FileHits): void {
    if (this.matcher.required && !this.matcher.isRegex) this.scanLiteral(bytes, firstLine, maxLines, hits);
    else this.scanText(isAscii(bytes) ? bytes.toString('latin1') : bytes.toString('utf8'), firstLine, maxLines, hits);
  }

  /** Straight over the bytes: a line is only cut out where the search text was found. */
  private scanLiteral(bytes: Buffer, firstLine: number, maxLines: number, hits: FileHits): void {
    const needle = this.matcher.required as Buffer;
    // Lines are searched one by one, and none holds its own end.
    if (needle.includes(NEWLINE)) return;
    const mayEndInReturn = needle.at(-1) === RETURN;
    const wantLines = this.request.outputMode === 'content';
    let line = firstLine;
    let counted = 0;
    for (let at = bytes.indexOf(needle); at !== -1; ) {
      if (hits.count >= maxLines) {
        hits.more = true;
        return;
      }
      const end = bytes.indexOf(NEWLINE, at);
      const stop = end === -1 ? bytes.length : end;
      if (
        mayEndInReturn &&
        at + needle.length === stop &&
        bytes.subarray(bytes.lastIndexOf(NEWLINE, at) + 1, stop - 1).indexOf(needle) === -1
      ) {
        at = bytes.indexOf(needle, stop + 1);
        continue;
      }
      hits.count++;
      if (wantLines) {
        line += countNewlines(bytes, counted, at);
        counted = at;
        const start = bytes.lastIndexOf(NEWLINE, at) + 1;
        this.add(
          hits,
          line,
          bytes.toString('utf8', start, stop > start && bytes[stop - 1] === RETURN ? stop - 1 : stop),
        );
      }
      if (end === -1) return;
      at = bytes.indexOf(needle, end + 1);
    }
  }

  private scanText(text: string, firstLine: number, maxLines: number, hits: FileHits): void {
    const limits = this.request.scope.limits;
    const maxChars = this.matcher.isRegex ? limits.grepRegexLineChars : Number.POSITIVE_INFINITY;
    const lastLine = this.matcher.isRegex ? this.request.maxRegexLines : Number.POSITIVE_INFINITY;
    let number = firstLine;
    let counted = 0;
    for (let from = 0; from < text.length; ) {
      const at = this.next(text, from);
      if (at === undefined) return;
      const start = at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
      if (start >= text.length) return;
      const lineEnd = text.indexOf('\n', Math.max(start, at));
      const end = lineEnd === -1 ? text.length : lineEnd;
      from = end + 1;
      if (end - start > maxChars) continue;
      const line = text.slice(start, text[end - 1] === '\r' && end > start ? end - 1 : end);
      // The text as a whole has more line ends than lines have (`\r`, U+2028), so each candidate is judged on its own.
      if (!this.matcher.matchesLine(line)) continue;
      for (let i = text.indexOf('\n', counted); i !== -1 && i < start; i = text.indexOf('\n', i + 1)) number++;
      counted = start;
      if (number > lastLine) return;
      if (hits.count >= maxLines) {
        hits.more = true;
        return;
      }
      hits.count++;
      if (this.request.outputMode === 'content') this.add(hits, number, line);
    }
  }

  /** Judges lines one by one, for files with line breaks beside `\n` and `\r\n`. */
  private scanLines(lines: readonly string[], maxLines: number, hits: FileHits): void {
    const { isRegex } = this.matcher;
    const { limits } = this.request.scope;
    const most = isRegex ? Math.min(lines.length, this.request.maxRegexLines) : lines.length;
    for (let i = 0; i < most; i++) {
      const line = lines[i] as string;
      if ((isRegex && line.length > limits.grepRegexLineChars) || !this.matcher.matchesLine(line)) continue;
      if (hits.count >= maxLines) {
        hits.more = true;
        return;
      }
      hits.count++;
      if (this.request.outputMode === 'content') this.add(hits, i + 1, line);
    }
  }

  /** The next candidate: a match over the text, or, for patterns that look around, simply the next line. */
  private next(text: string, from: number): number | undefined {
    const { overText } = this.matcher;
    if (!overText) return from;
    overText.lastIndex = from;
    return overText.exec(text)?.index;
  }

  private add(hits: FileHits, number: number, line: string): void {
    const max = this.request.maxLineChars;
    hits.lines.push({ number, text: line.length > max ? `${line.slice(0, max)}… (${line.length} characters)` : line });
  }
}

/** The lines by every break that Python knows; `undefined` for a text that only has breaks of the ordinary kinds. */
function splitOtherBreaks(text: string): string[] | undefined {
  return hasOtherBreaks(text) ? splitLines(text, 'universal') : undefined;
}

function countNewlines(bytes: Buffer, from: number, to: number): number {
  let count = 0;
  for (let i = bytes.indexOf(NEWLINE, from); i !== -1 && i < to; i = bytes.indexOf(NEWLINE, i + 1)) count++;
  return count;
}
