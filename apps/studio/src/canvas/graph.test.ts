import {
  applyEdit,
  createRegistry,
  type Descriptor,
  edgeKey,
  emptyFlow,
  type FlowDocument,
  mergeEdit,
} from '@croft/flow';
import { describe, expect, it } from 'vitest';
import { firstView } from './first-view.ts';
import { CARD_WIDTH, cardHandles, cardHeight } from './card-size.ts';
import { graphOf, portColor, toCanvas, toDocument } from './graph.ts';

const port = { name: 'in', label: 'In', kind: 'handle', accepts: ['Table'] } as const;
const make = (type: string, fields: Descriptor['fields'], outputs: Descriptor['outputs']) => ({
  descriptor: { type, label: type, description: '', category: 'x', effects: ['none'], fields, outputs } as Descriptor,
});
const registry = createRegistry([
  make('Give', [], [{ name: 'out', label: 'Out', types: ['Table'] }]),
  make('Take', [port], []),
]);
const at = (id: string, type: string, x: number) => ({ id, type, position: { x, y: 100 }, values: {} });
const flow: FlowDocument = {
  ...emptyFlow('f'),
  nodes: [at('a', 'Give', 0), at('b', 'Take', 600), at('c', 'Gone', 1200)],
  edges: [
    { from: { node: 'a', port: 'out' }, to: { node: 'b', port: 'in' } },
    { from: { node: 'c', port: 'made' }, to: { node: 'b', port: 'in' } },
  ],
  notes: [{ id: 'n', position: { x: 10, y: 10 }, size: { width: 100, height: 100 }, text: 'hi' }],
};
const wireTo = (node: string, port: string) => ({ from: { node: 'a', port: 'out' }, to: { node, port } });

describe('the graph of a flow', () => {
  it('covers no card with those of a flow that is added beside it', () => {
    const added = { ...emptyFlow('g'), nodes: [at('d', 'Give', 0)] };
    const { nodes } = graphOf(applyEdit(flow, mergeEdit(flow, added).edit).flow, registry, false);
    const left = nodes.flatMap(({ type, position }) => (type === 'component' ? [position.x] : []));
    expect(Math.max(...left) - (left.sort((one, other) => one - other).at(-2) ?? 0)).toBeGreaterThan(CARD_WIDTH);
  });

  it('has a node for each component and note, and edges in the colour of their type', () => {
    const { nodes, edges, views } = graphOf(flow, registry, false);
    expect(nodes.map(({ id, type }) => [id, type])).toEqual([
      ['n', 'note'],
      ['a', 'component'],
      ['b', 'component'],
      ['c', 'component'],
    ]);
    // The second edge starts at a port that only the edge names: it takes the type of its end.
    expect(edges.map(({ style }) => style?.stroke)).toEqual(['var(--color-port-table)', 'var(--color-port-table)']);
    expect(views.get('c')?.outputs.map(({ name }) => name)).toEqual(['made']);
    expect(nodes[1]?.ariaLabel).toBe('Give, leads to Take');
  });

  it('keeps the items that did not change as the same objects, so that they are not drawn again', () => {
    const before = graphOf(flow, registry, false);
    expect(graphOf(flow, registry, false, before)).toEqual(before);
    const { flow: next } = applyEdit(flow, { kind: 'configure', id: 'a', values: { x: '1' } });
    const after = graphOf(next, registry, false, before);
    const isKept = after.nodes.map((node, index) => node === before.nodes[index]);
    expect(isKept).toEqual([true, false, true, true]);
    expect(after.edges.every((edge, index) => edge === before.edges[index])).toBe(true);
    expect(after.nodes).toEqual(graphOf(next, registry, false).nodes);
    expect(graphOf(next, registry, true, after).nodes.some((node, index) => node === after.nodes[index])).toBe(false);
  });

  it('updates the name of a component where one that it leads to is renamed, and keeps connections of others', () => {
    const before = graphOf(flow, registry, false);
    const { flow: next } = applyEdit(flow, { kind: 'rename', id: 'b', name: 'End' });
    const after = graphOf(next, registry, false, before);
    expect(after).toEqual(graphOf(next, registry, false));
    expect(after.nodes.map(({ ariaLabel }) => ariaLabel)).toEqual([
      'Note',
      'Give, leads to End',
      'End',
      'Gone, leads to End',
    ]);
    const apart = applyEdit(next, { kind: 'rename', id: 'a', name: 'Start' }).flow;
    const kept = graphOf(apart, registry, false, after).edges.map((edge, at) => edge === after.edges[at]);
    expect(kept).toEqual([false, true]);
  });

  it('keeps the content of a component that only moved, and all edges', () => {
    const before = graphOf(flow, registry, false);
    const { flow: next } = applyEdit(flow, { kind: 'move', positions: { a: { x: 50, y: 50 } } });
    const after = graphOf(next, registry, false, before);
    expect(after.edges).toBe(before.edges);
    expect(after.views.get('a')).toBe(before.views.get('a'));
    expect(after.nodes[1]?.position).toEqual(toCanvas({ x: 50, y: 50 }));
    expect(after.nodes).toEqual(graphOf(next, registry, false).nodes);
    // The graph after it still knows all edges.
    const renamed = applyEdit(next, { kind: 'rename', id: 'a', name: 'Source' }).flow;
    const last = graphOf(renamed, registry, false, after);
    expect([last.nodes, last.edges]).toEqual([
      graphOf(renamed, registry, false).nodes,
      graphOf(renamed, registry, false).edges,
    ]);
  });

  it('shows the ports of another registry for components that stayed the same', () => {
    const before = graphOf(flow, registry, false);
    const other = createRegistry([
      make('Give', [], [{ name: 'more', label: 'More', types: ['Data'] }]),
      make('Take', [port], []),
    ]);
    expect(graphOf(flow, other, false, before).views.get('a')?.outputs[0]?.name).toBe('more');
  });

  it('can be dragged only by those who may edit', () => {
    expect(graphOf(flow, registry, false).nodes.every(({ draggable }) => draggable)).toBe(true);
    expect(graphOf(flow, registry, true).nodes.some(({ draggable }) => draggable)).toBe(false);
  });
});

it('brings a position of the document to the canvas and back', () => {
  for (const position of [
    { x: 0, y: 0 },
    { x: 600, y: -350 },
    { x: 1201, y: 77 },
  ])
    expect(toDocument(toCanvas(position))).toEqual(position);
});

describe('the first view', () => {
  const { nodes } = graphOf(flow, registry, false);

  it('shows the whole flow where that is readable', () => {
    const { x, zoom } = firstView(nodes, 900, 600);
    expect(zoom).toBeGreaterThan(0.4);
    const last = nodes.at(-1);
    expect(x).toBeGreaterThan(0);
    expect(x + ((last?.position.x ?? 0) + (last?.width ?? 0)) * zoom).toBeLessThan(900);
  });

  it('shows the start of a flow that is too wide, at a readable size', () => {
    const { x, zoom } = firstView(nodes, 300, 600);
    expect(zoom).toBe(0.6);
    expect(x).toBeGreaterThan(0);
  });
});

it('draws a component and a note with their sizes', () => {
  const { nodes, views } = graphOf(flow, registry, false);
  expect(nodes[0]).toEqual({
    id: 'n',
    type: 'note',
    position: toCanvas({ x: 10, y: 10 }),
    width: 54,
    height: 70,
    zIndex: -1,
    draggable: true,
    ariaLabel: 'Note',
    data: { text: 'hi' },
  });
  const view = views.get('b');
  expect(nodes[2]).toEqual({
    id: 'b',
    type: 'component',
    position: toCanvas({ x: 600, y: 100 }),
    width: CARD_WIDTH,
    measured: { width: CARD_WIDTH, height: cardHeight(view as NonNullable<typeof view>) },
    handles: cardHandles(view as NonNullable<typeof view>),
    draggable: true,
    ariaLabel: 'Take',
    data: { view },
  });
  expect(toCanvas({ x: 100, y: 100 })).toEqual({ x: 54, y: 70 });
});

it('draws a connection with its ports, and names it', () => {
  const { edges } = graphOf({ ...flow, edges: [...flow.edges, wireTo('gone', 'x')] }, registry, false);
  expect(edges[0]).toEqual({
    id: edgeKey(flow.edges[0] as FlowDocument['edges'][number]),
    type: 'wire',
    source: 'a',
    sourceHandle: 'out',
    target: 'b',
    targetHandle: 'in',
    ariaLabel: 'Connection from Out of Give to In of Take',
    style: { stroke: 'var(--color-port-table)' },
    data: { edge: flow.edges[0] },
  });
  expect(edges.map(({ ariaLabel }) => ariaLabel).slice(1)).toEqual([
    'Connection from Made of Gone to In of Take',
    'Connection from Out of Give to x of gone',
  ]);
});

it('names each component that another leads to once', () => {
  const twice = { ...flow, edges: [wireTo('b', 'in'), wireTo('b', 'more'), wireTo('c', 'x'), wireTo('gone', 'y')] };
  expect(graphOf(twice, registry, false).nodes[1]?.ariaLabel).toBe('Give, leads to Take, Gone, gone');
});

it('has a colour for each type of port', () => {
  const types = ['Message', 'Data', 'Table', 'LanguageModel', 'Embeddings', 'Tool', 'File', 'Any'] as const;
  expect(types.map((type) => portColor([type]))).toEqual([
    'var(--color-port-message)',
    'var(--color-port-data)',
    'var(--color-port-table)',
    'var(--color-port-model)',
    'var(--color-port-embeddings)',
    'var(--color-port-tool)',
    'var(--color-port-file)',
    'var(--color-edge)',
  ]);
  expect([portColor([]), portColor(['Data', 'Tool']), portColor(['Later' as never])]).toEqual([
    'var(--color-edge)',
    'var(--color-port-data)',
    'var(--color-edge)',
  ]);
});

it('draws connections again where one is added or taken away', () => {
  const before = graphOf(flow, registry, false);
  const more = { ...flow, edges: [...flow.edges, wireTo('c', 'x')] };
  const after = graphOf(more, registry, false, before);
  expect([after.nodes, after.edges]).toEqual([
    graphOf(more, registry, false).nodes,
    graphOf(more, registry, false).edges,
  ]);
  expect(after.edges.slice(0, 2).map((edge, at) => edge === before.edges[at])).toEqual([true, true]);
  const less = graphOf({ ...flow, nodes: flow.nodes.slice(0, 2) }, registry, false, before);
  expect(less.nodes.map(({ id }) => id)).toEqual(['n', 'a', 'b']);
  expect(less.edges[1]?.ariaLabel).toBe('Connection from made of c to In of Take');
});
