import fc from 'fast-check';
import { expect } from 'vitest';
import type { Frame } from '../framing/framing.ts';
import { openSse } from '../framing/sse.ts';
import { blockOutside, everyCut, openStream, play } from './testing.ts';
import type { ReplyReader, Verdict, Wire } from './wire.ts';

/** The guarded replies to every cut of these bytes. In each, the hostile call with this id is missing completely. */
export function* repliesWithout(id: string, wire: Wire, bytes: Buffer): Generator<Buffer> {
  for (const pieces of everyCut(bytes)) {
    const out = play(openStream(wire, blockOutside), pieces);
    expect(['/etc/', 'SECRET', id].filter((part) => out.includes(part))).toEqual([]);
    yield out;
  }
}

/** The bytes, cut at these places or at their end. */
export function cutAt(bytes: Buffer, places: readonly number[]): Buffer[] {
  const ends = [...places.map((place) => Math.min(place, bytes.length)).sort((a, b) => a - b), bytes.length];
  return ends.map((end, at) => bytes.subarray(ends[at - 1] ?? 0, end));
}

/** Places at which a property test cuts. */
export const PLACES = fc.array(fc.nat(3000), { maxLength: 6 });

/** A reader with functions that give it SSE events: `frames` only cuts them into frames, `read` also reads each. */
export function readerOf<R extends ReplyReader, E>(made: R, bytesOf: (events: readonly E[]) => Buffer) {
  const framing = openSse();
  const frames = (...events: readonly E[]): Frame[] => {
    framing.push(bytesOf(events));
    const found: Frame[] = [];
    for (let next = framing.next(undefined); next !== undefined; next = framing.next(undefined))
      if (!Buffer.isBuffer(next)) found.push(next);
    return found;
  };
  return { made, frames, read: (...events: readonly E[]) => frames(...events).map((frame) => made.read(frame)) };
}

/** The JSON of pieces for the client. */
export const dataOf = (pieces: readonly { readonly data?: string | undefined }[]) =>
  pieces.map(({ data }) => JSON.parse(data ?? '{}') as Record<string, any>);

/** A verdict about the call with this key, which is blocked if there is a note for it. */
export const verdictOn = (key: string, note: string, result = ''): Verdict => ({
  key,
  name: 'w',
  blocked: note !== '',
  decision: { decision: 'block', rule: 'outside-path', reason: '', paths: [], accepted: '' },
  result,
  note,
});
