import { createRegistry, emptyFlow, type FlowNode } from '@croft/flow';
import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { nodeOf } from '../canvas/testing-nodes.ts';
import { useFakeApi } from '../testing/fake-api.ts';
import { usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { CHANGE_WORDS, DiffCanvas } from './diff-canvas.tsx';
import { diffFlows } from './flow-diff.ts';

useFakeApi();
const page = usePage();
const registry = createRegistry([]);
const named = (id: string, name: string): FlowNode => ({ ...nodeOf(id), name });
const note = (id: string, text: string) => ({ id, position: { x: 0, y: 0 }, size: { width: 100, height: 100 }, text });
const edge = (from: string, to: string) => ({ from: { node: from, port: 'out' }, to: { node: to, port: 'in' } });

async function show() {
  const before = {
    ...emptyFlow('f'),
    nodes: [named('A', 'Same'), named('B', 'Old'), named('C', 'Gone')],
    edges: [edge('A', 'C'), edge('A', 'B')],
  };
  const after = {
    ...emptyFlow('f'),
    nodes: [named('A', 'Same'), named('B', 'New'), named('D', 'Fresh')],
    edges: [edge('A', 'B'), edge('A', 'D')],
    notes: [note('n', 'Hello')],
  };
  const onReady = vi.fn();
  const props = { before, after, registry, diff: diffFlows(before, after, registry), onReady };
  const box = await page.show(
    inClient(testClient())(createElement(DiffCanvas, props as unknown as Parameters<typeof DiffCanvas>[0])),
  );
  const cards = [...box.querySelectorAll<HTMLElement>('.react-flow__node')];
  const card = (id: string) => cards.find((each) => each.getAttribute('data-id') === id) as HTMLElement;
  return { box, card, onReady };
}

it('draws both versions, and marks what differs', async () => {
  const { box, card } = await show();
  expect(box.querySelector('.react-flow')?.getAttribute('aria-label')).toBe('Differences on the canvas');
  const marks = (id: string) => {
    const look = card(id).querySelector('.h-full.rounded-lg')?.getAttribute('class') ?? '';
    return [
      /^(Added|Removed|Changed): /.exec(card(id).getAttribute('aria-label') ?? '')?.[1],
      card(id).querySelector('.-top-3')?.textContent,
      /ring-accent|outline-bad|ring-warn|opacity-60$/.exec(look)?.[0],
    ];
  };
  expect(Object.fromEntries(['A', 'B', 'C', 'D', 'n'].map((id) => [id, marks(id)]))).toEqual({
    A: [undefined, undefined, 'opacity-60'],
    B: ['Changed', 'Changed', 'ring-warn'],
    C: ['Removed', 'Removed', 'outline-bad'],
    D: ['Added', 'Added', 'ring-accent'],
    n: ['Added', 'Added', 'ring-accent'],
  });
});

it('has words for changes', () => {
  expect(CHANGE_WORDS).toEqual({ added: 'Added', removed: 'Removed', changed: 'Changed' });
});

it('draws wires by what happened to them', async () => {
  const { onReady } = await show();
  await vi.waitFor(() => expect(onReady).toHaveBeenCalledOnce());
  const [instance] = onReady.mock.calls[0] as [{ getEdges(): { target: string; className: string; style?: object }[] }];
  const wires = Object.fromEntries(
    instance.getEdges().map(({ target, className, style }) => [target, [className, style]]),
  );
  expect(wires['D']).toEqual(['', { stroke: 'var(--color-accent)', strokeWidth: 4 }]);
  expect(wires['C']).toEqual(['', { stroke: 'var(--color-bad)', strokeWidth: 3, strokeDasharray: '8 6' }]);
  expect(wires['B']).toEqual(['opacity-40', { stroke: 'var(--color-edge)' }]);
});

it('shows a drawing that cannot be changed', async () => {
  const { box, card, onReady } = await show();
  await vi.waitFor(() => expect(onReady).toHaveBeenCalledOnce());
  expect(card('A').getAttribute('aria-label')).toBe('Same, leads to New, Fresh, Gone');
  expect(card('n').getAttribute('aria-label')).toBe('Added: Note');
  expect((onReady.mock.calls[0] as [{ getViewport(): object }])[0].getViewport()).toEqual({ x: 0, y: 0, zoom: 1 });
  const focusable =
    '.react-flow__node[tabindex], .react-flow__edge[tabindex], .react-flow__node.draggable, .selectable';
  expect([...box.querySelectorAll(focusable)].map(({ className }) => className)).toEqual([]);
});
