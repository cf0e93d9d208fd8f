import { describe, expect, it } from 'vitest';
import { addUsage, bodyWithUsage } from './usage.ts';

describe('the usage of two replies', () => {
  it('adds counts at any depth, and takes everything else from the later reply', () => {
    expect(
      addUsage(
        { input: 3, cache: { read: 1 }, tier: 'old', only: 4 },
        { input: 5, cache: { read: 2, made: 7 }, tier: 'new' },
      ),
    ).toEqual({ input: 8, cache: { read: 3, made: 7 }, tier: 'new', only: 4 });
  });

  it('adds the lists of Gemini by modality', () => {
    const [text, image] = [
      { modality: 'TEXT', tokenCount: 3 },
      { modality: 'IMAGE', tokenCount: 5 },
    ];
    expect(addUsage({ list: [text] }, { list: [image, text] })).toEqual({
      list: [{ modality: 'TEXT', tokenCount: 6 }, image],
    });
    expect(addUsage({ list: [{ tokenCount: 1 }] }, { list: [{ tokenCount: 1 }] })?.['list']).toHaveLength(2);
  });

  it('is that of the one reply which has any, also where the other says null', () => {
    expect(addUsage(undefined, { a: 1 })).toEqual({ a: 1 });
    expect(addUsage({ a: 1 }, undefined)).toEqual({ a: 1 });
    expect(addUsage({ a: 1, b: 2 }, { a: null, b: 1 })).toEqual({ a: 1, b: 3 });
    expect(addUsage(undefined, 'text')).toBeUndefined();
  });
});

describe('a reply in one piece', () => {
  const PATHS = [['usage'], ['response', 'usage']];
  const body = (text: string) => Buffer.from(text);

  it('has the usage of the replies before added, and every other byte as it was', () => {
    const own = body('{"id":12345678901234567890, "usage":{"in":1},"text":"\\u0041"}');
    const earlier = [body('{"usage":{"in":10}}'), body('{"response":{"usage":{"in":100,"out":5}}}'), body('no json')];
    expect(bodyWithUsage(own, earlier, PATHS).toString()).toBe(
      '{"id":12345678901234567890, "usage":{"in":111,"out":5},"text":"\\u0041"}',
    );
  });

  it('is the same where one of them reports none', () => {
    for (const [own, before] of [
      ['{"a":1}', '{"usage":{"in":1}}'],
      ['{"usage":{"in":1}}', '{"a":1}'],
      ['broken', '{"usage":{"in":1}}'],
      ['{"usage":7}', '{"usage":{"in":1}}'],
    ] as const) {
      const given = body(own);
      expect(bodyWithUsage(given, [body(before)], PATHS)).toBe(given);
    }
  });
});
