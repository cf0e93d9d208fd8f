import { expect, it } from 'vitest';
import { FIT, firstView } from './first-view.ts';
import type { CanvasNode } from './graph.ts';

const node = (x: number, y: number) => ({ id: `${x} ${y}`, position: { x, y }, width: 240, height: 120 }) as CanvasNode;

it('shows a whole flow below the toolbar and above the zoom buttons', () => {
  const { y, zoom } = firstView([node(0, 0), node(300, 900)], 700, 700);
  expect(y).toBeGreaterThanOrEqual(64);
  expect(1_020 * zoom + y).toBeLessThanOrEqual(640);
});

it('is as large as fits, in the middle of the free space, and never enlarged', () => {
  expect(firstView([], 900, 700)).toEqual({ x: 0, y: 0, zoom: 1 });
  expect(firstView([node(0, 0)], 900, 700)).toEqual({ x: 330, y: 292, zoom: 1 });
  // Without the margins, 600 pixels for 1 200.
  expect(firstView([node(100, 50), node(1_060, 50)], 656, 700)).toEqual({ x: -22, y: 297, zoom: 0.5 });
  // 600 pixels for 1 500: the smallest zoom of a whole flow.
  expect(firstView([node(0, 0), node(1_260, 0)], 656, 700)).toEqual({ x: 28, y: 328, zoom: 0.4 });
  const tall = { ...node(0, 0), height: undefined, measured: { height: 1_152 } } as CanvasNode;
  expect(firstView([tall], 700, 700)).toEqual({ x: 290, y: 64, zoom: 0.5 });
  // Without a size, a component is a point.
  const point = (x: number) => ({ ...node(x, x), width: undefined, height: undefined }) as CanvasNode;
  expect(firstView([point(0), point(100)], 900, 700)).toEqual({ x: 400, y: 302, zoom: 1 });
});

it('is the start of a flow that would be too small to read', () => {
  expect(firstView([node(4_000, 0), node(100, 200)], 700, 700)).toEqual({ x: -32, y: 700 / 3 - 120, zoom: 0.6 });
});

it('has readable texts where three components have room', () => {
  const zoomTo = (x: number, width: number) => firstView([node(0, 0), node(x, 0)], width, 700).zoom;
  expect([zoomTo(640, 720), zoomTo(660, 720), zoomTo(660, 719)]).toEqual([664 / 880, 0.75, 663 / 900]);
  expect(firstView([node(100, 200), node(1_700, 0)], 900, 700)).toEqual({ x: -47, y: 700 / 3 - 150, zoom: 0.75 });
});

it('fits a flow between the toolbar and the zoom buttons', () => {
  expect(FIT).toEqual({ padding: { x: '28px', top: '64px', bottom: '60px' }, maxZoom: 1, minZoom: 0.1 });
});
