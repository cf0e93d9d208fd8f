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

it('lists positions with their scores, and nothing at first', () => {
  const found = bestOf(2);
  expect(found.list()).toEqual([]);
  for (const [position, score] of [
    [7, 0.5],
    [9, 0.25],
    [4, 0.75],
    [5, 0.5],
  ] as const)
    found.add(position, score);
  expect(found.list()).toEqual([
    { position: 4, score: 0.75 },
    { position: 7, score: 0.5 },
  ]);
});
