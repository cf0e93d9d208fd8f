import { createElement } from 'react';
import { expect, it } from 'vitest';
import { usePage } from '../testing/page.ts';
import { Badge, type BadgeTone } from './badge.tsx';

const page = usePage();

it('looks different by its tone, and has a mark only where asked', async () => {
  const show = async (props: { tone?: BadgeTone; dot?: boolean }) =>
    (await page.show(createElement(Badge, { ...props, children: 'Ready' }))).firstElementChild as Element;
  const plain = await show({});
  expect([plain.textContent, plain.querySelector('[aria-hidden]')]).toEqual(['Ready', null]);
  expect((await show({ dot: true })).querySelector('[aria-hidden=true]')).not.toBeNull();
  const looks: string[] = [];
  const colors: (string | undefined)[] = [];
  for (const tone of ['neutral', 'good', 'warn', 'bad'] as const) {
    looks.push((await show({ tone })).className);
    colors.push(
      looks
        .at(-1)
        ?.match(/\b(?:bg-\S+|text-(?!xs)\S+|border-\S+)/g)
        ?.join(' '),
    );
  }
  expect(colors).toEqual([
    'bg-sunken text-soft border-line',
    'bg-accent-soft text-accent-strong border-accent/30',
    'bg-warn-soft text-warn border-warn/30',
    'bg-bad-soft text-bad border-bad/30',
  ]);
  expect([new Set(looks).size, looks[0]]).toEqual([4, plain.className]);
});
