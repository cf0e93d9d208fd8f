import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { outline } from '../testing/outline.ts';
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
  const view = (setViewport.mock.calls as unknown as [object][]).at(-1)?.[0];
  return { box: document.querySelector('[role=img]') as HTMLElement, view };
}

it('has a box for each component, around all of them', async () => {
  const { box } = await show([]);
  const [width, height] = [400 + GHOST.width, 100 + GHOST.height];
  expect([box.style.transform, box.style.width, box.style.height]).toEqual([
    'translate(100px, 40px)',
    `${width}px`,
    `${height}px`,
  ]);
  expect(outline(document.body, 'none').filter((line) => !line.startsWith('svg'))).toEqual([
    'div[aria-label=Planned, not on the canvas: Reader, Writer][role=img]',
    'icon   [read aloud]',
    'span Reader',
    'span Planned',
    'span Writer',
    'span Planned',
  ]);
  const svg = box.querySelector('svg');
  expect([svg?.getAttribute('viewBox'), svg?.firstElementChild?.outerHTML]).toEqual([
    `100 40 ${width} ${height}`,
    '<path stroke-dasharray="6 6" stroke-width="2" stroke="var(--color-accent)" fill="none" d="M0 0" />',
  ]);
  const places = [...box.querySelectorAll('div')].map(({ style }) => [
    style.left,
    style.top,
    style.width,
    style.height,
  ]);
  expect(places).toEqual([
    ['0', '0', '248px', '72px'],
    ['400px', '100px', '248px', '72px'],
  ]);
});

const ALONE = { x: -69.25925925925924, y: 330.83333333333337, zoom: 1.3425925925925926 };

it.each([
  ['alone', [], ALONE],
  ['with a flow before it', [{ x: -100, y: 0 }], { x: 167.59433962264154, y: 391.25, zoom: 1.025943396226415 }],
  [
    'with a flow after it',
    [{ x: 900, y: 400 }],
    { x: -31.66666666666663, y: 263.16666666666663, zoom: 0.9666666666666667 },
  ],
  ['with a flow as wide as can be read', [{ x: -1_376, y: 40 }], { x: 657, y: 437, zoom: 0.5 }],
  ['alone beside a wider flow', [{ x: -1_378, y: 40 }], ALONE],
  ['with a flow as high as can be read', [{ x: 100, y: 2_114 }], { x: 288, y: -51, zoom: 0.5 }],
  ['alone beside a higher flow', [{ x: 100, y: 2_116 }], ALONE],
])('moves the view to the plan %s', async (_what, places, view) => {
  const nodes = places.map((position) => itemOf('n', { position, measured: { width: 100, height: 50 } }));
  expect((await show(nodes)).view).toEqual(view);
});
