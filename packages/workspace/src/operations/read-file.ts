import { isUtf8 } from 'node:buffer';
import { closeSync, read, readSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Enclosure } from '../enclosure.ts';
import { errnoOf, osReason, throwIfCancelled, WorkspaceError } from '../errors.ts';
import { type OpenFile, openRegular } from '../resolve/open-regular.ts';
import { type Encoding, decodeText, isBinary, sniffEncoding } from '../text/encoding.ts';
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
  const version = versionOf(stat);
  const sizeBytes = stat.size;
  if (whole !== false && whole !== undefined && whole <= limit)
    return { startLine: offset, version, sizeBytes, lines: [], totalLines: whole, encoding: 'utf-8', utf8: bytes };
  const { text, encoding } = decodeText(bytes);
  const all = splitLines(text, lineRule);
  const window = offset === 1 && limit >= all.length ? all : all.slice(offset - 1, offset - 1 + limit);
  const lines = options.column === undefined ? window : fromColumn(window, options.column);
  return { startLine: offset, version, sizeBytes, lines, totalLines: all.length, encoding };
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

/** @param byLines lines are cut out of the bytes, which UTF-16 does not allow */
export function requireText(bytes: Buffer, enclosure: Enclosure, path: string, byLines = false): void {
  const binary = isBinary(bytes, enclosure.limits.binarySniffBytes);
  if (binary || (byLines && sniffEncoding(bytes)?.startsWith('utf-16'))) {
    throw new WorkspaceError('binary', `Refusing to read binary file: ${path}`);
  }
}

export function tooLarge(enclosure: Enclosure, size: number): WorkspaceError {
  return new WorkspaceError('too_large', `File size ${size} exceeds limit of ${enclosure.limits.maxFileBytes} bytes`);
}

function readHead(fd: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafe(length);
  return buffer.subarray(0, readSync(fd, buffer, 0, length, 0));
}

/** Reads to the end, or to `size` and a little more when the file has grown since: never without bound. */
export function readAllSync(fd: number, size: number): Buffer {
  const buffer = Buffer.allocUnsafe(size);
  let filled = 0;
  while (filled < size) {
    const n = readSync(fd, buffer, filled, size - filled, filled);
    if (n === 0) break;
    filled += n;
  }
  return buffer.subarray(0, filled);
}

export async function readAll(fd: number, size: number, signal: AbortSignal | undefined): Promise<Buffer> {
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

export function readFailure(error: unknown): unknown {
  if (error instanceof WorkspaceError || errnoOf(error) === undefined) return error;
  return new WorkspaceError('io', `Cannot read file: ${osReason(error)}`, { cause: error });
}
