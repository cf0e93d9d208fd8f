import { ReactFlowProvider, useStoreApi } from '@xyflow/react';
import { act, createElement } from 'react';
import { expect, it } from 'vitest';
import { usePage } from '../testing/page.ts';
import { FarView } from './far-view.tsx';

const page = usePage();

it('shows large names below a zoom at which texts are small, and boxes below one at which no text can be read', async () => {
  const domNode = document.createElement('div');
  let zoom: (to: number) => void = () => undefined;
  const Zoom = () => {
    const store = useStoreApi();
    zoom = (to) => store.setState({ domNode, transform: [0, 0, to] });
    return null;
  };
  const parts = [createElement(Zoom, { key: 1 }), createElement(FarView, { key: 2 })];
  await page.show(createElement(ReactFlowProvider, { children: parts }));
  const classesAt = async (to: number) => {
    await act(async () => zoom(to));
    return domNode.className;
  };
  expect(await classesAt(1)).toBe('');
  expect(await classesAt(0.71)).toBe('small');
  expect(await classesAt(0.34)).toBe('small far');
  expect(await classesAt(0.35)).toBe('small');
  expect(await classesAt(0.72)).toBe('');
});
