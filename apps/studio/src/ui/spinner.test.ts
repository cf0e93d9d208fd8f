import { createElement } from 'react';
import { expect, it } from 'vitest';
import { usePage } from '../testing/page.ts';
import { Spinner } from './spinner.tsx';

const page = usePage();

it('is decoration of a given size', async () => {
  const spinner = (await page.show(createElement(Spinner, { className: 'size-6' }))).firstElementChild;
  expect([spinner?.getAttribute('aria-hidden'), spinner?.textContent]).toEqual(['true', '']);
  expect(spinner?.className).toMatch(/animate-spin.* size-6$/);
});
