import { isUtf8 } from 'node:buffer';
import { closeSync, read, readSync, type Stats } from 'node:fs';
import { promisify } from 'node:util';
import type { Enclosure } from '../enclosure.ts';
import { errnoOf, osReason, throwIfCancelled, WorkspaceError } from '../errors.ts';
import { type OpenFile, openRegular } from '../resolve/open-regular.ts';
import { type DecodedText, type Encoding, decodeText, isBinary, sniffEncoding } from '../text/encoding.ts';
import { readIndexedLines } from '../text/line-index.ts';
import { type LineRule, splitLines } from '../text/lines.ts';
import { versionOf } from '../text/version.ts';

const readAsync = promisify(read);
/** Up to this size a synchronous read is cheaper than the thread pool (5 against 60 µs). */
export const SYNC_BYTES = 64 * 1024;
const CHUNK_BYTES = 1024 * 1024;
const NEWLINE = 10;

/** A window of lines of a text file. */
export interface TextWindow {
  readonly lines: readonly string[];
  readonly startLine: number;
  readonly totalLines: number;
  readonly encoding: Encoding;
  readonly version: string;
  readonly sizeBytes: number;
  /** The whole file in place of `lines`, which is then empty. Only with `asBytes`. */
  readonly utf8?: Buffer;
}

export interface ReadTextOptions {
  /** 1-based first line; anything below 1 means 1. */
  readonly offset?: number | null | undefined;
  /** Most lines to return; all to the end when absent. */
  readonly limit?: number | null | undefined;
  /** 1-based character (UTF-16 unit) to begin at, in the first line; that line alone is returned. Below 1 means 1. */
  readonly column?: number | undefined;
  readonly lineRule?: LineRule;
  /** Also serve files above the whole-file limit, by lines ending in `\n`. */
  readonly anySize?: boolean;
  /** Bytes of line text at which the window ends early. */
  readonly maxBytes?: number;
  /**
   * Leave a window that holds the whole file as bytes, if it is small and UTF-8 without a mark. For callers that escape the
   * bytes themselves. Lines end in `\n`.
   */
  readonly asBytes?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads a window of lines; returns a promise, and rejects it, only for files above 64 KiB. A file that is not valid UTF-8 is
 * returned with U+FFFD and `encoding: 'unknown-8bit'`.
 *
 * @throws WorkspaceError `not_found`, `is_directory`, `not_regular`, `too_large`, `binary`, and those of `locate`
 */
export function readText(
  enclosure: Enclosure,
  path: string,
  options: ReadTextOptions = {},
): TextWindow | Promise<TextWindow> {
  const file = openRegular(enclosure, path);
  const { size } = file.stat;
  if (size > SYNC_BYTES || size > enclosure.limits.maxFileBytes) return readLarge(enclosure, path, file, options);
  try {
    return windowOf(readAllSync(file.fd, size), file, enclosure, path, options);
  } catch (error) {
    throw readFailure(error);
  } finally {
    closeSync(file.fd);
  }
}

/** Reads a window of a file that is too large for one synchronous read, and closes the file. */
async function readLarge(
  enclosure: Enclosure,
  path: string,
  file: OpenFile,
  options: ReadTextOptions,
): Promise<TextWindow> {
  try {
    const { size } = file.stat;
    if (size > enclosure.limits.maxFileBytes) {
      if (!options.anySize) throw tooLarge(enclosure, size);
      requireText(readHead(file.fd, enclosure.limits.binarySniffBytes), enclosure, path, true);
      const maxBytes = options.maxBytes ?? enclosure.limits.maxResultBytes;
      const offset = firstLine(options);
      const window = await readIndexedLines(file, {
        offset,
        limit: lineLimit(options),
        column: options.column,
        maxBytes,
        signal: options.signal,
      });
      return { ...window, startLine: offset, version: versionOf(file.stat), sizeBytes: size };
    }
    return windowOf(await readAll(file.fd, size, options.signal), file, enclosure, path, {
      ...options,
      asBytes: false,
    });
  } catch (error) {
    throw readFailure(error);
  } finally {
    closeSync(file.fd);
  }
}

function windowOf(
  bytes: Buffer,
  { stat }: OpenFile,
  enclosure: Enclosure,
  path: string,
  options: ReadTextOptions,
): TextWindow {
  requireText(bytes, enclosure, path);
  const offset = firstLine(options);
  const limit = lineLimit(options);
  const { lineRule = 'newline' } = options;
  const whole = options.asBytes && offset === 1 && options.column === undefined && countUtf8Lines(bytes);
  const read = { startLine: offset, version: versionOf(stat), sizeBytes: stat.size };
  if (whole !== false && whole !== undefined && whole <= limit)
    return { ...read, lines: [], totalLines: whole, encoding: 'utf-8', utf8: bytes };
  const { text, encoding } = decodeText(bytes);
  const all = splitLines(text, lineRule);
  const window = offset === 1 && limit >= all.length ? all : all.slice(offset - 1, offset - 1 + limit);
  const lines = options.column === undefined ? window : fromColumn(window, options.column);
  return { ...read, lines, totalLines: all.length, encoding };
}

/** The number of lines ending in `\n`; `undefined` if the bytes are not UTF-8 without a mark. */
function countUtf8Lines(bytes: Buffer): number | undefined {
  if (sniffEncoding(bytes) !== undefined || !isUtf8(bytes)) return undefined;
  let lines = bytes.length > 0 && bytes.at(-1) !== NEWLINE ? 1 : 0;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) lines++;
  return lines;
}

function fromColumn(lines: readonly string[], column: number): readonly string[] {
  return lines.slice(0, 1).map((line) => line.slice(Math.max(0, column - 1)));
}

function firstLine({ offset }: ReadTextOptions): number {
  return offset && offset > 0 ? offset : 1;
}

function lineLimit({ limit }: ReadTextOptions): number {
  return Math.max(0, limit ?? Number.POSITIVE_INFINITY);
}

/**
 * Reads a whole text file as one string, line ends as they are. Decoding and failures as `readText`.
 */
export async function readWhole(
  enclosure: Enclosure,
  path: string,
  options: { signal?: AbortSignal | undefined } = {},
): Promise<DecodedText & { version: string; sizeBytes: number }> {
  const { bytes, version } = await readBytes(enclosure, path, options);
  requireText(bytes, enclosure, path);
  return { ...decodeText(bytes), version, sizeBytes: bytes.length };
}

/** A whole file's bytes. */
export interface FileBytes {
  readonly bytes: Buffer;
  readonly version: string;
}

/**
 * Reads a whole file of any kind of content.
 *
 * @throws WorkspaceError `too_large` above `maxBytes` (default: the whole-file limit), and those of `openRegular`
 */
export async function readBytes(
  enclosure: Enclosure,
  path: string,
  options: { maxBytes?: number; signal?: AbortSignal | undefined } = {},
): Promise<FileBytes> {
  const file = openRegular(enclosure, path);
  try {
    const { size } = file.stat;
    const max = options.maxBytes ?? enclosure.limits.maxFileBytes;
    if (size > max) throw new WorkspaceError('too_large', `File size ${size} exceeds limit of ${max} bytes`);
    const bytes = size <= SYNC_BYTES ? readAllSync(file.fd, size) : await readAll(file.fd, size, options.signal);
    return { bytes, version: versionOf(file.stat) };
  } catch (error) {
    throw readFailure(error);
  } finally {
    closeSync(file.fd);
  }
}

/** Reads and decodes a whole text file that is about to be changed, synchronously, so that nothing comes between. */
export function readTextSync(enclosure: Enclosure, path: string): DecodedText & { file: OpenFile } {
  const file = openRegular(enclosure, path);
  try {
    if (file.stat.size > enclosure.limits.maxFileBytes) throw tooLarge(enclosure, file.stat.size);
    const bytes = readAllSync(file.fd, file.stat.size);
    if (isBinary(bytes, enclosure.limits.binarySniffBytes)) {
      throw new WorkspaceError('binary', `Refusing to edit binary file: ${path}`);
    }
    const decoded = decodeText(bytes);
    if (decoded.encoding === 'unknown-8bit') {
      throw new WorkspaceError('not_text', `Refusing to change a file that is not UTF-8 or UTF-16 text: ${path}`);
    }
    return { ...decoded, file };
  } catch (error) {
    throw readFailure(error);
  } finally {
    closeSync(file.fd);
  }
}

/** @param byLines lines are cut out of the bytes, which UTF-16 does not allow */
function requireText(bytes: Buffer, enclosure: Enclosure, path: string, byLines = false): void {
  const binary = isBinary(bytes, enclosure.limits.binarySniffBytes);
  if (binary || (byLines && sniffEncoding(bytes)?.startsWith('utf-16'))) {
    throw new WorkspaceError('binary', `Refusing to read binary file: ${path}`);
  }
}

function tooLarge(enclosure: Enclosure, size: number): WorkspaceError {
  return new WorkspaceError('too_large', `File size ${size} exceeds limit of ${enclosure.limits.maxFileBytes} bytes`);
}

function readHead(fd: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafe(length);
  return buffer.subarray(0, readSync(fd, buffer, 0, length, 0));
}

/** Reads to the end, or to `size` and a little more when the file has grown since: never without bound. */
function readAllSync(fd: number, size: number): Buffer {
  const buffer = Buffer.allocUnsafe(size);
  let filled = 0;
  while (filled < size) {
    const n = readSync(fd, buffer, filled, size - filled, filled);
    if (n === 0) break;
    filled += n;
  }
  return buffer.subarray(0, filled);
}

async function readAll(fd: number, size: number, signal: AbortSignal | undefined): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(size);
  let filled = 0;
  while (filled < size) {
    throwIfCancelled(signal);
    const { bytesRead } = await readAsync(fd, buffer, filled, Math.min(CHUNK_BYTES, size - filled), filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

function readFailure(error: unknown): unknown {
  if (error instanceof WorkspaceError || errnoOf(error) === undefined) return error;
  return new WorkspaceError('io', `Cannot read file: ${osReason(error)}`, { cause: error });
}

/** Reads a whole file's bytes synchronously, under the whole-file limit. */
export function readBytesSync(enclosure: Enclosure, path: string): { bytes: Buffer; stat: Stats } {
  const file = openRegular(enclosure, path);
  try {
    if (file.stat.size > enclosure.limits.maxFileBytes) throw tooLarge(enclosure, file.stat.size);
    return { bytes: readAllSync(file.fd, file.stat.size), stat: file.stat };
  } catch (error) {
    throw readFailure(error);
  } finally {
    closeSync(file.fd);
  }
}
