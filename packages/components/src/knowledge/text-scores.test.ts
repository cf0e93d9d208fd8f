import { expect, it } from 'vitest';
import { textScores } from './text-scores.ts';

it('puts texts with the words of the query first, from 0 to 1', () => {
  const scores = textScores('apple pie', ['apple pie', 'apples and pies', 'blue sky', 'apple']);
  expect(scores.every((score) => score >= 0 && score <= 1 + 1e-6)).toBe(true);
  expect(scores[0]).toBeGreaterThan(0.9);
  expect(scores[0]).toBeGreaterThan(scores[3] as number);
  expect(scores[1]).toBeGreaterThan(scores[2] as number);
});

it('gives no score where nothing is common', () => {
  expect(textScores('zebra', ['blue sky'])[0]).toBeLessThan(0.1);
  expect(textScores('x', [])).toEqual([]);
});
