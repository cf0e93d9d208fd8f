import { describe, expect, it } from 'vitest';
import { backEdges, hasCircle, stronglyConnected } from './circles.ts';
import type { PlanEdge } from './plan-node.ts';

const edgesOf = (text: string) => text.split(' ').map((pair) => pair.split('>').map(Number) as [number, number]);
const planEdges = (text: string) => edgesOf(text).map(([from, to]) => ({ from, to }) as PlanEdge);

function circle(count: number, text: string): boolean {
  const waitsFor = new Int32Array(count);
  const after: { to: number }[][] = Array.from({ length: count }, () => []);
  for (const [from, to] of edgesOf(text)) {
    waitsFor[to] = (waitsFor[to] as number) + 1;
    after[from]?.push({ to });
  }
  return hasCircle(waitsFor, after);
}

describe('units that wait for each other', () => {
  it.each([
    ['0>1 1>2 0>2', false],
    // Two edges between the same two units.
    ['0>1 0>1 1>2', false],
    ['0>1 1>2 2>1', true],
    ['0>0', true],
    ['0>1 1>0 2>2', true],
  ])('%s: %s', (edges, expected) => expect(circle(3, edges)).toBe(expected));
});

describe('the edges that close circles', () => {
  it.each([
    ['9>0 0>1 1>2 2>0', [0, 1, 2], '2>0'],
    // Entered elsewhere, the same circle is closed by another edge.
    ['9>1 0>1 1>2 2>0', [0, 1, 2], '0>1'],
    ['9>0 0>1 1>0 1>2 2>1', [0, 1, 2], '1>0 2>1'],
    ['0>0', [0], '0>0'],
    ['0>1 0>2 1>2', [0, 1, 2], ''],
    // An edge that leaves the members is not one of theirs.
    ['0>1 1>5 5>0', [0, 1], ''],
  ])('of %s among %j are %s', (edges, members, expected) =>
    expect(
      backEdges(planEdges(edges), members)
        .map(({ from, to }) => `${from}>${to}`)
        .join(' '),
    ).toBe(expected),
  );
});

describe('groups of nodes that reach each other', () => {
  it.each([
    [4, '0>1 1>2 2>1 2>3', '0 1,2* 3'],
    [3, '0>0 0>1 1>2', '0* 1 2'],
    [5, '0>1 1>0 2>3 3>4 4>2 1>2', '0,1* 2,3,4*'],
    // Read in another order than they run.
    [3, '2>0 0>1', '2 0 1'],
  ])('of %i nodes with %s are %s', (count, edges, expected) => {
    const nodes = Array.from({ length: count }, (_, index) => index);
    const groups = stronglyConnected(nodes, edgesOf(edges));
    expect(groups.map(({ list, isCircle }) => `${list.join(',')}${isCircle ? '*' : ''}`).join(' ')).toBe(expected);
  });
});
