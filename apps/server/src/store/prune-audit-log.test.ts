import { expect, it } from 'vitest';
import { longestGroup } from './prune-audit-log.ts';

it.each([
  ['small groups stay whole and the largest ones share the rest', [1, 2, 50, 90], 23, 10],
  ['all groups have the same share', [10, 10, 10], 9, 3],
  ['each group keeps one event where there are more groups than events', [1, 1, 5], 2, 1],
  ['groups within the bound stay whole', [2, 3], 10, 10],
])('%s', (_, sizes, most, kept) => {
  expect(longestGroup(sizes, most)).toBe(kept);
});
