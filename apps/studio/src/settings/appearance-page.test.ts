import { createElement } from 'react';
import { expect, it } from 'vitest';
import { outline } from '../testing/outline.ts';
import { usePage } from '../testing/page.ts';
import { AppearancePage } from './appearance-page.tsx';

const page = usePage();

it('offers the themes, and says how long the choice lasts', async () => {
  const box = await page.show(createElement(AppearancePage));
  await expect
    .poll(() => outline(box, 'fieldset'))
    .toEqual([
      'section[aria-label=Appearance]',
      'h2 Appearance',
      'p Remembered by this browser. Motion follows the settings of your system.',
    ]);
  expect(box.querySelector('fieldset')?.textContent).toBe('ThemeSystemLightDark');
});
