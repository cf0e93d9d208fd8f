import { act } from 'react';
import { expect, it } from 'vitest';
import { usePage } from '../testing/page.ts';
import type { Graph } from './graph.ts';
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
  expect(moves).toHaveLength(1);
  expect(Object.keys(moves[0] as object)).toEqual(['b']);
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
