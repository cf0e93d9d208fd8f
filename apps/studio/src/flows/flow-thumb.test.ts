import { act, createElement } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { FlowThumb, ThumbPicture } from './flow-thumb.tsx';

const server = useFakeApi();
const page = usePage();
let seen: (isIntersecting: boolean) => void;
let left = 0;
beforeEach(() => {
  left = 0;
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(listener: (entries: readonly object[]) => void) {
        seen = (isIntersecting) => listener([{ isIntersecting }]);
      }
      observe = () => undefined;
      disconnect = () => void (left += 1);
    },
  );
});

it('draws a flow once its row is visible', async () => {
  const node = { id: 'A', type: 'T', position: { x: 0, y: 0 }, values: {} };
  const document = { nodes: [node, { ...node, id: 'B' }], edges: [], notes: [], groups: [] };
  server.answer('GET /api/v1/flows/f1', { flow: { id: 'f1', name: 'F', version: 1, document } });
  const box = await page.show(inClient(testClient())(createElement(FlowThumb, { id: 'f1' })));
  await expect.poll(() => outline(box)).toEqual(['span[aria-hidden=true]', 'icon workflow 18']);
  expect([server.requests, box.querySelectorAll('.lucide-workflow').length]).toEqual([[], 1]);
  await act(async () => seen(false));
  expect([server.requests, left]).toEqual([[], 0]);
  await act(async () => seen(true));
  await vi.waitFor(() => expect(box.querySelectorAll('rect[fill=currentColor]').length).toBe(2));
  expect([box.querySelector('.lucide-workflow'), left, box.firstElementChild?.getAttribute('aria-hidden')]).toEqual([
    null,
    1,
    'true',
  ]);
});

it('draws boxes and lines', async () => {
  const thumb = { viewBox: '0 0 9 9', wires: 'M0 0', width: 3, height: 2, boxes: [{ id: 'a', x: 1, y: 4 }] };
  const box = await page.show(createElement(ThumbPicture, { thumb }));
  const attributes = (selector: string, ...names: string[]) =>
    names.map((name) => box.querySelector(selector)?.getAttribute(name));
  expect([
    attributes('svg', 'viewBox'),
    attributes('path', 'd'),
    attributes('rect', 'x', 'y', 'width', 'height'),
  ]).toEqual([['0 0 9 9'], ['M0 0'], ['1', '4', '3', '2']]);
});
