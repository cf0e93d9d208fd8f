import { createElement } from 'react';
import { expect, it } from 'vitest';
import { usePage } from '../testing/page.ts';
import { Mark } from './mark.tsx';

const page = usePage();

it('is decoration of a given size', async () => {
  const logo = (await page.show(createElement(Mark, { className: 'size-9' }))).querySelector('svg');
  expect([logo?.getAttribute('aria-hidden'), logo?.getAttribute('class')]).toEqual(['true', 'text-accent size-9']);
});
