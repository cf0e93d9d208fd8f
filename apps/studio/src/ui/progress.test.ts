import { createElement } from 'react';
import { expect, it } from 'vitest';
import { usePage } from '../testing/page.ts';
import { Meter, Progress } from './progress.tsx';

const page = usePage();

async function show(element: Parameters<typeof page.show>[0]) {
  const bar = (await page.show(element)).firstElementChild as Element;
  const inner = bar.firstElementChild as HTMLElement;
  const at = (name: string) => bar.getAttribute(`aria-value${name}`);
  return { bar, now: at('now'), ends: [at('min'), at('max')], text: at('text'), width: inner.style.width, inner };
}

it.each([
  [-1, '0', '0%'],
  [0.004, '0', '0%'],
  [0.255, '26', '26%'],
  [1, '100', '100%'],
  [2, '100', '100%'],
])('shows a progress of %d as %s percent', async (value, now, width) => {
  const { bar, ...shown } = await show(createElement(Progress, { value, label: 'Upload' }));
  expect([bar.getAttribute('role'), bar.getAttribute('aria-label')]).toEqual(['progressbar', 'Upload']);
  expect(shown).toMatchObject({ now, width, ends: ['0', '100'] });
});

it('looks different where it failed', async () => {
  const lookOf = async (tone?: 'good' | 'bad') =>
    (await show(createElement(Progress, { value: 1, label: 'U', ...(tone && { tone }) }))).inner.className;
  expect([(await lookOf()) === (await lookOf('good')), (await lookOf()) === (await lookOf('bad'))]).toEqual([
    true,
    false,
  ]);
});

it.each([
  [-1, '0', '0%', 'bg-accent'],
  [0.001, '0', '1.5%', 'bg-accent'],
  [0.5, '50', '50%', 'bg-accent'],
  [0.899, '90', '89.9%', 'bg-accent'],
  [0.9, '90', '90%', 'bg-warn'],
  [1, '100', '100%', 'bg-bad'],
  [3, '100', '100%', 'bg-bad'],
])('shows a used part of %d as %s percent', async (value, now, width, look) => {
  const { bar, inner, ...shown } = await show(createElement(Meter, { value, label: 'Space', text: '1 of 2 GB' }));
  expect([bar.getAttribute('role'), bar.getAttribute('aria-label')]).toEqual(['meter', 'Space']);
  expect(shown).toEqual({ now, width, ends: ['0', '100'], text: '1 of 2 GB' });
  expect(inner.className).toContain(look);
});
