import { describe, expect, it } from 'vitest';
import { EdgeValues } from './edge-values.ts';
import type { PlanEdge, PlanNode } from './plan-node.ts';

const edge = (index: number, toPort = 'in', more: Partial<PlanEdge> = {}): PlanEdge => ({
  index,
  from: 0,
  fromPort: 'out',
  to: 1,
  toPort,
  isFeedback: false,
  ...more,
});
/** A node with these edges; its named ports prune it when they get no value. */
const node = (incoming: readonly PlanEdge[], pruning: readonly string[] = []) =>
  ({
    incoming,
    setup: {
      hasPruningInput: pruning.length > 0,
      inputs: new Map(pruning.map((name) => [name, { prunes: true }])),
    },
  }) as unknown as PlanNode<never>;
const values = (reread: number[] = [], back: number[] = []) => new EdgeValues(4, new Set(reread), new Set(back));

describe('the values of edges', () => {
  it('arrive at their port in order, and are released when they are read', () => {
    const edges = values();
    const [a, b, other] = [edge(0), edge(1), edge(2, 'other')];
    const target = node([a, b, other]);
    edges.deliver([a, b, other], { out: 'x' });
    edges.deliver([b], { out: 'y' });
    expect([edges.take(target, 'in'), edges.take(target, 'none')]).toEqual([['x', 'y'], undefined]);
    expect(edges.take(target, 'in')).toEqual([undefined, undefined]);
    expect(edges.arrivedOn([a, other])).toEqual([undefined, 'x']);
  });

  it('stay where a later round reads them again', () => {
    const edges = values([0]);
    edges.deliver([edge(0)], { out: 'x' });
    expect([edges.take(node([edge(0)]), 'in'), edges.take(node([edge(0)]), 'in')]).toEqual([['x'], ['x']]);
  });

  it('that a cycle brought back take the place of the others', () => {
    const edges = values([], [1, 2]);
    const all = [edge(0), edge(1), edge(2), edge(3)];
    for (const each of all) edges.deliver([each], { out: each.index });
    expect(edges.take(node(all), 'in')).toEqual([1, 2]);
  });

  it('of an output that is missing prune, also one that every object has', () => {
    const edges = values();
    edges.deliver([edge(0), edge(1, 'in', { fromPort: 'toString' })], { other: 1 });
    expect([edges.hasArrived(edge(0)), edges.hasArrived(edge(1))]).toEqual([false, false]);
    edges.deliver([edge(2)], undefined);
    expect(edges.isPruned(node([edge(2)]))).toBe(true);
    edges.deliver([edge(3)], { out: null });
    expect(edges.hasArrived(edge(3))).toBe(true);
  });

  it('wait again for the next round', () => {
    const edges = values();
    edges.deliver([edge(0)], { out: 'x' });
    edges.reset([edge(0)]);
    expect([edges.hasArrived(edge(0)), edges.take(node([edge(0)]), 'in'), edges.arrivedOn([edge(0)])]).toEqual([
      false,
      undefined,
      [],
    ]);
  });
});

describe('a node is pruned', () => {
  const deliver = (edges: EdgeValues, arrived: readonly number[], pruned: readonly number[]) => {
    for (const index of arrived) edges.deliver([edge(index)], { out: 1 });
    for (const index of pruned) edges.deliver([edge(index)], {});
    return edges;
  };

  it('where none of its edges has a value', () => {
    const all = node([edge(0), edge(1)]);
    expect(deliver(values(), [], [0, 1]).isPruned(all)).toBe(true);
    expect(deliver(values(), [0], [1]).isPruned(all)).toBe(false);
    expect([values().isPruned(all), values().isPruned(node([]))]).toEqual([false, false]);
    expect(deliver(values(), [], [0]).isPruned(node([edge(0), edge(1, 'in', { isFeedback: true })]))).toBe(true);
    expect(deliver(values(), [], [0]).isPruned(all)).toBe(true);
  });

  it('where a required input has none', () => {
    const needs = node([edge(0, 'gate'), edge(1), edge(2, 'gate')], ['gate']);
    expect(deliver(values(), [1], [0, 2]).isPruned(needs)).toBe(true);
    expect(deliver(values(), [1, 2], [0]).isPruned(needs)).toBe(false);
    expect(deliver(values(), [0, 2], [1]).isPruned(needs)).toBe(false);
  });
});
