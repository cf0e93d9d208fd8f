import { expect, it } from 'vitest';
import { firstView } from './first-view.ts';
import type { CanvasNode } from './graph.ts';

const node = (x: number, y: number) => ({ id: `${x} ${y}`, position: { x, y }, width: 240, height: 120 }) as CanvasNode;

it('shows a whole flow below the toolbar and above the zoom buttons', () => {
  const { y, zoom } = firstView([node(0, 0), node(300, 900)], 900, 700);
  expect(y).toBeGreaterThanOrEqual(64);
  expect(1_020 * zoom + y).toBeLessThanOrEqual(640);
});
