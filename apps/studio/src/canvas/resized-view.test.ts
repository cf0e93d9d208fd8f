import { describe, expect, it } from 'vitest';
import { firstView } from './first-view.ts';
import type { CanvasNode } from './graph.ts';
import { fitted, resizedView, type SeenView } from './resized-view.ts';

const node = (x: number, y: number) => ({ id: `${x} ${y}`, position: { x, y }, width: 240, height: 120 }) as CanvasNode;
const NODES = [node(0, 0), node(700, 300)];
const BOUNDS = { x: 0, y: 0, width: 940, height: 420 };
const WIDE = { width: 1_200, height: 700 };
const NARROW = { width: 640, height: 700 };

function seen(view: SeenView['view'], chosen?: SeenView['chosen'], more: Partial<SeenView> = {}): SeenView {
  return { view, size: WIDE, chosen, nodes: NODES, bounds: BOUNDS, ...more };
}
/** The edges of the flow on the canvas. */
const edges = ({ x, y, zoom }: SeenView['view'], bounds = BOUNDS) => ({
  left: bounds.x * zoom + x,
  right: (bounds.x + bounds.width) * zoom + x,
  top: bounds.y * zoom + y,
});

describe('the view of a canvas that gets another size', () => {
  it('is chosen again where the page chose it, smaller and larger', () => {
    const first = firstView(NODES, WIDE.width, WIDE.height);
    const next = resizedView(seen(first, first), NARROW);
    expect(next).toEqual(firstView(NODES, NARROW.width, NARROW.height));
    expect(edges(next).right).toBeLessThanOrEqual(NARROW.width);
    expect(resizedView({ ...seen(next, next), size: NARROW }, WIDE)).toEqual(first);
  });

  it('shows the start of a flow that is too large to be read as a whole', () => {
    const nodes = [node(0, 0), node(6_000, 0)];
    const first = firstView(nodes, WIDE.width, WIDE.height);
    const large = { nodes, bounds: { x: 0, y: 0, width: 6_240, height: 120 } };
    expect(edges(resizedView(seen(first, first, large), NARROW)).left).toBe(28);
  });

  it('stays fitted where the user fitted it, however small that is', () => {
    const bounds = { x: 0, y: 0, width: 6_240, height: 120 };
    const large = { nodes: [node(0, 0), node(6_000, 0)], bounds };
    const view = fitted(bounds, WIDE);
    expect(resizedView(seen(view, undefined, large), NARROW)).toEqual(fitted(bounds, NARROW));
  });

  it('keeps the zoom and the middle of a view that the user chose', () => {
    const view = { x: -400, y: -100, zoom: 1.3 };
    expect(resizedView(seen(view), NARROW)).toEqual({ x: -680, y: -100, zoom: 1.3 });
  });

  it('keeps a whole flow in view at the zoom of the user where it has room', () => {
    const view = { x: 700, y: 20, zoom: 0.5 };
    const next = resizedView(seen(view), NARROW);
    expect(next.zoom).toBe(0.5);
    expect(edges(next)).toMatchObject({ right: 640, top: 20 });
    expect(resizedView(seen(view), { width: 300, height: 700 })).toEqual({ x: 250, y: 20, zoom: 0.5 });
  });

  it('is the empty canvas where there is nothing', () => {
    const empty = { nodes: [], bounds: { x: 0, y: 0, width: 0, height: 0 } };
    const first = firstView([], WIDE.width, WIDE.height);
    expect(resizedView(seen(first, first, empty), NARROW)).toEqual({ x: 0, y: 0, zoom: 1 });
  });
});
