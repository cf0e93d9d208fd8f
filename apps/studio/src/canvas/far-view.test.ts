import { ReactFlowProvider, useStoreApi } from '@xyflow/react';
import { act, createElement } from 'react';
import { expect, it } from 'vitest';
import { usePage } from '../testing/page.ts';
import { FarView } from './far-view.tsx';

const page = usePage();

it('shows large names below a zoom at which texts are small, and many components as boxes from afar', async () => {
  const domNode = document.createElement('div');
  let zoom: (to: number, count: number) => void = () => undefined;
  const Zoom = () => {
    const store = useStoreApi();
    zoom = (to, count) =>
      store.setState({ domNode, transform: [0, 0, to], nodes: Array.from({ length: count }, () => ({}) as never) });
    return null;
  };
  const parts = [createElement(Zoom, { key: 1 }), createElement(FarView, { key: 2 })];
  await page.show(createElement(ReactFlowProvider, { children: parts }));
  const classesAt = async (to: number, count = 101) => {
    await act(async () => zoom(to, count));
    return domNode.className;
  };
  expect(await classesAt(1)).toBe('');
  expect(await classesAt(0.71)).toBe('small');
  expect(await classesAt(0.34)).toBe('small far');
  expect(await classesAt(0.34, 100)).toBe('small');
  expect(await classesAt(0.35)).toBe('small');
  expect(await classesAt(0.72)).toBe('');
});
