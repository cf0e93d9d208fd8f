import { createElement } from 'react';
import { expect, it } from 'vitest';
import { outline } from '../testing/outline.ts';
import { usePage } from '../testing/page.ts';
import { AppearancePage } from './appearance-page.tsx';

const page = usePage();

it('offers the themes, and says how long the choice lasts', async () => {
  const box = await page.show(createElement(AppearancePage));
  await expect
    .poll(() => outline(box))
    .toEqual([
      'section[aria-label=Appearance]',
      'h2 Appearance',
      'p Remembered by this browser. Motion follows the settings of your system.',
      'legend Theme',
      'label System',
      'input[name=#1][type=radio][checked]',
      'span[aria-hidden=true]',
      'icon monitor 15',
      'label Light',
      'input[name=#1][type=radio]',
      'span[aria-hidden=true]',
      'icon sun 15',
      'label Dark',
      'input[name=#1][type=radio]',
      'span[aria-hidden=true]',
      'icon moon 15',
    ]);
  expect([box.querySelector('section')?.getAttribute('aria-label'), box.textContent]).toEqual([
    'Appearance',
    'AppearanceRemembered by this browser. Motion follows the settings of your system.ThemeSystemLightDark',
  ]);
});
