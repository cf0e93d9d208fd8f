import { describe, expect, it } from 'vitest';
import type { FlowDocument, FlowEdge, FlowNode } from './document.ts';
import {
  addComponent,
  type Applied,
  connect,
  disconnect,
  indexOfNode,
  insert,
  removeComponent,
  without,
} from './edit-graph.ts';
import { flowOf } from './testing.ts';

const FLOW: FlowDocument = {
  ...flowOf({ a: 'A', b: 'B', c: 'C' }, ['a.out -> b.in', 'a.out -> c.in', 'b.out -> c.in']),
  groups: [{ id: 'g', name: 'Group', nodes: ['a', 'b', 'c'] }] as unknown as FlowDocument['groups'],
};
const edge = (from: string, to: string): FlowEdge => ({
  from: { node: from, port: 'out' },
  to: { node: to, port: 'in' },
});
const ids = ({ nodes }: FlowDocument) => nodes.map(({ id }) => id).join('');
const wires = ({ edges }: FlowDocument) => edges.map(({ from, to }) => from.node + to.node).join(' ');
const newNode = (id: string) => ({ ...(FLOW.nodes[0] as FlowNode), id });

/** Applies the inverse of an edit. */
function takenBack({ flow, inverse }: Applied): FlowDocument {
  switch (inverse.kind) {
    case 'add_component':
      return addComponent(flow, inverse).flow;
    case 'remove_component':
      return removeComponent(flow, inverse.id).flow;
    case 'connect':
      return connect(flow, inverse.edge, inverse.at).flow;
    case 'disconnect':
      return disconnect(flow, inverse.edge).flow;
    default:
      return flow;
  }
}

describe('a component that is removed', () => {
  it('takes its edges and its places in groups along, and all come back where they were', () => {
    const removed = removeComponent(FLOW, 'b');
    expect([ids(removed.flow), wires(removed.flow), removed.flow.groups[0]?.nodes]).toEqual(['ac', 'ac', ['a', 'c']]);
    expect(takenBack(removed)).toEqual(FLOW);
  });

  it('leaves lists as they are that do not name it', () => {
    const flow = { ...flowOf({ a: 'A', b: 'B' }), groups: FLOW.groups.map((group) => ({ ...group, nodes: ['a'] })) };
    const removed = removeComponent(flow, 'b');
    expect([removed.flow.edges, removed.flow.groups]).toEqual([flow.edges, flow.groups]);
    expect(removed.flow.edges).toBe(flow.edges);
    expect(() => removeComponent(flow, 'x')).toThrow('Component not found in flow: x');
  });
});

describe('a component that is added', () => {
  it('comes last, or where it is put, with edges at their places', () => {
    expect(ids(addComponent(FLOW, { kind: 'add_component', node: newNode('d') }).flow)).toBe('abcd');
    const added = addComponent(FLOW, {
      kind: 'add_component',
      node: newNode('d'),
      at: 1,
      edges: [
        { edge: edge('d', 'c'), at: 3 },
        { edge: edge('a', 'd'), at: 0 },
        { edge: edge('a', 'd'), at: 1 },
      ],
      groups: [{ group: 'g', at: 0 }],
    });
    expect([ids(added.flow), wires(added.flow), added.flow.groups[0]?.nodes.join('')]).toEqual([
      'adbc',
      'ad ab ac dc bc',
      'dabc',
    ]);
    expect(takenBack(added)).toEqual(FLOW);
  });

  it('is refused with an id that the flow has, and with edges of others', () => {
    const add = (id: string, edges: FlowEdge[] = []) =>
      addComponent(FLOW, {
        kind: 'add_component',
        node: newNode(id),
        edges: edges.map((each) => ({ edge: each, at: 0 })),
      });
    expect(() => add('a')).toThrow("The flow already has a component with the id 'a'.");
    expect(() => add('g')).toThrow('already has');
    expect(() => add('d', [edge('a', 'b')])).toThrow("An edge of the new component 'd' does not begin or end at it.");
    expect(() => add('d', [edge('d', 'x')])).toThrow('Component not found in flow: x');
  });
});

describe('an edge', () => {
  it('is added once, between components of the flow', () => {
    const added = connect(FLOW, edge('c', 'a'), 1);
    expect(wires(added.flow)).toBe('ab ca ac bc');
    expect(takenBack(added)).toEqual(FLOW);
    expect(connect(FLOW, edge('a', 'b'))).toEqual({ flow: FLOW, inverse: { kind: 'batch', edits: [] } });
    for (const [from, to] of [
      ['x', 'a'],
      ['a', 'x'],
    ] as const)
      expect(() => connect(FLOW, edge(from, to))).toThrow('Component not found in flow: x');
  });

  it('is removed, and comes back at its place', () => {
    const removed = disconnect(FLOW, edge('a', 'c'));
    expect(wires(removed.flow)).toBe('ab bc');
    expect(takenBack(removed)).toEqual(FLOW);
    expect(disconnect(FLOW, edge('c', 'a')).flow).toBe(FLOW);
  });
});

it('copies lists instead of changing them', () => {
  const list = ['a', 'c'];
  expect([insert(list, 'b', 1), insert(list, 'd'), without(list, 0), list]).toEqual([
    ['a', 'b', 'c'],
    ['a', 'c', 'd'],
    ['c'],
    ['a', 'c'],
  ]);
  expect(indexOfNode(FLOW, 'c')).toBe(2);
});
