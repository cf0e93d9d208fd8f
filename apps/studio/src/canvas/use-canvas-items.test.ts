import { act } from 'react';
import { expect, it } from 'vitest';
import { usePage } from '../testing/page.ts';
import { type Graph, toDocument } from './graph.ts';
import { useCanvasItems } from './use-canvas-items.ts';

const page = usePage();
const node = (id: string, x: number) => ({
  id,
  type: 'component',
  position: { x, y: 0 },
  data: {},
  width: 100,
  height: 50,
});
const graphOf = (...nodes: ReturnType<typeof node>[]) =>
  ({ nodes, edges: [], made: new Map(nodes.map((each) => [each.id, { item: each }])) }) as unknown as Graph;

async function open(isReadOnly = false) {
  const moves: unknown[] = [];
  const graph = graphOf(node('a', 0), node('b', 500));
  const groups = [{ id: 'g', name: 'G', nodes: ['a'] }];
  const move = isReadOnly ? undefined : (positions: unknown) => moves.push(positions);
  const hook = await page.hook(() => useCanvasItems(graph, groups, move));
  const change = (...changes: object[]) => act(async () => hook.current.change(changes as never));
  const at = (id: string) => hook.current.items.find((each) => each.id === id);
  const selected = () => JSON.parse(hook.current.selected) as string[];
  return { hook, moves, change, at, selected };
}
const drag = (id: string, x: number, dragging: boolean) => ({ type: 'position', id, position: { x, y: 0 }, dragging });

it('draws the frames of groups behind their members', async () => {
  const { hook } = await open();
  expect(hook.current.items.map(({ id }) => id)).toEqual(['g', 'a', 'b']);
});

it('moves a component while it is dragged, and the flow once it is dropped at another place', async () => {
  const { moves, change, at } = await open();
  await change(drag('b', 600, true));
  expect([at('b')?.position.x, moves]).toEqual([600, []]);
  await change(drag('b', 600, false));
  expect(moves).toEqual([{ b: toDocument({ x: 600, y: 0 }) }]);
  await change(drag('b', 500, false));
  expect(moves).toHaveLength(1);
});

it('carries the members of a group with its frame', async () => {
  const { moves, change, at } = await open();
  const start = at('g')?.position.x ?? 0;
  await change(drag('g', start + 40, true));
  expect([at('a')?.position.x, at('b')?.position.x, moves]).toEqual([40, 500, []]);
  await change(drag('g', start + 40, false));
  expect(Object.keys(moves[0] as object)).toEqual(['a']);
});

it('knows what is selected, frames too', async () => {
  const { hook, change, selected } = await open();
  await change({ type: 'select', id: 'g', selected: true }, { type: 'select', id: 'b', selected: true });
  expect(selected()).toEqual(['g', 'b']);
  await change({ type: 'select', id: 'g', selected: false });
  expect(selected()).toEqual(['b']);
  await act(async () => hook.current.selectDrawn(new Set(['a'])));
  expect(selected()).toEqual(['a']);
});

it('draws another document, and keeps the selection unless one is given', async () => {
  const { hook, change, at, selected } = await open();
  await change({ type: 'select', id: 'b', selected: true });
  await act(async () => hook.current.show(graphOf(node('b', 700), node('c', 0)), [], undefined));
  expect([hook.current.items.map(({ id }) => id), at('b')?.position.x, selected()]).toEqual([['b', 'c'], 700, ['b']]);
  await act(async () => hook.current.show(graphOf(node('b', 700), node('c', 0)), [], new Set(['c'])));
  expect(selected()).toEqual(['c']);
});

it('keeps the place of a component that is dragged', async () => {
  const { hook, change, at } = await open();
  await change(drag('b', 650, true));
  await act(async () => hook.current.show(graphOf(node('a', 0), node('b', 900)), [], undefined));
  expect(at('b')?.position.x).toBe(650);
});

it('draws frames that can be dragged where the flow can be changed', async () => {
  expect((await open()).at('g')?.draggable).toBe(true);
  const { change, at, moves } = await open(true);
  expect(at('g')?.draggable).toBe(false);
  await change(drag('b', 600, false));
  expect([at('b')?.position.x, moves]).toEqual([600, []]);
});

it('moves a component once that is dragged together with its frame', async () => {
  const { change, at, moves } = await open();
  const start = at('g')?.position.x ?? 0;
  await change(drag('g', start + 40, false), drag('a', 70, false));
  expect(at('a')?.position.x).toBe(70);
  expect(moves).toEqual([{ a: toDocument({ x: 70, y: 0 }) }]);
});

it('moves only what is dropped at another place', async () => {
  const { change, moves } = await open();
  await change({ type: 'position', id: 'b', dragging: false }, { type: 'select', id: 'b', selected: true });
  await change({ type: 'position', id: 'b', position: { x: 600, y: 0 } });
  expect(moves).toEqual([]);
  await change(drag('a', 0, false), { ...drag('b', 500, false), position: { x: 500, y: 9 } });
  expect(moves).toEqual([{ b: toDocument({ x: 500, y: 9 }) }]);
});

it('takes the ports that are measured where the size of a component is not the computed one', async () => {
  const { change, at, hook } = await open();
  const handles = [{ id: 'in' }];
  const drawn = (x: number) => ({ ...node('b', x), handles });
  await act(async () => hook.current.show(graphOf(node('a', 0), drawn(500)), [], undefined));
  expect((at('b') as { handles?: unknown }).handles).toBeUndefined();
  await act(async () => hook.current.show(graphOf(node('a', 0), { ...drawn(0), id: 'n' }), [], undefined));
  expect((at('n') as { handles?: unknown }).handles).toEqual(handles);
  await act(async () => hook.current.show(graphOf(node('a', 0), { ...drawn(9), id: 'n' }), [], undefined));
  expect([at('n')?.position.x, (at('n') as { handles?: unknown }).handles]).toEqual([9, handles]);
  const dimensions = { width: 120, height: 60 };
  await change({ type: 'dimensions', id: 'n', dimensions }, { type: 'dimensions', id: 'a', dimensions });
  expect([at('n')?.measured, (at('n') as { handles?: unknown }).handles]).toEqual([dimensions, undefined]);
  await act(async () => hook.current.show(graphOf(node('a', 5), { ...drawn(10), id: 'n' }), [], undefined));
  expect([at('a')?.measured, at('n')?.measured]).toEqual([dimensions, dimensions]);
});

it('draws nothing again that is the same', async () => {
  const { at, hook } = await open();
  const graph = graphOf(node('a', 0), node('b', 500));
  const show = (next: Graph, chosen?: ReadonlySet<string>) =>
    act(async () => hook.current.show(next, [], chosen as ReadonlySet<string>));
  await show(graph);
  const [a, b] = [at('a'), at('b')];
  await show(graph);
  expect([at('a') === a, at('b') === b]).toEqual([true, true]);
  await show(graph, new Set(['b']));
  expect([at('a') === a, at('b')?.selected]).toEqual([false, true]);
  const selected = [at('a'), at('b')];
  await act(async () => hook.current.selectDrawn(new Set(['b'])));
  expect([at('a'), at('b')].map((each, index) => each === selected[index])).toEqual([true, true]);
  const [first] = graph.nodes;
  for (const more of [{ height: 51 }, { draggable: false }, { data: {} }]) {
    await show({ ...graph, nodes: [{ ...first, ...more } as never] });
    expect(at('a')).toMatchObject(more);
  }
});

it('selects a component that is drawn first', async () => {
  const { at, hook, selected } = await open();
  await act(async () => hook.current.show(graphOf(node('n', 0), node('m', 0)), [], new Set(['n'])));
  expect(selected()).toEqual(['n']);
  expect('selected' in (at('m') ?? {})).toBe(false);
});

it('selects the frame of a group', async () => {
  const { at, change } = await open();
  await change({ type: 'select', id: 'g', selected: true });
  expect(at('g')?.selected).toBe(true);
  await change({ type: 'select', id: 'g', selected: false });
  expect(at('g')?.selected).toBe(false);
});
