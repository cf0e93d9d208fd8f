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

it('puts a node that no other leads to beside the first that it leads to', () => {
  expect(columns(['i', 'a', 'b', 'c', 'x'], ['ab', 'bc', 'ic'])).toEqual([
    'a 0,-175',
    'x 0,175',
    'i 600,-175',
    'b 600,175',
    'c 1200,0',
  ]);
  expect(columns(['i', 'a', 'b', 'c'], ['ab', 'bc', 'ic', 'ib'])[1]).toBe('a 0,175');
});

it('leaves out an edge that leads back, so that the nodes of a loop are columns as the others', () => {
  expect(columns(['c', 'l', 'p', 'q', 'o'], ['cl', 'lp', 'pl', 'lq', 'qo'])).toEqual([
    'c 0,0',
    'l 600,0',
    'p 1200,-175',
    'q 1200,175',
    'o 1800,0',
  ]);
  // The edge of the loop comes first in the flow.
  expect(columns(['p', 'l', 'c'], ['pl', 'lp', 'cl'])).toEqual(['c 0,0', 'l 600,0', 'p 1200,0']);
  expect(columns(['a', 'b', 'c'], ['bc', 'cb', 'aa'])).toEqual(['a 0,-175', 'b 0,175', 'c 600,0']);
});

it('begins a circle with its first node', () => {
  expect(columns(['b', 'c', 'd'], ['bc', 'cd', 'db'])).toEqual(['b 0,0', 'c 600,0', 'd 1200,0']);
});

it('lays out a chain of 20,000 nodes, and leaves out edges of nodes that are not there', () => {
  const ids = Array.from({ length: 20_000 }, (_, at) => `n${at}`);
  const nodes = ids.map((id) => ({ id, type: 'Step', position: { x: 0, y: 0 }, values: {} }));
  const edges = ids.map((id, at) => ({
    from: { node: id, port: 'out' },
    to: { node: ids[at + 1] ?? 'missing', port: 'in' },
  }));
  const positions = layoutFlow({ nodes, edges });
  expect([positions['n0'], positions['n19999'], positions['missing']]).toEqual([
    { x: 0, y: 0 },
    { x: 19_999 * 600, y: 0 },
    undefined,
  ]);
});

it('is an edit that moves every node', () => {
  expect(layoutEdit(flowOf({ a: 'Step' }))).toEqual({ kind: 'move', positions: { a: { x: 0, y: 0 } } });
});
