import { act, createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { usePage } from '../testing/page.ts';
import { createWiringStore, useFits, WiringContext } from './wiring.ts';

const page = usePage();
const end = { node: 'a', port: 'out', side: 'output' } as const;

it('tells its listeners of the wire that is being drawn', () => {
  const store = createWiringStore();
  const listener = vi.fn();
  store.subscribe(listener);
  store.set({ end, fits: new Map() });
  expect([store.get()?.end, listener.mock.calls.length]).toEqual([end, 1]);
  store.set(undefined);
  expect([store.get(), listener.mock.calls.length]).toEqual([undefined, 2]);
});

it('gives a component the ports that the wire fits, and no set while none is drawn', async () => {
  const store = createWiringStore();
  const at = (node: string) =>
    page.hook(
      () => useFits(node),
      (inner) => createElement(WiringContext, { value: store }, inner),
    );
  const [one, other] = [await at('a'), await at('b')];
  expect([one.current, other.current]).toEqual([undefined, undefined]);
  await act(async () => store.set({ end, fits: new Map([['a', new Set(['in'])]]) }));
  expect([[...(one.current ?? [])], other.current?.size]).toEqual([['in'], 0]);
  await act(async () => store.set(undefined));
  expect(one.current).toBeUndefined();
});
