import { expect, it } from 'vitest';
import { bestOf } from './best-scores.ts';

const best = (limit: number, scores: readonly number[]) => {
  const found = bestOf(limit);
  scores.forEach((score, position) => found.add(position, score));
  return found.list().map(({ position }) => position);
};

it('keeps the highest scores, highest first; of equal ones the first', () => {
  expect(best(2, [1, 3, 2, 4])).toEqual([3, 1]);
  expect(best(3, [1, 2, 1, 2, 1])).toEqual([1, 3, 0]);
  expect(best(2, [5, 5, 5])).toEqual([0, 1]);
  expect(best(10, [2, 1])).toEqual([0, 1]);
});

it('counts nothing that is not above zero', () => {
  expect(best(5, [0, -1, Number.NaN, 0.1])).toEqual([3]);
});
