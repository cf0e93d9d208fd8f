import {
  applyEdits,
  createRegistry,
  type Descriptor,
  type Edit,
  emptyFlow,
  type FlowDocument,
  printFlow,
} from '@croft/flow';
import { createElement } from 'react';
import { beforeEach, expect, it } from 'vitest';
import { fire, named, usePage } from '../testing/page.ts';
import { dismissToasts, Toaster } from '../ui/toast.tsx';
import { toDocument } from '../canvas/graph.ts';
import { type CanvasActions as Actions, createCanvasActions } from './canvas-actions.ts';
import type { Surface } from './canvas-surface.ts';

const page = usePage();
beforeEach(dismissToasts);

const make = (type: string, takes: string[], gives: string[]) => ({
  descriptor: {
    type,
    label: type,
    fields: takes.map((accepts) => ({ name: 'in', label: 'In', kind: 'handle', accepts: [accepts] })),
    outputs: gives.map((each) => ({ name: 'out', label: 'Out', types: [each] })),
  } as unknown as Descriptor,
});
const registry = createRegistry([
  make('T', ['Message'], ['Message']),
  make('Rows', [], ['Table']),
  make('Sink', ['Table'], []),
  make('APIRequest', [], ['Data']),
]);
const at = (id: string, x: number, type = 'T') => ({ id, type, position: { x, y: 0 }, values: {} });
const note = (id: string) => ({ id, position: { x: 0, y: 900 }, size: { width: 10, height: 10 }, text: 'hi' });
const wire = (from: string, to: string) => ({ from: { node: from, port: 'out' }, to: { node: to, port: 'in' } });
const FLOW: FlowDocument = {
  ...emptyFlow('f'),
  nodes: [at('a', 0), at('b', 600), at('r', 1_200, 'Rows')],
  edges: [wire('a', 'b')],
  notes: [note('n')],
  groups: [{ id: 'g', name: 'G', nodes: ['a', 'b'] }],
};

/** A page with a flow, on which ids and edges are selected. */
function open(ids: readonly string[] = [], edges: FlowDocument['edges'] = [], isRefused = false) {
  const shown = {
    flow: FLOW,
    selected: [] as readonly string[],
    refused: [] as string[],
    steps: [] as string[],
    moves: 0,
  };
  const history: FlowDocument[] = [];
  const next: (() => void)[] = [];
  const notify = () => next.splice(0).forEach((listener) => listener());
  const surface: Surface = {
    middle: () => ({ x: 2_000, y: 2_000 }),
    boxes: () =>
      new Map(
        [...shown.flow.nodes, ...shown.flow.notes].map(({ id, position }) => [
          id,
          { ...position, width: 100, height: 50 },
        ]),
      ),
    selection: () => ({ ids: new Set(ids), edges }),
    select: (next) => void (shown.selected = next),
    fitNext: () => undefined,
    selectDrawn: () => undefined,
    show: () => undefined,
  };
  const actions = createCanvasActions({
    edits: {
      get: () => ({ document: shown.flow }) as never,
      step(direction) {
        shown.steps.push(direction);
        shown.flow = history.pop() ?? shown.flow;
        notify();
        return true;
      },
      onNextStep: (listener) => void next.push(listener),
    },
    apply(list: readonly Edit[]) {
      if (isRefused) return false;
      history.push(shown.flow);
      shown.flow = applyEdits(shown.flow, list).flow;
      notify();
      return true;
    },
    registry,
    surface: () => surface,
    onRefused: ({ sentence }) => void shown.refused.push(sentence),
    onMoves: () => void (shown.moves += 1),
  });
  const idsNow = () => shown.flow.nodes.map(({ id }) => id);
  return { shown, actions, idsNow };
}
const toasts = async () => page.show(createElement(Toaster));

it('adds a component behind the selected one, or in the middle, and selects it', () => {
  const { shown, actions } = open(['r']);
  expect(actions.add('T')).toBe(true);
  const added = shown.flow.nodes.at(-1);
  expect([added?.type, shown.selected]).toEqual(['T', [added?.id]]);
  expect(added?.position.x).toBeGreaterThan(1_200);
  const middle = open();
  middle.actions.add('T', { at: { x: 10.4, y: 20.6 } });
  expect(middle.shown.flow.nodes.at(-1)?.position.y).toBeGreaterThan(0);
  expect(open().actions.add('Nothing')).toBe(false);
});

it('adds a component in place of a connection, and moves others out of its way', () => {
  const { shown, actions } = open();
  const edge = wire('a', 'b');
  expect(actions.add('T', { from: edge.from, to: edge.to, instead: edge })).toBe(true);
  const { id = '' } = shown.flow.nodes.at(-1) ?? {};
  expect(shown.flow.edges).toEqual([wire('a', id), wire(id, 'b')]);
  expect(shown.moves).toBeLessThanOrEqual(1);
});

it('selects nothing where the flow refuses an addition', () => {
  const { shown, actions } = open([], [], true);
  expect(actions.add('T')).toBe(false);
  actions.addNote();
  expect(shown.selected).toEqual([]);
});

it('adds, changes and moves a note', () => {
  const { shown, actions } = open();
  actions.addNote();
  const { id = '' } = shown.flow.notes.at(-1) ?? {};
  expect([shown.selected, shown.flow.notes.length]).toEqual([[id], 2]);
  actions.setNote(id, { text: 'new' });
  expect(shown.flow.notes.at(-1)).toMatchObject({ text: 'new', size: { width: 420, height: 200 } });
  actions.setNote('gone', { text: 'x' });
  expect(shown.flow.notes).toHaveLength(2);
  actions.move({ a: { x: 7, y: 8 } });
  expect(shown.flow.nodes[0]?.position).toEqual({ x: 7, y: 8 });
});

it('connects ports that fit, from either end, and says why others do not', () => {
  const { shown, actions } = open();
  expect(actions.connect(wire('b', 'a'))).toBe(true);
  expect(actions.connect(wire('r', 'a'))).toBe(false);
  expect(shown.refused).toEqual(['“Out” of Rows gives tables. “In” of T takes messages.']);
  expect([actions.canConnect(wire('a', 'b')), actions.canConnect(wire('r', 'b'))]).toEqual([true, false]);
  actions.meet({ node: 'b', port: 'in', side: 'input' }, { node: 'r', port: 'out' }, false);
  actions.meet({ node: 'b', port: 'in', side: 'input' }, { node: 'a', port: 'in' }, true);
  expect(shown.refused.slice(1)).toEqual([
    '“Out” of Rows gives tables. “In” of T takes messages.',
    'Connect an output, on the right side, with an input on the left side.',
  ]);
  expect(shown.flow.edges).toEqual([wire('a', 'b'), wire('b', 'a')]);
});

it('says that an input has other connections, and removes them on request', async () => {
  const { shown, actions } = open();
  expect(actions.connect(wire('b', 'b'))).toBe(false);
  actions.add('T');
  const [added = ''] = shown.selected;
  expect(actions.connect(wire(added, 'b'))).toBe(true);
  expect(shown.flow.edges).toEqual([wire('a', 'b'), wire(added, 'b')]);
  const box = await toasts();
  expect(box.textContent).toContain('“In” of T has 2 connections now, and uses the last one that brings a value.');
  await fire(named(box, 'Keep only the new one'), 'click');
  expect(shown.flow.edges).toEqual([wire(added, 'b')]);
});

it.each([
  ['moves', (actions: Actions, from: string) => actions.reconnect(wire(from, 'a'), wire(from, 'b'))],
  ['adds', (actions: Actions) => actions.add('T', { to: { node: 'b', port: 'in' } })],
])('says so too where one %s a connection to an input that has another one', async (_, act) => {
  const { shown, actions } = open();
  actions.add('T');
  const [added = ''] = shown.selected;
  actions.connect(wire(added, 'a'));
  act(actions, added);
  expect((await toasts()).textContent).toContain('“In” of T has 2 connections now');
});

it('connects a wire that is dropped on a component', () => {
  const { shown, actions } = open();
  actions.connectToNode({ node: 'b', port: 'out', side: 'output' }, 'a');
  expect(shown.flow.edges).toContainEqual(wire('b', 'a'));
  actions.connectToNode({ node: 'b', port: 'in', side: 'input' }, 'r');
  expect(shown.refused.at(-1)).toContain('gives tables');
  actions.connectToNode({ node: 'b', port: 'out', side: 'output' }, 'r');
  expect(shown.refused.at(-1)).toBe('This component has no input to connect.');
});

it('moves an end of a connection, or leaves it where the port does not fit', () => {
  const { shown, actions } = open();
  actions.reconnect(wire('a', 'b'), wire('b', 'a'));
  expect(shown.flow.edges).toEqual([wire('b', 'a')]);
  actions.reconnect(wire('b', 'a'), wire('r', 'a'));
  expect([shown.flow.edges, shown.refused.length]).toEqual([[wire('b', 'a')], 1]);
  actions.disconnect(wire('b', 'a'));
  expect(shown.flow.edges).toEqual([]);
});

it('removes what is selected, and the notification takes it back', async () => {
  const { shown, actions, idsNow } = open(['a', 'n', 'g'], [wire('a', 'b')]);
  actions.remove();
  expect([idsNow(), shown.flow.notes, shown.flow.groups, shown.flow.edges]).toEqual([['b', 'r'], [], [], []]);
  const box = await toasts();
  expect(box.textContent).toContain('Removed 1 component, 1 note, 1 group.');
  await fire(named(box, 'Undo'), 'click');
  expect([shown.steps, printFlow(shown.flow)]).toEqual([['undo'], printFlow(FLOW)]);
});

it('removes a connection alone, and nothing without a selection', async () => {
  const { shown, actions, idsNow } = open([], [wire('a', 'b')]);
  actions.remove();
  expect([idsNow().length, shown.flow.edges]).toEqual([3, []]);
  expect((await toasts()).textContent).toContain('Removed 1 connection.');
  dismissToasts();
  open().actions.remove();
  open(['a'], [], true).actions.remove();
  expect((await toasts()).textContent).toBe('');
});

it('takes the offer to undo back at the next change', async () => {
  const { actions } = open(['a', 'b']);
  actions.remove();
  expect((await toasts()).textContent).toContain('Removed 2 components.');
  actions.addNote();
  expect((await toasts()).textContent).toBe('');
  const other = open(['a']);
  other.actions.remove();
  other.actions.step('undo');
  expect([(await toasts()).textContent, other.shown.steps]).toEqual(['', ['undo']]);
});

it('duplicates components with the members of a group and the connections between them', () => {
  const { shown, actions } = open(['g']);
  actions.duplicate();
  expect([shown.flow.nodes.length, shown.flow.edges.length, shown.flow.groups.length]).toEqual([5, 2, 2]);
  const copy = shown.flow.nodes.at(-1);
  expect(shown.selected).toContain(copy?.id);
  expect(copy?.position.y).toBeGreaterThan(0);
  const nothing = open();
  nothing.actions.duplicate();
  expect(nothing.shown.flow).toBe(FLOW);
});

it('copies what is selected, and pastes it with new ids', () => {
  expect(open().actions.copied()).toBeUndefined();
  const text = open(['g']).actions.copied() ?? '';
  const { shown, actions } = open();
  expect(actions.pasteText(text)).toBe(true);
  expect([shown.flow.nodes.length, new Set(shown.flow.nodes.map(({ id }) => id)).size]).toEqual([5, 5]);
  expect(actions.pasteText('some words')).toBe(false);
});

it('pastes a curl command as a request, and says why a broken flow is not pasted', async () => {
  const { shown, actions } = open();
  expect(actions.pasteText('curl https://x.test')).toBe(true);
  expect(shown.flow.nodes.at(-1)).toMatchObject({ type: 'APIRequest', id: shown.selected[0] });
  const before = shown.flow;
  expect(actions.pasteText('{"kind":"croft/flow-part","version":1,"nodes":[{"id":7}]}')).toBe(true);
  expect(shown.flow).toBe(before);
  expect((await toasts()).textContent).toMatch(/Nothing was pasted\. ./);
});

it('knows the components among ids, and the ports that a wire fits', () => {
  const { actions } = open();
  expect(actions.componentsIn(new Set(['n', 'b', 'g']))).toEqual(['b']);
  expect([...actions.fits({ node: 'a', port: 'out', side: 'output' }).keys()]).toEqual(['b']);
});

it('places a new component beside those that it belongs to', () => {
  const placed = (ids: readonly string[], ...args: Parameters<ReturnType<typeof open>['actions']['add']>) => {
    const { shown, actions } = open(ids);
    actions.add(...args);
    return shown.flow.nodes.at(-1)?.position;
  };
  const [out, into] = [
    { node: 'a', port: 'out' },
    { node: 'b', port: 'in' },
  ];
  expect(placed(['r'], 'T')).toEqual(toDocument({ x: 1_372, y: 0 }));
  expect(placed(['a', 'r'], 'T')).toEqual(toDocument({ x: 1_876, y: 1_925 }));
  expect(placed([], 'T')).toEqual(toDocument({ x: 1_876, y: 1_925 }));
  expect(placed(['gone'], 'T')).toEqual(toDocument({ x: 1_876, y: 1_925 }));
  expect(placed(['r'], 'T', { at: { x: 10.4, y: 20.6 } })).toEqual(toDocument({ x: 10, y: 21 }));
  expect(placed(['r'], 'T', { from: out })).toEqual(toDocument({ x: 172, y: 0 }));
  expect(placed(['r'], 'T', { to: into })).toEqual(toDocument({ x: 280, y: 0 }));
  expect(placed(['r'], 'T', { from: out, to: into })).toEqual(toDocument({ x: 300, y: 0 }));
});

it('makes room between two components, once the page knows that they move', () => {
  const edge = wire('a', 'b');
  const { shown, actions } = open();
  actions.move({ b: { x: 300, y: 0 } });
  expect(actions.add('T', { from: edge.from, to: edge.to, instead: edge })).toBe(true);
  const positions = shown.flow.nodes.map(({ position }) => position.x);
  expect([positions, shown.moves]).toEqual([[0, 300 + toDocument({ x: 193, y: 0 }).x, 1_200, 319], 1]);
  const given = open();
  given.actions.move({ b: { x: 300, y: 0 } });
  given.actions.add('T', { from: edge.from, to: edge.to, instead: edge, at: { x: 54, y: 70 } });
  expect([given.shown.flow.nodes.at(-1)?.position, given.shown.moves]).toEqual([{ x: 100, y: 100 }, 0]);
});

it('places a note in the middle, or where it is asked for', () => {
  const { shown, actions } = open();
  actions.addNote();
  actions.addNote({ x: 54, y: 70 });
  expect(shown.flow.notes.slice(1).map(({ position, text }) => [position, text])).toEqual([
    [toDocument({ x: 1_887, y: 1_930 }), ''],
    [{ x: 100, y: 100 }, ''],
  ]);
});

it('names all that it removes', async () => {
  const flow = (ids: readonly string[], edges: FlowDocument['edges']) => open(ids, edges).actions.remove();
  flow(['b', 'r', 'n'], []);
  flow(['r', 'g'], [wire('a', 'b')]);
  const { textContent } = await toasts();
  expect(textContent).toContain('Removed 2 components, 1 note.');
  expect(textContent).toContain('Removed 1 component, 1 group, 1 connection.');
});

it('removes what it is given, and leaves connections to the components that go', () => {
  const { shown, actions } = open(['a']);
  actions.remove({ ids: new Set(['b']), edges: [wire('a', 'b')] });
  expect([shown.flow.nodes.map(({ id }) => id), shown.flow.edges]).toEqual([['a', 'r'], []]);
});

it('puts a copy beside the originals, and a pasted part in the middle', () => {
  const { shown, actions } = open();
  actions.duplicate(new Set(['g']));
  const copies = shown.flow.nodes.slice(3).map(({ position }) => position);
  expect((copies[1]?.x ?? 0) - (copies[0]?.x ?? 0)).toBe(600);
  expect(shown.selected).toHaveLength(3);
  const pasted = open();
  pasted.actions.pasteText(open(['g']).actions.copied() ?? '');
  expect(pasted.shown.flow.nodes.slice(3).map(({ position }) => position)).toEqual([
    { x: 3_174, y: 2_750 },
    { x: 3_774, y: 2_750 },
  ]);
  expect(pasted.shown.selected).toHaveLength(3);
});

it('selects nothing where the flow refuses a copy or a request', () => {
  const { shown, actions } = open(['a'], [], true);
  actions.duplicate();
  expect(actions.pasteText('curl https://x.test')).toBe(true);
  expect([shown.selected, shown.flow]).toEqual([[], FLOW]);
});

it('adds components without a selection to the right of the one in the middle', () => {
  const { shown, actions } = open();
  actions.move({ r: { x: 1_900, y: 1_950 } });
  actions.add('T');
  expect(shown.flow.nodes.at(-1)?.position).toEqual(toDocument({ x: 2_072, y: 1_950 }));
});

it('says that a component has no output, and ignores one that is gone', () => {
  const { shown, actions } = open();
  actions.connectToNode({ node: 'r', port: 'out', side: 'output' }, 'gone');
  actions.add('Sink', { at: { x: 0, y: 0 } });
  actions.connectToNode({ node: 'b', port: 'in', side: 'input' }, shown.selected[0] ?? '');
  expect(shown.refused).toEqual([
    'This component has no input to connect.',
    'This component has no output to connect.',
  ]);
});

it('adds to a page that is not drawn yet', () => {
  let flow: FlowDocument = FLOW;
  const actions = createCanvasActions({
    edits: { get: () => ({ document: flow }) as never, step: () => true, onNextStep: () => undefined },
    apply(list: readonly Edit[]) {
      ({ flow } = applyEdits(flow, list));
      return true;
    },
    registry,
    surface: () => undefined,
    onRefused: () => undefined,
    onMoves: () => undefined,
  });
  actions.add('T');
  actions.addNote();
  expect([flow.nodes.at(-1)?.position, flow.notes.at(-1)?.position]).toEqual([
    toDocument({ x: -124, y: -75 }),
    toDocument({ x: -113, y: -70 }),
  ]);
  const before = flow;
  actions.remove();
  actions.duplicate();
  expect([actions.copied(), flow]).toEqual([undefined, before]);
});
