import { expect, it } from 'vitest';
import { lengthOf } from './vector-length.ts';

const vectors = (...lengths: number[]) => lengths.map((length) => new Float32Array(length));

it('is that of all vectors', () => {
  expect([lengthOf(vectors(3, 3)), lengthOf([]), lengthOf([], 5), lengthOf(vectors(4), 4)]).toEqual([3, 0, 5, 4]);
});

it('refuses vectors of two lengths', () => {
  const refusal = (length: number, other: number) =>
    expect.objectContaining({
      name: 'ComponentError',
      message: `The vectors have different lengths: ${length} and ${other} numbers.`,
      fix: 'The embedding model changed. Run the flow again, or replace the content.',
    });
  expect(() => lengthOf(vectors(3, 3, 4))).toThrow(refusal(3, 4));
  expect(() => lengthOf(vectors(3), 4)).toThrow(refusal(4, 3));
});
