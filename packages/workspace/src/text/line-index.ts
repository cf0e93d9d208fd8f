import { isUtf8 } from 'node:buffer';
import { read } from 'node:fs';
import { promisify } from 'node:util';
import { throwIfCancelled } from '../errors.ts';
import type { OpenFile } from '../resolve/open-regular.ts';
import { sniffEncoding } from './encoding.ts';
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

/** Least recently used first; a new version of a file is a new key. */
const indexes = new Map<string, Promise<LineIndex>>();

/**
 * Lines from anywhere in a file of any size. The first call scans the file once (about a second per GiB) to count its
 * lines; later calls on the same version jump. Memory is one chunk plus 8 bytes per 1,024 lines.
 */
export async function readIndexedLines(
  file: OpenFile,
  window: { offset: number; limit: number; maxBytes: number; signal: AbortSignal | undefined },
): Promise<{ lines: string[]; totalLines: number; encoding: 'utf-8' | 'unknown-8bit' }> {
  const index = await indexOf(file, window.signal);
  const read = await readWindow(file, index, window);
  return { ...read, totalLines: index.totalLines };
}

/** One scan serves all who ask for it meanwhile; whoever finds that its owner gave up makes one of his own. */
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

async function readWindow(
  file: OpenFile,
  index: LineIndex,
  window: { offset: number; limit: number; maxBytes: number; signal: AbortSignal | undefined },
): Promise<{ lines: string[]; encoding: 'utf-8' | 'unknown-8bit' }> {
  const lines: string[] = [];
  let encoding: 'utf-8' | 'unknown-8bit' = 'utf-8';
  const wanted = Math.min(window.limit, Math.max(0, index.totalLines - window.offset + 1));
  const mark = Math.floor((window.offset - 1) / LINES_PER_MARK);
  let position = index.marks[mark];
  let skip = (window.offset - 1) % LINES_PER_MARK;
  let room = window.maxBytes;
  let carry: Buffer[] = [];
  let carried = 0;
  const emit = (bytes: Buffer): void => {
    const end = bytes.at(-1) === 13 ? bytes.length - 1 : bytes.length;
    const kept = bytes.subarray(0, Math.min(end, window.maxBytes));
    if (!isUtf8(kept)) encoding = 'unknown-8bit';
    room -= kept.length + 8;
    const isMarked = window.offset === 1 && lines.length === 0 && sniffEncoding(kept) === 'utf-8-bom';
    lines.push(kept.toString('utf8', isMarked ? 3 : 0));
  };
  const buffer = Buffer.allocUnsafe(64 * 1024);
  while (position !== undefined && position < file.stat.size && lines.length < wanted && room > 0) {
    throwIfCancelled(window.signal);
    const { bytesRead } = await readAsync(file.fd, buffer, 0, buffer.length, position);
    if (bytesRead === 0) break;
    let start = 0;
    for (let end = buffer.indexOf(NEWLINE); end !== -1 && end < bytesRead; end = buffer.indexOf(NEWLINE, start)) {
      if (skip > 0) skip--;
      else emit(Buffer.concat([...carry, buffer.subarray(start, end)]));
      carry = [];
      carried = 0;
      start = end + 1;
      if (lines.length >= wanted || room <= 0) return { lines, encoding };
    }
    // A line longer than any result is carried only as far as it can be shown.
    if (skip === 0 && carried < window.maxBytes) {
      carry.push(Buffer.from(buffer.subarray(start, bytesRead)));
      carried += bytesRead - start;
    }
    position += bytesRead;
  }
  if (skip === 0 && carried > 0 && lines.length < wanted) emit(Buffer.concat(carry));
  return { lines, encoding };
}
