import { act, createElement, Suspense, useState } from 'react';
import { expect, it, vi } from 'vitest';
import { settle } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { loadable } from './loadable.tsx';

const page = usePage();
const Greeting = ({ name }: { name: string }) => createElement('b', {}, `Hello ${name}`);

function sample() {
  let loads = 0;
  const Sample = loadable(async () => {
    loads += 1;
    await settle();
    return Greeting;
  });
  return { Sample, loads: () => loads };
}
const around = (node: React.ReactNode) => createElement(Suspense, { fallback: 'Loading' }, node);

it('loads its code once, on first use', async () => {
  const { Sample, loads } = sample();
  expect(loads()).toBe(0);
  const box = await page.show(
    around([createElement(Sample, { key: 1, name: 'a' }), createElement(Sample, { key: 2, name: 'b' })]),
  );
  for (let turn = 0; turn < 5; turn++) await act(settle);
  expect([box.textContent, loads()]).toEqual(['Hello aHello b', 1]);
});

it('loads its code again where a preload failed', async () => {
  let loads = 0;
  const Sample = loadable(async () => {
    loads += 1;
    if (loads === 1) throw new Error('restarting');
    return Greeting;
  });
  await Sample.preload();
  const box = await page.show(around(createElement(Sample, { name: 'a' })));
  for (let turn = 0; turn < 5; turn++) await act(settle);
  expect([box.textContent, loads]).toEqual(['Hello a', 2]);
});

it('renders at once where its code was loaded before', async () => {
  const { Sample, loads } = sample();
  await Sample.preload();
  await Sample.preload();
  // Without a boundary it would fail if it had to wait.
  const { renderToStaticMarkup } = await import('react-dom/server');
  expect([renderToStaticMarkup(createElement(Sample, { name: 'a' })), loads()]).toEqual(['<b>Hello a</b>', 1]);
});

it('keeps what was typed in it when its code finishes loading twice', async () => {
  const Counter = () => {
    const [count, setCount] = useState(0);
    return createElement('button', { onClick: () => setCount(count + 1) }, `Count ${count}`);
  };
  const Sample = loadable(() => Promise.resolve(Counter));
  function Around() {
    const [turn, setTurn] = useState(0);
    return createElement(
      'p',
      {},
      createElement('button', { onClick: () => setTurn(turn + 1) }, 'Again'),
      createElement(Sample),
    );
  }
  const box = await page.show(around(createElement(Around)));
  await vi.waitFor(() => expect(outline(box)).toEqual(['button Again', 'button Count 0']));
  for (let turn = 0; turn < 5; turn++) await act(settle);
  await fire(named(box, 'Count 0'), 'click');
  await fire(named(box, 'Again'), 'click');
  expect(named(box, 'Count 1').textContent).toBe('Count 1');
});

it('does not throw where the code cannot be loaded ahead', async () => {
  const Sample = loadable(() => Promise.reject<typeof Greeting>(new Error('gone')));
  await expect(Sample.preload()).resolves.toBeUndefined();
});
