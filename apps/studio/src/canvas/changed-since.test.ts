import { applyEdits, type Edit, emptyFlow, type FlowNode } from '@croft/flow';
import { expect, it } from 'vitest';
import { begunFlow, changedSince } from './changed-since.ts';

const add = (id: string, values: FlowNode['values'] = {}): Edit => ({
  kind: 'add_component',
  node: { id, type: 'T', position: { x: 0, y: 0 }, values },
});
const connect = (from: string, to: string): Edit => ({
  kind: 'connect',
  edge: { from: { node: from, port: 'out' }, to: { node: to, port: 'in' } },
});
/** a leads to b and b to c; d is alone. */
const START = applyEdits(emptyFlow('f'), [
  add('a', { path: 'one.csv', rows: [1] }),
  add('b'),
  add('c'),
  add('d'),
  connect('a', 'b'),
  connect('b', 'c'),
]).flow;
const changedBy = (...edits: Edit[]) => [...changedSince(begunFlow(START), applyEdits(START, edits).flow)];

it.each<[string, Edit, string[]]>([
  ['a value', { kind: 'configure', id: 'b', values: { path: 'x' } }, ['b', 'c']],
  ['a value that is taken away', { kind: 'configure', id: 'a', values: {}, unset: ['rows'] }, ['a', 'b', 'c']],
  ['the code', { kind: 'set_code', id: 'c', code: 'class A {}' }, ['c']],
  ['a connection to it', connect('d', 'c'), ['c']],
  ['a component before it', { kind: 'remove_component', id: 'a' }, ['b', 'c']],
])('a component is changed with %s, and so is what it leads to', (_, edit, changed) => {
  expect(changedBy(edit)).toEqual(changed);
});

it('a component is not changed by its name, its place, or what it leads to', () => {
  expect(changedBy({ kind: 'rename', id: 'a', name: 'Reader' })).toEqual([]);
  expect(changedBy({ kind: 'move', positions: { a: { x: 9, y: 9 } } })).toEqual([]);
  expect(changedBy({ kind: 'configure', id: 'c', values: { x: 1 } })).toEqual(['c']);
  expect(changedBy(add('e'), connect('c', 'e'))).toEqual([]);
});

it('a component is not changed any more once it is as it was', () => {
  const away: Edit = { kind: 'configure', id: 'a', values: { path: 'two.csv', rows: [2] } };
  const back: Edit = { kind: 'configure', id: 'a', values: { path: 'one.csv', rows: [1] } };
  expect(changedBy(away)).toHaveLength(3);
  expect(changedBy(away, back)).toEqual([]);
  const { flow, inverse } = applyEdits(START, [{ kind: 'remove_component', id: 'b' }]);
  expect([...changedSince(begunFlow(START), flow)]).toEqual(['c']);
  expect([...changedSince(begunFlow(START), applyEdits(flow, [inverse]).flow)]).toEqual([]);
});

it('reads connections in a circle', () => {
  expect(changedBy(connect('c', 'a'))).toEqual(['a', 'b', 'c']);
});

it.each<[string, Partial<FlowNode>]>([
  ['its type', { type: 'U' }],
  ['the output that it gives', { selectedOutput: 'x' }],
  ['its use as a tool', { toolMode: true }],
  ['the fields that connections fill', { connectedFields: ['path'] }],
  ['pinned outputs', { pinned: { out: 1 } } as Partial<FlowNode>],
  ['options of its run', { run: { retries: 1 } } as Partial<FlowNode>],
  ['its code', { code: 'class A {}' }],
  ['a value', { values: { path: 'one.csv', rows: [1], more: true } }],
])('a component is changed by %s', (_, change) => {
  const nodes = START.nodes.map((node) => (node.id === 'd' ? { ...node, ...change } : node));
  expect([...changedSince(begunFlow(START), { nodes, edges: START.edges })]).toEqual(['d']);
  const isCopy = nodes.map((node) => structuredClone(node));
  expect([...changedSince(begunFlow({ ...START, nodes }), { nodes: isCopy, edges: START.edges })]).toEqual([]);
});

it('a component is changed by the order of its connections, and by another port', () => {
  const changed = (edges: typeof START.edges) => [...changedSince(begunFlow(START), { nodes: START.nodes, edges })];
  const [first, second] = START.edges as [(typeof START.edges)[number], (typeof START.edges)[number]];
  expect(changed([second, first])).toEqual([]);
  expect(changed([first, { ...second, from: { node: 'b', port: 'other' } }])).toEqual(['c']);
  expect(changed([first, { ...second, to: { node: 'c', port: 'other' } }])).toEqual(['c']);
  expect(changed([first, second, second])).toEqual(['c']);
  const both = { ...START, edges: [first, second, { from: { node: 'd', port: 'out' }, to: second.to }] };
  const [, ...swapped] = both.edges;
  expect([...changedSince(begunFlow(both), { nodes: both.nodes, edges: [first, ...swapped.toReversed()] })]).toEqual([
    'c',
  ]);
});
