import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { fire, usePage } from '../testing/page.ts';
import { LargeMap } from './large-map.tsx';
import { inFlow, itemOf } from './testing-store.ts';

const page = usePage();

async function show(nodes = [itemOf('A'), itemOf('B', { position: { x: 900, y: 450.4 } })]) {
  const setViewportAt = vi.fn(async () => true);
  const map = createElement(LargeMap, { nodes } as unknown as Parameters<typeof LargeMap>[0]);
  const state = { transform: [-100, -50, 0.5] as [number, number, number], width: 400, height: 200 };
  const box = await page.show(inFlow([], map, { ...state, panZoom: { setViewport: setViewportAt } as never }));
  const svg = box.querySelector('svg') as SVGSVGElement;
  Object.assign(svg, {
    getBoundingClientRect: () => ({ left: 10, top: 20, width: 140, height: 96 }),
    setPointerCapture: vi.fn(),
  });
  return { svg, setViewportAt };
}
const rect = (svg: Element) =>
  ['x', 'y', 'width', 'height'].map((name) => svg.querySelector('rect')?.getAttribute(name));

it('draws all components as one shape, with a margin', async () => {
  const { svg } = await show();
  expect([svg.getAttribute('aria-label'), svg.querySelector('path')?.getAttribute('d')]).toEqual([
    'Map of the flow',
    'M0 0h100v50h-100zM900 450h100v50h-100z',
  ]);
  // 1000 wide, and 50 on each side.
  expect(['viewBox', 'width', 'height', 'role'].map((name) => svg.getAttribute(name))).toEqual([
    '-50 -50 1100 600.4',
    '140',
    '96',
    'img',
  ]);
});

it('takes the measured height of a card', async () => {
  const { svg } = await show([itemOf('A', { height: undefined, measured: { height: 80 } } as never)]);
  expect(svg.querySelector('path')?.getAttribute('d')).toBe('M0 0h100v80h-100z');
});

it('shows the visible part', async () => {
  const { svg } = await show();
  expect(rect(svg)).toEqual(['200', '100', '800', '400']);
});

it('moves to where the main button is held, and keeps the zoom', async () => {
  const { svg, setViewportAt } = await show();
  await fire(svg, 'pointermove', { buttons: 0, clientX: 80, clientY: 68 });
  expect(setViewportAt).not.toHaveBeenCalled();
  await fire(svg, 'pointerdown', { buttons: 1, clientX: 80, clientY: 68, pointerId: 3 });
  expect((svg.setPointerCapture as ReturnType<typeof vi.fn>).mock.calls).toEqual([[3]]);
  // The middle of the map is the middle of the flow: 500, 250.2.
  const at = () => (setViewportAt.mock.calls as unknown as [{ x: number; y: number; zoom: number }][]).at(-1)?.[0];
  expect([at()?.x, at()?.zoom]).toEqual([200 - 500 * 0.5, 0.5]);
  expect(at()?.y).toBeCloseTo(100 - 250.2 * 0.5);
  await fire(svg, 'pointermove', { buttons: 1, clientX: 94, clientY: 68 });
  // A pixel of the map is 1100 / 140 of the flow.
  expect(at()?.x).toBeCloseTo(200 - (500 + 14 * (1100 / 140)) * 0.5);
});

it('draws components left of and above the first one, and none as nothing', async () => {
  const { svg } = await show([itemOf('A'), itemOf('B', { position: { x: -300, y: -20.6 } })]);
  expect([svg.getAttribute('viewBox'), svg.querySelector('path')?.getAttribute('d')]).toEqual([
    '-320 -40.6 440 110.6',
    'M0 0h100v50h-100zM-300 -21h100v50h-100z',
  ]);
  expect((await show([])).svg.getAttribute('viewBox')).toBe('-0.05 -0.05 1.1 1.1');
});

it('moves by the height of the map', async () => {
  const { svg, setViewportAt } = await show();
  await fire(svg, 'pointermove', { buttons: 1, clientX: 80, clientY: 78 });
  const [call] = setViewportAt.mock.calls as unknown as [[{ y: number }]];
  expect(call[0].y).toBeCloseTo(100 - (250.2 + 10 * (1100 / 140)) * 0.5);
});
