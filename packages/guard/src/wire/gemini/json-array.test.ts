import { describe, expect, it } from 'vitest';
import { everyCut } from '../testing.ts';
import type { Frame } from '../../framing/framing.ts';
import { readAll } from '../../framing/testing.ts';
import { openJsonArray } from './json-array.ts';

const framesOf = (pieces: readonly Buffer[]): Frame[] => {
  const framing = openJsonArray();
  return readAll(framing, pieces, () => framing.next());
};

describe('a JSON array that comes in pieces', () => {
  it.each([
    ['[{"a":"]}\\""},\r\n{"b":[{}]}\n]\n', ['{"a":"]}\\""}', '{"b":[{}]}']],
    ['\uFEFF [ ] ', []],
    ['[]', []],
    ['', []],
    ['[{"é":1}', ['{"é":1}']],
  ])('is cut into its elements, and keeps every byte: %j', (text, elements) => {
    const bytes = Buffer.from(text);
    for (const pieces of everyCut(bytes)) {
      const frames = framesOf(pieces);
      expect(Buffer.concat(frames.map((frame) => frame.raw)).equals(bytes)).toBe(true);
      expect(frames.flatMap((frame) => frame.data ?? [])).toEqual(elements);
      expect(frames.every((frame) => !frame.unclear)).toBe(true);
    }
  });

  it.each(['{"a":1}', '[1]', '[[{}]]', 'x[{}]', '[{}x', '[{},,{}]', '[{},]', '[][{}]', ',{}', '[{'])(
    'is unclear if it is not an array: %s',
    (text) => {
      for (const pieces of everyCut(Buffer.from(text)))
        expect(framesOf(pieces).some((frame) => frame.unclear)).toBe(true);
    },
  );

  it('is an array again, whatever was left out of it, put into it, or ended early', () => {
    const [first, second, end] = framesOf([Buffer.from('[{"a":1},{"a":2}]')]) as [Frame, Frame, Frame];
    const written = (...pieces: (Frame | { data: string } | 'close')[]) => {
      const framing = openJsonArray();
      const bytes = pieces.map(
        (piece) => (piece === 'close' ? framing.close() : framing.write(piece)) ?? Buffer.alloc(0),
      );
      return JSON.parse(Buffer.concat(bytes).toString()) as unknown;
    };
    const made = { data: '{"m":1}' };
    expect(written(first, second, end)).toEqual([{ a: 1 }, { a: 2 }]);
    expect(written(second, end)).toEqual([{ a: 2 }]);
    expect(written(end)).toEqual([]);
    expect(written(made, second, first, end, 'close')).toEqual([{ m: 1 }, { a: 2 }, { a: 1 }]);
    expect(written(first, made, 'close')).toEqual([{ a: 1 }, { m: 1 }]);
    expect(written('close')).toEqual([]);
    const [empty] = framesOf([Buffer.from('[ ]')]) as [Frame];
    expect(written(first, empty)).toEqual([{ a: 1 }]);
    expect(written(empty)).toEqual([]);
  });

  it('goes on where the framing of an earlier answer stopped', () => {
    const [frame, end] = framesOf([Buffer.from('[{"a":1}]')]) as [Frame, Frame];
    const before = openJsonArray();
    const after = openJsonArray();
    const out = [before.write(frame)];
    after.follow(before);
    out.push(after.write(frame), after.write(end));
    expect(JSON.parse(Buffer.concat(out).toString())).toEqual([{ a: 1 }, { a: 1 }]);
    expect(after.close()).toBeUndefined();
  });
});
