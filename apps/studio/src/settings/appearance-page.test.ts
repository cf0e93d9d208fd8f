import { createElement } from 'react';
import { expect, it } from 'vitest';
import { usePage } from '../testing/page.ts';
import { AppearancePage } from './appearance-page.tsx';

const page = usePage();

it('offers the themes, and says how long the choice lasts', async () => {
  const box = await page.show(createElement(AppearancePage));
  expect([box.querySelector('section')?.getAttribute('aria-label'), box.textContent]).toEqual([
    'Appearance',
    'AppearanceRemembered by this browser. Motion follows the settings of your system.ThemeSystemLightDark',
  ]);
});
