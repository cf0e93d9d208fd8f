import { createElement } from 'react';
import { expect, it } from 'vitest';
import { outline } from '../testing/outline.ts';
import { usePage } from '../testing/page.ts';
import { NameText } from './name-text.tsx';

const page = usePage();

it('isolates the direction of a name, and shows unseen characters by their code', async () => {
  const box = await page.show(createElement(NameText, { name: 'a\u202eb\u200b' }));
  await expect
    .poll(() => outline(box))
    .toEqual(['bdi ab', 'span[title=Invisible character] U+202E', 'span[title=Invisible character] U+200B']);
  expect(box.querySelector('bdi')?.textContent).toBe('aU+202EbU+200B');
  const marks = [...box.querySelectorAll('span')].map((mark) => [mark.textContent, mark.getAttribute('title')]);
  expect(marks).toEqual([
    ['U+202E', 'Invisible character'],
    ['U+200B', 'Invisible character'],
  ]);
});
