import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';

/** The part of a file a request wants: first and last byte, both counted from 0 and both in it. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Parses a `Range` header for a file of this size (RFC 9110, section 14). Returns one range, `unsatisfiable` if it
 * begins behind the end, or `undefined` for the whole file. Ignores other units, several ranges and invalid headers, as
 * the RFC allows: the whole file is a correct response to each.
 */
export function readRange(header: string | undefined, sizeBytes: number): ByteRange | 'unsatisfiable' | undefined {
  const [, first, last] = /^bytes *= *(\d{0,16}) *- *(\d{0,16}) *$/i.exec(header ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined;
  if (first === '') {
    // A suffix range: the last `wanted` bytes.
    const wanted = Number(last);
    if (wanted === 0 || sizeBytes === 0) return 'unsatisfiable';
    return { start: Math.max(0, sizeBytes - wanted), end: sizeBytes - 1 };
  }
  const start = Number(first);
  const end = last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1);
  if (last !== '' && Number(last) < start) return undefined;
  return start < sizeBytes ? { start, end } : 'unsatisfiable';
}

/**
 * Names one state of a file, for `ETag` and `If-Range`. Writes of Croft put another file in its place, so inode, size
 * and times distinguish states. The tag is a hash, so that callers do not see these values. It misses a change by
 * another program that keeps size and both times.
 */
export function entityTag({ ino, size, mtimeMs, ctimeMs }: Stats): string {
  const state = createHash('sha256').update(`${ino} ${size} ${mtimeMs} ${ctimeMs}`).digest('base64url');
  return `"${state.slice(0, 22)}"`;
}
