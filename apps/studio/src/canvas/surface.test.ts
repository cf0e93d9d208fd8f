import { createElement } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { edgeOf } from './testing-nodes.ts';
import { usePage } from '../testing/page.ts';
import { surfaceOf } from './surface.ts';

const page = usePage();
type Instance = Parameters<typeof surfaceOf>[0];
let frames: (() => void)[] = [];
beforeEach(() => {
  frames = [];
  vi.stubGlobal('requestAnimationFrame', (step: () => void) => void frames.push(step));
  vi.stubGlobal('CSS', { escape: (text: string) => text });
});
/** Draws frames until none is asked for, at most `count`. */
const draw = (count: number) => {
  for (let at = 0; at < count; at++) frames.shift()?.();
  return frames.length;
};

async function open(nodes: readonly object[], edges: readonly object[] = [], view = { x: 0, y: 0, zoom: 1 }) {
  const box = await page.show(
    createElement('div', { className: 'react-flow__node', 'data-id': 'A', tabIndex: 0 }, createElement('input')),
  );
  Object.assign(box, {
    clientWidth: 400,
    clientHeight: 300,
    getBoundingClientRect: () => ({ left: 10, top: 20, width: 400, height: 300 }),
  });
  const setViewport = vi.fn(() => Promise.resolve(true));
  const fitView = vi.fn(() => Promise.resolve(true));
  const all = [...nodes];
  const instance = {
    getNodes: () => all,
    getEdges: () => edges,
    getNode: (id: string) => all.find((each) => (each as { id: string }).id === id),
    getViewport: () => view,
    screenToFlowPosition: (place: object) => place,
    setViewport,
    fitView,
  } as unknown as Instance;
  const onSelect = vi.fn();
  const card = box.querySelector('.react-flow__node') as HTMLElement;
  const focus = vi.fn();
  Object.assign(card, { focus });
  return {
    box,
    all,
    card,
    focus,
    onSelect,
    setViewport,
    fitView,
    surface: surfaceOf(instance, { current: box }, onSelect),
    unmounted: surfaceOf(instance, { current: null }, onSelect),
  };
}
const node = (id: string, x = 0, y = 0, more: object = {}) => ({
  id,
  position: { x, y },
  measured: { width: 100, height: 50 },
  ...more,
});
const focusOn = (element: Element | null) =>
  Object.defineProperty(document, 'activeElement', { configurable: true, value: element });

it('knows its middle, and the boxes of components', async () => {
  const { surface, unmounted } = await open([
    node('A', 1, 2),
    { id: 'B', position: { x: 3, y: 4 }, width: 7, height: 8 },
    { id: 'C', position: { x: 5, y: 6 } },
    node('F', 0, 0, { type: 'frame' }),
  ]);
  expect([surface.middle(), unmounted.middle()]).toEqual([
    { x: 210, y: 170 },
    { x: 0, y: 0 },
  ]);
  expect([...surface.boxes()]).toEqual([
    ['A', { x: 1, y: 2, width: 100, height: 50 }],
    ['B', { x: 3, y: 4, width: 7, height: 8 }],
    ['C', { x: 5, y: 6, width: 0, height: 0 }],
  ]);
});

it('has what is selected, else what has the focus', async () => {
  const [first, second] = [edgeOf('A', 'B'), edgeOf('B', 'C')];
  const edges = [
    { id: 'e1', selected: true, data: { edge: first } },
    { id: 'e2', data: { edge: second } },
  ];
  const selected = await open([node('A', 0, 0, { selected: true }), node('B')], edges);
  expect(selected.surface.selection()).toEqual({ ids: new Set(['A']), edges: [first] });
  const edgeOnly = await open([node('A')], edges);
  expect(edgeOnly.surface.selection()).toEqual({ ids: new Set(), edges: [first] });
  const { box, surface, card } = await open([node('A')], [{ id: 'e2', data: { edge: second } }]);
  const outside = document.body.appendChild(card.cloneNode() as Element);
  for (const elsewhere of [document.body, outside, box, null]) {
    focusOn(elsewhere);
    expect(surface.selection()).toEqual({ ids: new Set(), edges: [] });
  }
  focusOn(card);
  expect(surface.selection()).toEqual({ ids: new Set(['A']), edges: [] });
  card.setAttribute('data-id', 'e2');
  expect(surface.selection()).toEqual({ ids: new Set(), edges: [second] });
  card.setAttribute('data-id', 'gone');
  expect(surface.selection()).toEqual({ ids: new Set(), edges: [] });
});

it('selects with or without the drawing', async () => {
  const { surface, onSelect } = await open([]);
  surface.select(['A']);
  surface.selectDrawn(['B']);
  expect(onSelect.mock.calls).toEqual([
    [['A'], false],
    [['B'], true],
  ]);
});

it.each([
  [0, 0, { x: 24, y: 24, zoom: 1 }],
  [24, 24, undefined],
  [276, 226, undefined],
  [300, 250, { x: -24, y: -24, zoom: 1 }],
])('moves the view only as far as a component at %d, %d needs', async (x, y, view) => {
  const { surface, setViewport, focus } = await open([node('A', x, y)]);
  surface.show('A');
  expect(setViewport).not.toHaveBeenCalled();
  draw(1);
  expect([setViewport.mock.calls, focus.mock.calls]).toEqual([view ? [[view]] : [], [[{ preventScroll: true }]]]);
});

it.each([
  ['inside the canvas', 10, 100, 100, undefined],
  ['above it', 10, 20, 100, { x: 30, y: -16, zoom: 2 }],
  ['left of it', -10, 100, 100, { x: 44, y: -40, zoom: 2 }],
  ['right of it', 100, 60, 100, { x: -24, y: -40, zoom: 2 }],
  ['below it', 10, 110, 100, { x: 30, y: -44, zoom: 2 }],
  ['wider than the canvas', 100, 60, 500, { x: -176, y: -40, zoom: 2 }],
])('moves a zoomed view for a component %s', async (_where, x, y, width, view) => {
  const nodes = [node('A', x, y, { measured: { width, height: 50 } })];
  const { surface, setViewport } = await open(nodes, [], { x: 30, y: -40, zoom: 2 });
  surface.show('A');
  draw(1);
  expect(setViewport.mock.calls).toEqual(view ? [[view]] : []);
});

it('shows a whole component where asked, and waits until it is measured', async () => {
  const { surface, all, fitView, focus } = await open([{ id: 'A', position: { x: 0, y: 0 } }]);
  surface.show('A', true);
  expect([draw(3), fitView.mock.calls]).toEqual([1, []]);
  all[0] = node('A');
  draw(1);
  expect([fitView.mock.calls, focus.mock.calls.length]).toEqual([
    [[{ nodes: [{ id: 'A' }], maxZoom: 1, padding: 0.6 }]],
    1,
  ]);
});

it('gives up after thirty frames', async () => {
  const { surface, focus } = await open([]);
  surface.show('A');
  expect([draw(30), draw(1), draw(1), focus.mock.calls.length]).toEqual([1, 0, 0, 0]);
});

it('leaves the focus in a field where a person types by then', async () => {
  const { surface, box, focus } = await open([node('A', 24, 24)]);
  focusOn(document.body);
  surface.show('A');
  focusOn(box.appendChild(document.createElement('input')));
  draw(1);
  expect(focus).not.toHaveBeenCalled();
});

it('moves the focus from a button or from a field that had it before, but not from inside the component', async () => {
  const { surface, box, card, focus } = await open([node('A', 24, 24)]);
  const field = box.appendChild(document.createElement('input'));
  focusOn(field);
  surface.show('A');
  draw(1);
  expect(focus).toHaveBeenCalledTimes(1);
  focusOn(document.body);
  surface.show('A');
  focusOn(box.appendChild(document.createElement('button')));
  draw(1);
  expect(focus).toHaveBeenCalledTimes(2);
  focusOn(card.querySelector('input'));
  surface.show('A');
  draw(1);
  expect([focus.mock.calls.length, frames.length]).toEqual([2, 0]);
});

it.each([
  [30, 1, 0],
  [31, 0, 1],
])('waits up to thirty frames for the element of a component: missing for %d', async (missing, count, left) => {
  const { surface, card, focus } = await open([node('B')]);
  surface.show('B');
  expect(draw(missing)).toBe(1 - left);
  card.setAttribute('data-id', 'B');
  draw(2);
  expect([focus.mock.calls.length, frames.length]).toEqual([count, 0]);
});
