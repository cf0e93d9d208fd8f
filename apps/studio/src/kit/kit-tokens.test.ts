import { createElement } from 'react';
import { expect, it } from 'vitest';
import { outline } from '../testing/outline.ts';
import { usePage } from '../testing/page.ts';
import { Tokens } from './kit-tokens.tsx';

const page = usePage();

it('names each token beside what it looks like', async () => {
  const box = await page.show(createElement(Tokens));
  await expect
    .poll(() => outline(box))
    .toEqual([
      'h3 Ground',
      'span canvas',
      'span surface',
      'span raised',
      'span sunken',
      'span hover',
      'span selected',
      'span line',
      'span edge',
      'h3 Ink and accent',
      'span ink',
      'span soft',
      'span accent',
      'span accent strong',
      'span accent soft',
      'span bad',
      'span bad soft',
      'span warn',
      'span warn soft',
      'h3 Type',
      'p A small enclosed field',
      'span 2xl',
      'p A small enclosed field',
      'span xl',
      'p A small enclosed field',
      'span lg',
      'p A small enclosed field',
      'span base',
      'p A small enclosed field',
      'span sm',
      'p A small enclosed field',
      'span xs',
      'p croft connect http://localhost:7860',
      'h3 Space',
      'span 1',
      'span 2',
      'span 3',
      'span 4',
      'span 6',
      'span 8',
      'span 12',
      'span 16',
      'h3 Radius and shadow',
      'span sm',
      'span md',
      'span lg',
      'span xl',
      'span float',
    ]);
  const rows = Object.fromEntries(
    [...box.querySelectorAll('h3')].map((each) => [each.textContent, each.nextElementSibling as Element]),
  );
  expect(Object.keys(rows)).toEqual(['Ground', 'Ink and accent', 'Type', 'Space', 'Radius and shadow']);
  const swatches = (name: string) => [...(rows[name]?.children ?? [])];
  for (const each of [...swatches('Ground'), ...swatches('Ink and accent')])
    expect(each.firstElementChild?.getAttribute('class')).toMatch(
      new RegExp(` bg-${each.textContent.replace(' ', '-')}$`),
    );
  expect([swatches('Ground').length, swatches('Ink and accent').length]).toEqual([8, 9]);
  expect(swatches('Space').map((each) => each.textContent)).toEqual(['1', '2', '3', '4', '6', '8', '12', '16']);
  expect(swatches('Radius and shadow').map((each) => each.textContent)).toEqual(['sm', 'md', 'lg', 'xl', 'float']);
  expect(
    [...(rows['Type']?.querySelectorAll('p') ?? [])].map((each) =>
      each.textContent.replace('A small enclosed field ', ''),
    ),
  ).toEqual(['2xl', 'xl', 'lg', 'base', 'sm', 'xs', 'croft connect http://localhost:7860']);
});
