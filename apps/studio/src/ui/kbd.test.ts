import { createElement } from 'react';
import { expect, it } from 'vitest';
import { outline } from '../testing/outline.ts';
import { usePage } from '../testing/page.ts';
import { Kbd } from './kbd.tsx';

const page = usePage();

it('is a key of the keyboard', async () => {
  const box = await page.show(createElement(Kbd, { children: 'F2' }));
  await expect.poll(() => outline(box)).toEqual(['kbd F2']);
  expect(box.querySelector('kbd')?.textContent).toBe('F2');
});
