import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { usePage } from '../testing/page.ts';
import { GHOST } from '../assistant/plan-ghosts.ts';
import { PlanOutlines } from './plan-outlines.tsx';
import { inFlow, itemOf } from './testing-store.ts';

const page = usePage();
const GHOSTS = {
  boxes: [
    { id: 'a', title: 'Reader', x: 100, y: 40 },
    { id: 'b', title: 'Writer', x: 500, y: 140 },
  ],
  wires: 'M0 0',
};

async function show(nodes: ReturnType<typeof itemOf>[], size = { width: 1000, height: 1000 }) {
  const setViewport = vi.fn(async () => true);
  await page.show(
    inFlow(nodes, createElement(PlanOutlines, { ghosts: GHOSTS }), { ...size, panZoom: { setViewport } as never }),
  );
  const zoom = () => (setViewport.mock.calls as unknown as [{ zoom: number }][]).at(-1)?.[0].zoom ?? 0;
  return { outline: document.querySelector('[role=img]') as HTMLElement, zoom };
}

it('has a box for each component, around all of them', async () => {
  const { outline } = await show([]);
  expect(outline.getAttribute('aria-label')).toBe('Planned, not on the canvas: Reader, Writer');
  const [width, height] = [400 + GHOST.width, 100 + GHOST.height];
  expect([outline.style.transform, outline.style.width, outline.style.height]).toEqual([
    'translate(100px, 40px)',
    `${width}px`,
    `${height}px`,
  ]);
  expect([
    outline.querySelector('svg')?.getAttribute('viewBox'),
    outline.querySelector('path')?.getAttribute('d'),
  ]).toEqual([`100 40 ${width} ${height}`, 'M0 0']);
  expect(
    [...outline.children]
      .slice(1)
      .map((each) => [each.textContent, (each as HTMLElement).style.left, (each as HTMLElement).style.top]),
  ).toEqual([
    ['ReaderPlanned', '0', '0'],
    ['WriterPlanned', '400px', '100px'],
  ]);
});

it('moves the view to the plan with the flow, or to the plan alone beside a large flow', async () => {
  const alone = (await show([])).zoom();
  const near = (
    await show([itemOf('n', { position: { x: -100, y: 0 }, measured: { width: 100, height: 50 } })])
  ).zoom();
  const far = (
    await show([itemOf('n', { position: { x: -9_000, y: 0 }, measured: { width: 100, height: 50 } })])
  ).zoom();
  expect(near).toBeLessThan(alone);
  expect(near).toBeGreaterThan(0);
  expect(far).toBe(alone);
});
