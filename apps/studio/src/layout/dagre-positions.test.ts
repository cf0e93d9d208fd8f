import { expect, it } from 'vitest';
import { dagrePositions } from './dagre-positions.ts';

const node = (id: string, height = 100) => ({ id, width: 200, height });

it('places each node to the right of those before it, by the top left corner', () => {
  const at = dagrePositions({
    nodes: [node('c'), node('a'), node('b', 300)],
    edges: [
      ['a', 'b'],
      ['b', 'c'],
    ],
  });
  expect([at['a']?.x, at['b']?.x, at['c']?.x]).toEqual([0, 272, 544]);
  expect([at['a']?.y, at['b']?.y]).toEqual([100, 0]);
});

it('places nodes beside each other without covering any, also one that feeds itself', () => {
  const at = dagrePositions({
    nodes: [node('a'), node('b'), node('c')],
    edges: [
      ['a', 'b'],
      ['a', 'c'],
      ['a', 'a'],
    ],
  });
  expect(at['b']?.x).toBe(at['c']?.x);
  expect(Math.abs((at['b']?.y ?? 0) - (at['c']?.y ?? 0))).toBe(160);
});
