import { ReactFlowProvider, useStoreApi } from '@xyflow/react';
import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { ViewButtons } from './view-buttons.tsx';

const page = usePage();

it('zooms a drawing and fits it into the view', async () => {
  const scaleBy = vi.fn(() => Promise.resolve(true));
  let state: () => { fitViewQueued: boolean } = () => ({ fitViewQueued: false });
  const Zoom = () => {
    const store = useStoreApi();
    state = store.getState;
    store.setState({ panZoom: { scaleBy } as never });
    return null;
  };
  const parts = [createElement(Zoom, { key: 1 }), createElement(ViewButtons, { key: 2 })];
  const box = await page.show(createElement(ReactFlowProvider, { children: parts }));
  await expect
    .poll(() => outline(box))
    .toEqual([
      'button[title=Zoom in][aria-label=Zoom in][type=button]',
      'icon zoom-in 17',
      'button[title=Zoom out][aria-label=Zoom out][type=button]',
      'icon zoom-out 17',
      'button[title=Fit the view][aria-label=Fit the view][type=button]',
      'icon maximize 17',
    ]);
  expect([...box.querySelectorAll('button')].map((button) => button.getAttribute('aria-label'))).toEqual([
    'Zoom in',
    'Zoom out',
    'Fit the view',
  ]);
  await fire(named(box, 'Zoom in'), 'click');
  await fire(named(box, 'Zoom out'), 'click');
  const [[up], [down]] = scaleBy.mock.calls as unknown as [[number], [number]];
  expect([up > 1, down < 1, state().fitViewQueued]).toEqual([true, true, false]);
  await fire(named(box, 'Fit the view'), 'click');
  expect(state().fitViewQueued).toBe(true);
});
