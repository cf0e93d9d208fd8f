import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from '@croft/workspace';

/** A log of JSON lines in numbered files, bounded in bytes. */
export interface RollingLog {
  /** Appends lines, each with its line feed. Throws Node's errors; then nothing, or an unreadable part, is in the log. */
  append(lines: string): void;
  /** All valid lines, oldest file first, and the number of entries dropped with older files. */
  read(): { readonly lines: readonly unknown[]; readonly dropped: number };
  /** The valid lines from the last to the first. Reads only as much as the caller takes. */
  fromEnd(): Generator<unknown>;
  close(): void;
}

/** Largest size of one file; two files are kept. */
const MAX_BYTES = 8 * 1024 * 1024;
/** Bytes written between two checks of the file's size. */
const CHECK_BYTES = 256 * 1024;
/** A header is written with the file. Lines of other processes can be before it. */
const HEADER_WITHIN_BYTES = 64 * 1024;
const READ_BYTES = 64 * 1024;
const NEWLINE = 10;

/** First line of a file after the first one: how many entries were dropped with the files up to a number. */
interface Header {
  readonly dropped: number;
  readonly upTo: number;
}

/**
 * Opens a log `NAME.1.ndjson`, `NAME.2.ndjson`, … The directory must exist when the first line is appended. Each line is one
 * write, so several processes may share the log. After 8 MiB it starts the next file and removes all but the two newest. Files
 * are never renamed, so processes that start a file at the same time use the same file.
 *
 * @param counts decides which lines count as entries when their file is removed
 * @param onRoll called when a file is removed
 */
export function openRollingLog(
  directory: string,
  name: string,
  counts: (line: unknown) => string | undefined,
  onRoll: () => number = () => 0,
): RollingLog {
  const fileOf = (number: number) => join(directory, `${name}.${number}.ndjson`);
  const pattern = new RegExp(`^${name}\\.(\\d{1,9})\\.ndjson$`);
  let fd: number | undefined;
  let unchecked = 0;
  const numbers = (): number[] => {
    try {
      return readdirSync(directory)
        .flatMap((file) => pattern.exec(file)?.[1] ?? [])
        .map(Number)
        .sort((a, b) => a - b);
    } catch {
      // The log has no file yet.
      return [];
    }
  };
  const droppedWith = (files: readonly number[], before: Header): number => {
    const ids = files
      .filter((n) => n > before.upTo)
      .flatMap((n) => readLines(fileOf(n)).flatMap((l) => counts(l) ?? []));
    return new Set(ids).size;
  };
  const openNewest = (): number => {
    const known = numbers();
    const newest = known.at(-1) ?? 1;
    const current = openFile(fileOf(newest));
    if (fstatSync(current).size < MAX_BYTES) return current;
    const before = headerOf(parseLines(readPart(fileOf(newest), 0, HEADER_WITHIN_BYTES).toString()));
    const old = known.slice(0, -1);
    let next: number;
    try {
      next = openSync(fileOf(newest + 1), FLAGS | constants.O_EXCL, 0o600);
    } catch (error) {
      if (errnoOf(error) !== 'EEXIST') throw error;
      // Another process starts the file and writes its header.
      return openFile(fileOf(newest + 1));
    } finally {
      closeSync(current);
    }
    const dropped = before.dropped + droppedWith(old, before) + onRoll();
    const header: Header = { dropped, upTo: old.at(-1) ?? before.upTo };
    try {
      appendLines(next, `${JSON.stringify({ header })}\n`);
    } catch (error) {
      closeSync(next);
      throw error;
    }
    for (const number of old) removeQuietly(fileOf(number));
    return next;
  };
  return {
    append(lines) {
      if (fd !== undefined && unchecked >= CHECK_BYTES) {
        closeSync(fd);
        fd = undefined;
      }
      if (fd === undefined) {
        fd = openNewest();
        unchecked = 0;
      }
      unchecked += appendLines(fd, lines);
    },
    read() {
      const lines = numbers()
        .slice(-2)
        .flatMap((number) => readLines(fileOf(number)));
      return { lines, dropped: headerOf(lines).dropped };
    },
    *fromEnd() {
      for (const number of numbers().slice(-2).reverse()) yield* linesFromEnd(fileOf(number));
    },
    close() {
      if (fd !== undefined) closeSync(fd);
      fd = undefined;
    },
  };
}

const FLAGS = constants.O_RDWR | constants.O_CREAT | constants.O_APPEND;

const openFile = (file: string): number => openSync(file, FLAGS, 0o600);

/**
 * Appends lines completely, on a line of their own: a killed process, or a full disk, may have left a partial line.
 *
 * @returns the number of bytes
 */
function appendLines(fd: number, lines: string): number {
  const { size } = fstatSync(fd);
  const last = Buffer.alloc(1);
  const isInLine = size > 0 && readSync(fd, last, 0, 1, size - 1) === 1 && last[0] !== NEWLINE;
  const bytes = Buffer.from(isInLine ? `\n${lines}` : lines);
  let done = 0;
  try {
    // On a full disk a write first succeeds for the part that has room, and then fails.
    while (done < bytes.length) done += writeSync(fd, bytes, done);
  } catch (error) {
    // A part may lack only its line feed, and would be read as a record. Lines of other processes stay.
    if (done > 0 && fstatSync(fd).size === size + done) ftruncateSync(fd, size);
    throw error;
  }
  return done;
}

/** The newest header in these lines. */
function headerOf(lines: readonly unknown[]): Header {
  const headers = lines.flatMap((line) => (line as { header?: Header } | null)?.header ?? []);
  return headers.at(-1) ?? { dropped: 0, upTo: 0 };
}

/** Reads the lines of a file that are valid JSON. A killed process may leave a partial line. */
export function readLines(file: string): unknown[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return [];
  }
  return parseLines(text);
}

function parseLines(text: string): unknown[] {
  return text.split('\n').flatMap((line) => {
    if (line === '') return [];
    try {
      return [JSON.parse(line) as unknown];
    } catch {
      return [];
    }
  });
}

function* linesFromEnd(file: string): Generator<unknown> {
  // The rest of a line that begins before what was read, from its end to its beginning.
  let rest: Buffer[] = [];
  const take = (start: Buffer): unknown[] => {
    const line = Buffer.concat([start, ...rest.reverse()]);
    rest = [];
    return parseLines(line.toString());
  };
  for (let end = sizeOf(file); end > 0; ) {
    const from = Math.max(0, end - READ_BYTES);
    let part = readPart(file, from, end - from);
    for (let at = part.lastIndexOf(NEWLINE); at >= 0; at = part.lastIndexOf(NEWLINE)) {
      yield* take(part.subarray(at + 1));
      part = part.subarray(0, at);
    }
    rest.push(part);
    end = from;
  }
  yield* take(Buffer.alloc(0));
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** Empty for a file that is gone. */
function readPart(file: string, start: number, length: number): Buffer {
  const buffer = Buffer.alloc(length);
  let fd: number;
  try {
    fd = openSync(file, constants.O_RDONLY);
  } catch {
    return Buffer.alloc(0);
  }
  try {
    return buffer.subarray(0, readSync(fd, buffer, 0, length, start));
  } finally {
    closeSync(fd);
  }
}

function removeQuietly(file: string): void {
  try {
    unlinkSync(file);
  } catch {
    // Another process removed it.
  }
}
