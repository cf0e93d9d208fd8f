import { closeSync, constants, fstatSync, openSync, readdirSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { makeDirs } from '@croft/workspace';

/** The default file size, in bytes, at which the next file is started. */
export const MAX_FILE_BYTES = 8 * 1024 * 1024;
/** Bytes written between two checks of the file size. */
const CHECK_BYTES = 256 * 1024;
/** Bytes read at most per call from what other processes wrote. */
const MAX_READ_BYTES = 512 * 1024;
const NAME = /^decisions\.(\d{1,9})\.ndjson$/;
const NEWLINE = 10;

/** The log lines in the files of one directory. Every method throws Node's own errors. */
export interface DecisionFile {
  /** Appends complete lines, each with its line break. */
  append(lines: string): void;
  /**
   * Returns the complete lines that any process appended since the last call; only the last 512 KiB if there are more.
   */
  readNew(): readonly string[];
  close(): void;
}

/**
 * Opens the log files of a directory, which is created (mode 0700) with the first line. Files have mode 0600 and are
 * numbered. When a file reaches `maxBytes`, the next one is started, and only the last two files are kept. Each append
 * is a single write, so several processes may share the files; processes that start a file at the same time start the
 * same one.
 */
export function openDecisionFile(directory: string, maxBytes: number): DecisionFile {
  let fd: number | undefined;
  let unchecked = 0;
  const reader = createReader(directory);
  const close = (): void => {
    const open = fd;
    fd = undefined;
    if (open !== undefined) closeSync(open);
  };
  return {
    append(lines) {
      if (unchecked >= Math.min(CHECK_BYTES, maxBytes)) close();
      if (fd === undefined) {
        makeDirs(directory);
        fd = openNewest(directory, maxBytes);
        unchecked = 0;
      }
      const bytes = Buffer.from(lines);
      const written = writeSync(fd, bytes);
      unchecked += written;
      if (written === bytes.length) return;
      // Half a line was written; the next open terminates it.
      close();
      throw new Error('Only a part of the line was written to the disk');
    },
    readNew: reader,
    close,
  };
}

function createReader(directory: string): () => readonly string[] {
  let number: number | undefined;
  let offset = 0;
  const readFrom = (file: number, from: number): readonly string[] => {
    let fd: number;
    try {
      fd = openSync(logFile(directory, file), constants.O_RDONLY);
    } catch (error) {
      // Another process deleted the file in between.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
    try {
      const { size } = fstatSync(fd);
      const start = Math.max(from, size - MAX_READ_BYTES);
      const bytes = Buffer.alloc(Math.max(0, size - start));
      const got = readSync(fd, bytes, 0, bytes.length, start);
      const end = bytes.subarray(0, got).lastIndexOf(NEWLINE) + 1;
      number = file;
      offset = start + end;
      // The read starts in the middle of the file, so skip the rest of the first line.
      const first = start > from ? bytes.indexOf(NEWLINE) + 1 : 0;
      return bytes
        .toString('utf8', Math.min(first, end), end)
        .split('\n')
        .filter((line) => line !== '');
    } finally {
      closeSync(fd);
    }
  };
  return () => {
    const newest = numbers(directory).at(-1);
    if (newest === undefined) return [];
    const rest = number !== undefined && number < newest ? readFrom(number, offset) : [];
    return [...rest, ...readFrom(newest, newest === number ? offset : 0)];
  };
}

function logFile(directory: string, number: number): string {
  return join(directory, `decisions.${number}.ndjson`);
}

function numbers(directory: string): readonly number[] {
  try {
    return readdirSync(directory)
      .flatMap((name) => NAME.exec(name)?.[1] ?? [])
      .map(Number)
      .sort((a, b) => a - b);
  } catch {
    // No log file exists yet.
    return [];
  }
}

/** Opens the newest file, or the next one if the newest is full. */
function openNewest(directory: string, maxBytes: number): number {
  const known = numbers(directory);
  const newest = known.at(-1) ?? 1;
  const fd = openLog(logFile(directory, newest));
  if (fstatSync(fd).size < maxBytes) return fd;
  closeSync(fd);
  for (const number of known.slice(0, -1)) drop(logFile(directory, number));
  return openLog(logFile(directory, newest + 1));
}

function openLog(file: string): number {
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0);
  const fd = openSync(file, flags, 0o600);
  try {
    const { size } = fstatSync(fd);
    const last = Buffer.alloc(1);
    // A killed process may have left half a line. Terminate it so that the next record is not lost with it.
    if (size > 0 && readSync(fd, last, 0, 1, size - 1) === 1 && last[0] !== NEWLINE) writeSync(fd, '\n');
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function drop(file: string): void {
  try {
    unlinkSync(file);
  } catch {
    // Another process deleted it.
  }
}
