import { createElement } from 'react';
import { expect, it } from 'vitest';
import { usePage } from '../testing/page.ts';
import { KitPage } from './kit-page.tsx';

const page = usePage();

it('has a section for each part, by its name', async () => {
  const box = await page.show(createElement(KitPage));
  expect(document.title).toBe('Kit · Croft');
  expect([...box.querySelectorAll('section[aria-labelledby] > h2')].map((each) => [each.id, each.textContent])).toEqual(
    [
      ['tokens', 'Tokens'],
      ['buttons', 'Buttons'],
      ['fields', 'Fields'],
      ['choices', 'Choices'],
      ['messages', 'Messages'],
      ['overlays', 'Over the page'],
      ['views', 'Views'],
    ],
  );
  expect([box.querySelector('h1')?.textContent, box.querySelector('a')?.getAttribute('href')]).toEqual([
    'Kit',
    expect.stringMatching(/\/files$/),
  ]);
});
