import { createElement } from 'react';
import { expect, it } from 'vitest';
import { outline } from '../testing/outline.ts';
import { check, usePage } from '../testing/page.ts';
import { ThemeChoice } from './theme-choice.tsx';

const page = usePage();

it('offers three themes, and applies one at once', async () => {
  const box = await page.show(createElement(ThemeChoice));
  await expect
    .poll(() => outline(box))
    .toEqual([
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
  const radios = [...box.querySelectorAll('input')];
  const chosen = () => radios.map(({ checked }) => checked);
  expect([
    box.querySelector('legend')?.textContent,
    [...box.querySelectorAll('label')].map((l) => l.textContent),
  ]).toEqual(['Theme', ['System', 'Light', 'Dark']]);
  expect([chosen(), box.querySelectorAll('label [aria-hidden=true] svg').length]).toEqual([[true, false, false], 3]);
  await check(radios[2] as Element);
  expect([document.documentElement.dataset.theme, chosen()]).toEqual(['dark', [false, false, true]]);
  await check(radios[1] as Element);
  expect(document.documentElement.dataset.theme).toBe('light');
  await check(radios[0] as Element);
  expect(document.documentElement.dataset.theme).toBeUndefined();
});
