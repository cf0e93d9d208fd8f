import { createElement } from 'react';
import { expect, it } from 'vitest';
import { outline } from '../testing/outline.ts';
import { usePage } from '../testing/page.ts';
import { PageSkeleton, Splash } from './page-skeleton.tsx';

const page = usePage();

it('announces a page that loads', async () => {
  const box = await page.show(createElement(PageSkeleton));
  await expect
    .poll(() => outline(box))
    .toEqual([
      'div[role=status]',
      'span Loading',
      'span[aria-hidden=true]',
      'span[aria-hidden=true]',
      'span[aria-hidden=true]',
    ]);
  expect([box.querySelector('[role=status]')?.textContent, box.querySelectorAll('[aria-hidden=true]').length]).toEqual([
    'Loading',
    3,
  ]);
});

it('announces the studio that loads', async () => {
  const box = await page.show(createElement(Splash));
  await expect.poll(() => outline(box)).toEqual(['div[role=status]', 'span Loading Croft']);
  expect([box.querySelector('main [role=status]')?.textContent, box.querySelectorAll('svg').length]).toEqual([
    'Loading Croft',
    1,
  ]);
});
