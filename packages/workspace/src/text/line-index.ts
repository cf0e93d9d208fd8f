import { isUtf8 } from 'node:buffer';
import { read } from 'node:fs';
import { promisify } from 'node:util';
import { throwIfCancelled } from '../errors.ts';
import type { OpenFile } from '../resolve/open-regular.ts';
import { sniffEncoding } from './encoding.ts';
import { readLineRest } from './line-rest.ts';
import { versionOf } from './version.ts';

const readAsync = promisify(read);
const CHUNK_BYTES = 1024 * 1024;
/** One byte offset is remembered for this many lines: a jump reads at most that many lines too much. */
const LINES_PER_MARK = 1024;
const MAX_INDEXES = 16;
const NEWLINE = 10;

/** Byte offsets of every 1,024th line of one version of a file. */
interface LineIndex {
  readonly marks: number[];
  totalLines: number;
}

/** Which lines: `limit` from the 1-based `offset` on, and fewer once they take `maxBytes`. */
interface LineWindow {
  readonly offset: number;
  readonly limit: number;
  readonly maxBytes: number;
  readonly signal: AbortSignal | undefined;
}

/** Least recently used first; a new version of a file is a new key. */
const indexes = new Map<string, Promise<LineIndex>>();

/**
 * Lines from anywhere in a file of any size. The first call scans the file once (about a second per GiB) to count its
 * lines; later calls on the same version jump. Memory is one chunk plus 8 bytes per 1,024 lines.
 */
export async function readIndexedLines(
  file: OpenFile,
  window: LineWindow & { column: number | undefined },
): Promise<{ lines: string[]; totalLines: number; encoding: 'utf-8' | 'unknown-8bit' }> {
  const index = await indexOf(file, window.signal);
  const { totalLines } = index;
  const wanted = Math.min(window.limit, Math.max(0, totalLines - window.offset + 1));
  if (wanted === 0) return { lines: [], totalLines, encoding: 'utf-8' };
  const start = await lineStart(file, index, window);
  if (window.column === undefined) return { ...(await readWindow(file, start, wanted, window)), totalLines };
  const rest = await readLineRest(file, start, { ...window, column: window.column, isFirst: window.offset === 1 });
  return { lines: [rest.text], totalLines, encoding: rest.encoding };
}

/** Concurrent callers share one scan. If its owner cancels, another caller starts a new scan. */
async function indexOf(file: OpenFile, signal: AbortSignal | undefined): Promise<LineIndex> {
  const key = `${file.stat.dev}:${versionOf(file.stat)}`;
  for (;;) {
    const shared = indexes.get(key);
    const pending = shared ?? scan(file, signal);
    indexes.delete(key);
    indexes.set(key, pending);
    if (indexes.size > MAX_INDEXES) indexes.delete(indexes.keys().next().value as string);
    try {
      return await pending;
    } catch (error) {
      if (indexes.get(key) === pending) indexes.delete(key);
      if (!shared) throw error;
      throwIfCancelled(signal);
    }
  }
}

async function scan(file: OpenFile, signal: AbortSignal | undefined): Promise<LineIndex> {
  const marks = [0];
  let lines = 0;
  let last = NEWLINE;
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  for (let position = 0; position < file.stat.size; ) {
    throwIfCancelled(signal);
    const { bytesRead } = await readAsync(file.fd, buffer, 0, CHUNK_BYTES, position);
    if (bytesRead === 0) break;
    const chunk = bytesRead === CHUNK_BYTES ? buffer : buffer.subarray(0, bytesRead);
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) {
      if (++lines % LINES_PER_MARK === 0) marks.push(position + at + 1);
    }
    last = chunk[bytesRead - 1] as number;
    position += bytesRead;
  }
  return { marks, totalLines: last === NEWLINE ? lines : lines + 1 };
}

/** The byte the first line of a window begins at. */
async function lineStart(file: OpenFile, index: LineIndex, { offset, signal }: LineWindow): Promise<number> {
  let position = index.marks[Math.floor((offset - 1) / LINES_PER_MARK)] ?? file.stat.size;
  let skip = (offset - 1) % LINES_PER_MARK;
  const buffer = Buffer.allocUnsafe(64 * 1024);
  while (skip > 0) {
    throwIfCancelled(signal);
    const { bytesRead } = await readAsync(file.fd, buffer, 0, buffer.length, position);
    if (bytesRead === 0) return position;
    const chunk = buffer.subarray(0, bytesRead);
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1))
      if (--skip === 0) return position + at + 1;
    position += bytesRead;
  }
  return position;
}

async function readWindow(
  file: OpenFile,
  from: number,
  wanted: number,
  window: LineWindow,
): Promise<{ lines: string[]; encoding: 'utf-8' | 'unknown-8bit' }> {
  const lines: string[] = [];
  let encoding: 'utf-8' | 'unknown-8bit' = 'utf-8';
  let position = from;
  let room = window.maxBytes;
  let carry: Buffer[] = [];
  let carried = 0;
  const emit = (bytes: Buffer): void => {
    const end = bytes.at(-1) === 13 ? bytes.length - 1 : bytes.length;
    const kept = bytes.subarray(0, end <= window.maxBytes ? end : beforeCharacter(bytes, window.maxBytes));
    if (!isUtf8(kept)) encoding = 'unknown-8bit';
    room -= kept.length + 8;
    const isMarked = window.offset === 1 && lines.length === 0 && sniffEncoding(kept) === 'utf-8-bom';
    lines.push(kept.toString('utf8', isMarked ? 3 : 0));
  };
  const buffer = Buffer.allocUnsafe(64 * 1024);
  // A line longer than any result is read only as far as it can be shown.
  while (position < file.stat.size && carried <= window.maxBytes) {
    throwIfCancelled(window.signal);
    const { bytesRead } = await readAsync(file.fd, buffer, 0, buffer.length, position);
    if (bytesRead === 0) break;
    let start = 0;
    for (let end = buffer.indexOf(NEWLINE); end !== -1 && end < bytesRead; end = buffer.indexOf(NEWLINE, start)) {
      emit(Buffer.concat([...carry, buffer.subarray(start, end)]));
      carry = [];
      carried = 0;
      start = end + 1;
      if (lines.length >= wanted || room <= 0) return { lines, encoding };
    }
    carry.push(Buffer.from(buffer.subarray(start, bytesRead)));
    carried += bytesRead - start;
    position += bytesRead;
  }
  if (carried > 0) emit(Buffer.concat(carry));
  return { lines, encoding };
}

/** The nearest place at or before `end` where no UTF-8 character is cut in two. */
function beforeCharacter(bytes: Buffer, end: number): number {
  let at = end;
  while (end - at < 4 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at--;
  return end - at < 4 ? at : end;
}
