import { expect, it } from 'vitest';
import { bm25, bm25Share, bm25Weight } from './bm25.ts';

it('weighs rare words more, and repeated ones less each time', () => {
  expect(bm25Weight(10, 1)).toBeCloseTo(Math.log(1 + 9.5 / 1.5));
  expect(bm25Weight(10, 1)).toBeGreaterThan(bm25Weight(10, 5));
  expect(bm25Share(1, 4, 4)).toBeCloseTo(1);
  expect(bm25Share(2, 4, 4)).toBeCloseTo((2 * 2.2) / 3.2);
  expect(bm25Share(1, 8, 4)).toBeCloseTo(2.2 / (1 + 1.2 * (0.25 + 1.5)));
});

it('scores texts for a query, 0 without a common word', () => {
  const texts = ['red apple pie', 'green apple', 'blue sky', 'apple apple apple'];
  const scores = bm25('apple apple red', texts);
  expect(scores[2]).toBe(0);
  expect(scores[0]).toBeGreaterThan(scores[3] as number);
  expect(scores[3]).toBeGreaterThan(scores[1] as number);
  expect(scores[1]).toBeCloseTo(bm25Weight(4, 3) * bm25Share(1, 2, 10 / 4));
  expect([bm25('x', []), bm25('', ['a'])]).toEqual([[], [0]]);
});
