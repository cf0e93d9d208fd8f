import { ReactFlowProvider, useStoreApi } from '@xyflow/react';
import { act, createElement } from 'react';
import { expect, it } from 'vitest';
import { usePage } from '../testing/page.ts';
import { FarView } from './far-view.tsx';

const page = usePage();

it('shows components as boxes only below a zoom at which texts cannot be read', async () => {
  const current = document.createElement('div');
  let zoom: (to: number) => void = () => undefined;
  const Zoom = () => {
    const store = useStoreApi();
    zoom = (to) => store.setState({ transform: [0, 0, to] });
    return null;
  };
  const parts = [createElement(Zoom, { key: 1 }), createElement(FarView, { key: 2, box: { current } })];
  await page.show(createElement(ReactFlowProvider, { children: parts }));
  const isFarAt = async (to: number) => {
    await act(async () => zoom(to));
    return current.classList.contains('far');
  };
  expect([await isFarAt(1), await isFarAt(0.34), await isFarAt(0.35)]).toEqual([false, true, false]);
});
