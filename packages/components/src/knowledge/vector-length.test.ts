import { expect, it } from 'vitest';
import { lengthOf } from './vector-length.ts';

const vectors = (...lengths: number[]) => lengths.map((length) => new Float32Array(length));

it('is that of all vectors', () => {
  expect([lengthOf(vectors(3, 3)), lengthOf([]), lengthOf([], 5), lengthOf(vectors(4), 4)]).toEqual([3, 0, 5, 4]);
});

it('refuses vectors of two lengths', () => {
  expect(() => lengthOf(vectors(3, 4))).toThrow('different lengths: 3 and 4 numbers');
  expect(() => lengthOf(vectors(3), 4)).toThrow('different lengths: 4 and 3 numbers');
});
