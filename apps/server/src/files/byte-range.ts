import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';

/** The part of a file a request wants: first and last byte, both counted from 0 and both in it. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * What a `Range` header asks of a file of that many bytes (RFC 9110, 14): one part, `unsatisfiable` where it begins
 * behind the end, or `undefined` for the whole file. Units other than bytes, several parts and what is not understood
 * are passed over, as the standard allows: the whole file is a right answer to each.
 */
export function readRange(header: string | undefined, sizeBytes: number): ByteRange | 'unsatisfiable' | undefined {
  const [, first, last] = /^bytes *= *(\d{0,16}) *- *(\d{0,16}) *$/i.exec(header ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined;
  if (first === '') {
    // The last so many bytes.
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
 * Names one state of a file, for `ETag` and `If-Range`. Writes of Croft put another file in its place, so inode, size and
 * times tell them apart; hashed, because none of these is a caller's business. A change by others that keeps size and
 * both times is not noticed.
 */
export function entityTag({ ino, size, mtimeMs, ctimeMs }: Stats): string {
  const state = createHash('sha256').update(`${ino} ${size} ${mtimeMs} ${ctimeMs}`).digest('base64url');
  return `"${state.slice(0, 22)}"`;
}
