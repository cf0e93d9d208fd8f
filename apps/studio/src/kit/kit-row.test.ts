import { createElement } from 'react';
import { expect, it } from 'vitest';
import { outline } from '../testing/outline.ts';
import { usePage } from '../testing/page.ts';
import { KitRow } from './kit-row.tsx';

const page = usePage();

it('has its name before the states', async () => {
  const box = await page.show(createElement(KitRow, { name: 'badge', children: 'States' }));
  await expect.poll(() => outline(box)).toEqual(['h3 badge', 'div States']);
  expect([box.querySelector('h3')?.textContent, box.textContent]).toEqual(['badge', 'badgeStates']);
});
