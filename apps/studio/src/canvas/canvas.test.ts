import { createRegistry, emptyFlow, type FlowDocument, type FlowNode } from '@croft/flow';
import { act, createElement, useState } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { DRAGGED } from '../editing/palette.tsx';
import { useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { fire, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { Canvas, type Drawing } from './canvas.tsx';
import { FIT } from './first-view.ts';
import { graphOf } from './graph.ts';
import { edgeOf, nodeOf } from './testing-nodes.ts';

useFakeApi();
const page = usePage();
beforeEach(() => void vi.stubGlobal('CSS', { escape: (text: string) => text }));
const registry = createRegistry([]);
const at = (id: string, x: number): FlowNode => ({ ...nodeOf(id), position: { x, y: 0 } });
const FLOW: FlowDocument = { ...emptyFlow('f'), nodes: [at('a', 0), at('b', 500)], edges: [edgeOf('a', 'b')] };

async function show({ flow = FLOW, isReadOnly = false, adds = true } = {}) {
  const add = vi.fn((_type: string, place: object) => adds || !('instead' in place));
  const actions = isReadOnly ? undefined : { add, move: vi.fn(), canConnect: () => true, fits: () => new Map() };
  const [onSelect, onDropped] = [vi.fn(), vi.fn()];
  let drawing: Drawing | undefined;
  let change: (next: FlowDocument) => Promise<void> = async () => undefined;
  const Host = () => {
    const [shown, setShown] = useState(flow);
    const [graph, setGraph] = useState(() => graphOf(flow, registry, isReadOnly));
    change = (next) =>
      act(async () => {
        setShown(next);
        setGraph(graphOf(next, registry, isReadOnly, graph));
      });
    const props = {
      graph,
      groups: shown.groups ?? [],
      actions,
      onReady: (next: Drawing) => void (drawing = next),
      onSelect,
      onDropped,
      children: createElement('i', { id: 'inside' }),
    };
    return createElement(Canvas, props as unknown as Parameters<typeof Canvas>[0]);
  };
  const box = await page.show(inClient(testClient())(createElement(Host)));
  await vi.waitFor(() => expect(drawing).toBeDefined());
  const pane = box.querySelector('.react-flow') as HTMLElement;
  const transfer = (type: string) => ({
    types: type === '' ? [] : [DRAGGED],
    getData: (name: string) => (name === DRAGGED ? type : ''),
  });
  const drop = (type: string, target: Element = pane) =>
    fire(target, 'drop', { dataTransfer: transfer(type), clientX: 324, clientY: 120 });
  const dragOver = (type: string) => fire(pane, 'dragover', { dataTransfer: transfer(type) });
  const selected = () => [...(drawing?.selection().ids ?? [])];
  return {
    box,
    pane,
    add,
    onSelect,
    drop,
    dragOver,
    change: (next: FlowDocument) => change(next),
    drawing: () => drawing as Drawing,
    selected,
  };
}

describe('the canvas', () => {
  it('draws the components, the map and what is inside of it', async () => {
    const { box, pane, drawing } = await show();
    await expect
      .poll(() => outline(box, 'button'))
      .toEqual([
        'div[role=application][aria-label=Canvas][data-testid=rf__wrapper]',
        'icon   [read aloud]',
        'div[aria-label=T, leads to T][aria-describedby=react-flow__node-desc-1][aria-roledescription=node][role=group][tabindex=0][data-testid=rf__node-a][data-id=a]',
        'p T',
        'p This server has no such component',
        'li[title=Any]',
        'div[data-id=1-a-out-source][data-handlepos=right][data-nodeid=a][data-handleid=out]',
        'p Out',
        'span , Any',
        'div[aria-label=T][aria-describedby=react-flow__node-desc-1][aria-roledescription=node][role=group][tabindex=0][data-testid=rf__node-b][data-id=b]',
        'p T',
        'p This server has no such component',
        'li[title=Any]',
        'div[data-id=1-b-in-target][data-handlepos=left][data-nodeid=b][data-handleid=in]',
        'p In',
        'span , Any',
        'icon   [read aloud]',
        'div[data-testid=rf__minimap]',
        'icon  140 [read aloud]',
        'button[title=Zoom in][aria-label=Zoom in][type=button]',
        'button[title=Zoom out][aria-label=Zoom out][type=button]',
        'button[title=Fit the view][aria-label=Fit the view][type=button]',
        'div[data-message=Please only hide this attribution when you are subscribed to React Flow Pro: https://reactflow.dev/attribution]',
        'a[aria-label=React Flow attribution][rel=noopener noreferrer][target=_blank][href=https://reactflow.dev/attribution] React Flow',
        'div Press enter or space to select a node. You can then use the arrow keys to move the node around. Press delete to remove it and escape to cancel.',
        'div Press enter or space to select an edge. You can then press delete to remove it or escape to cancel.',
        'div[aria-atomic=true][aria-live=assertive]',
      ]);
    expect(pane.getAttribute('aria-label')).toBe('Canvas');
    expect([...box.querySelectorAll('.react-flow__node')].map((each) => each.getAttribute('data-id'))).toEqual([
      'a',
      'b',
    ]);
    expect(box.querySelector('#inside')).not.toBeNull();
    expect(box.querySelector('.react-flow__minimap')).not.toBeNull();
    expect(drawing().instance.getEdges()).toHaveLength(1);
  });

  it('has a map of its own kind for more than 300 components, and draws those that are visible from 100 on', async () => {
    const many = (count: number): FlowDocument => ({
      ...emptyFlow('f'),
      nodes: Array.from({ length: count }, (_, index) => at(`n${index}`, index * 300)),
    });
    const large = await show({ flow: many(301) });
    expect([
      large.box.querySelector('.react-flow__minimap'),
      large.box.querySelector('svg[aria-label="Map of the flow"]'),
    ]).toEqual([null, expect.anything()]);
    expect(large.box.querySelectorAll('.react-flow__node').length).toBeLessThan(301);
    expect((await show({ flow: many(100) })).box.querySelectorAll('.react-flow__node')).toHaveLength(100);
  });
});

describe('the selection of the canvas', () => {
  it('goes to the page at first and with each change', async () => {
    const { onSelect, drawing, selected } = await show();
    expect(onSelect.mock.calls).toEqual([[[]]]);
    await act(async () => drawing().selectDrawn(['b']));
    expect([onSelect.mock.calls.at(-1), selected()]).toEqual([[['b']], ['b']]);
  });

  it('goes to the page again by a click on the selected component, without a key', async () => {
    const { box, onSelect, drawing } = await show();
    await act(async () => drawing().selectDrawn(['b']));
    const before = onSelect.mock.calls.length;
    const card = box.querySelector('[data-id=b]') as Element;
    await fire(card, 'click', { ctrlKey: true });
    expect(onSelect.mock.calls).toHaveLength(before);
    await fire(card, 'click', { ctrlKey: false, metaKey: false, shiftKey: false });
    expect(onSelect.mock.calls.slice(before)).toEqual([[['b']]]);
  });

  it('stays with another document', async () => {
    const { change, drawing, selected } = await show();
    await act(async () => drawing().selectDrawn(['b']));
    await change({ ...FLOW, nodes: [...FLOW.nodes, at('c', 900)] });
    expect([
      drawing()
        .instance.getNodes()
        .map(({ id }) => id),
      selected(),
    ]).toEqual([['a', 'b', 'c'], ['b']]);
  });

  it('of a wire stays with another document, and ends with a selection of new components', async () => {
    const { change, drawing } = await show();
    const [wire] = drawing().instance.getEdges();
    await act(async () => drawing().instance.setEdges((edges) => edges.map((each) => ({ ...each, selected: true }))));
    await vi.waitFor(() => expect(drawing().selection().edges).toEqual(FLOW.edges));
    const next = { ...FLOW, nodes: [...FLOW.nodes, at('c', 900)], edges: [...FLOW.edges, edgeOf('b', 'c')] };
    await change(next);
    await vi.waitFor(() =>
      expect(
        drawing()
          .instance.getEdges()
          .map(({ id, selected }) => [id === wire?.id, selected === true]),
      ).toEqual([
        [true, true],
        [false, false],
      ]),
    );
    await act(async () => drawing().select(['d']));
    await change({ ...next, nodes: [...next.nodes, at('d', 1_300)] });
    await vi.waitFor(() => expect(drawing().selection().edges).toEqual([]));
  });

  it('is of new components once they are drawn', async () => {
    const { change, drawing, selected } = await show();
    await act(async () => drawing().select(['c']));
    await change({ ...FLOW, nodes: [...FLOW.nodes, at('c', 900)] });
    await vi.waitFor(() => expect(selected()).toEqual(['c']));
  });
});

it('is fitted to the next change once that is drawn, and to no later one', async () => {
  const { change, drawing } = await show();
  const fitted = vi.spyOn(drawing().instance, 'fitView');
  await act(async () => drawing().fitNext());
  expect(fitted).not.toHaveBeenCalled();
  await change({ ...FLOW, nodes: [...FLOW.nodes, at('c', 900)] });
  expect(fitted.mock.calls).toEqual([[FIT]]);
  await change(FLOW);
  expect(fitted).toHaveBeenCalledOnce();
});

describe('a component that is dropped', () => {
  it('is added under the pointer', async () => {
    const { add, drop, dragOver, drawing } = await show();
    expect((await dragOver('Step')).defaultPrevented).toBe(true);
    expect((await drop('Step')).defaultPrevented).toBe(true);
    const { x, y } = drawing().instance.screenToFlowPosition({ x: 324, y: 120 });
    expect(add.mock.calls).toEqual([['Step', { at: { x: x - 124, y: y - 20 } }]]);
  });

  it('is only of the palette, and nothing where the flow is read-only', async () => {
    const { add, drop, dragOver } = await show();
    expect([(await dragOver('')).defaultPrevented, (await drop('')).defaultPrevented]).toEqual([false, false]);
    expect(add).not.toHaveBeenCalled();
    expect((await (await show({ isReadOnly: true })).dragOver('Step')).defaultPrevented).toBe(false);
  });

  it('goes into the wire under it, or beside the wire where it does not fit', async () => {
    const onWire = async (adds: boolean) => {
      const { pane, add, drop, drawing } = await show({ adds });
      const wire = pane.appendChild(document.createElement('div'));
      wire.className = 'react-flow__edge';
      wire.setAttribute('data-id', drawing().instance.getEdges()[0]?.id ?? '');
      await drop('Step', wire);
      return add.mock.calls.map(([, place]) => place);
    };
    const [edge] = FLOW.edges;
    expect(await onWire(true)).toEqual([expect.objectContaining({ from: edge?.from, to: edge?.to, instead: edge })]);
    const [first, second, ...others] = await onWire(false);
    expect(['instead' in (first as object), Object.keys(second as object), others]).toEqual([true, ['at'], []]);
  });
});
