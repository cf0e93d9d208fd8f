import { createElement } from 'react';
import { expect, it } from 'vitest';
import { usePage } from '../testing/page.ts';
import { Mark } from './mark.tsx';

const page = usePage();

it('is decoration of a given size', async () => {
  const logo = (await page.show(createElement(Mark, { className: 'size-9' }))).querySelector('svg');
  expect(logo?.outerHTML).toBe(
    '<svg class="text-accent size-9" stroke-linejoin="round" stroke-width="2" stroke="currentColor" fill="none" viewBox="0 0 24 24" aria-hidden="true"><rect rx="4" height="18" width="18" y="3" x="3" /><path stroke="none" fill="currentColor" d="M8 16c0-4 3.500-7 8-8-.5 5-3.500 8-8 8Z" /></svg>',
  );
});
