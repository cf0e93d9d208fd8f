import { expect, it } from 'vitest';
import { layoutEdit, layoutFlow } from './layout.ts';
import { flowOf } from './testing.ts';

const columns = (nodes: readonly string[], edges: readonly string[]) => {
  const flow = flowOf(
    Object.fromEntries(nodes.map((id) => [id, 'Step'])),
    edges.map(([from, to]) => `${from}.out -> ${to}.in`),
  );
  return Object.entries(layoutFlow(flow)).map(([id, { x, y }]) => `${id} ${x},${y}`);
};

it('puts a node one column right of the last one that leads to it, and centres each column', () => {
  expect(columns(['a', 'b', 'c', 'd'], ['ab', 'bc', 'ac', 'ad'])).toEqual([
    'a 0,0',
    'b 600,-175',
    'd 600,175',
    'c 1200,0',
  ]);
});

it('puts the nodes of a cycle, and what follows them, into columns of five behind the others', () => {
  expect(columns(['a', 'b', 'c'], ['bc', 'cb', 'aa'])).toEqual(['a 0,0', 'b 600,-175', 'c 600,175']);
  const many = Array.from('bcdefg');
  const circle = many.map((id, at) => id + (many[(at + 1) % many.length] as string));
  expect(columns(many, circle).filter((line) => line.includes(' 600,'))).toEqual(['g 600,0']);
});

it('is an edit that moves every node', () => {
  expect(layoutEdit(flowOf({ a: 'Step' }))).toEqual({ kind: 'move', positions: { a: { x: 0, y: 0 } } });
});
