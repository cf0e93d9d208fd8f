import { createElement } from 'react';
import { expect, it } from 'vitest';
import { usePage } from '../testing/page.ts';
import { Tokens } from './kit-tokens.tsx';

const page = usePage();

it('names each token beside what it looks like', async () => {
  const box = await page.show(createElement(Tokens));
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
