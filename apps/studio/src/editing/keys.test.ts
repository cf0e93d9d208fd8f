import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { usePage } from '../testing/page.ts';
import { Keys } from './keys.tsx';

const page = usePage();

it.each([
  ['Linux x86_64', 'Ctrl'],
  ['MacIntel', '⌘'],
  ['iPhone', '⌘'],
  ['iPad', '⌘'],
])('names the key of commands on %s: %s', async (platform, mod) => {
  vi.stubGlobal('navigator', { userAgent: '', platform });
  const box = await page.show(createElement(Keys, { keys: ['Shift', 'Mod', 'Z'] }));
  expect([...box.querySelectorAll('kbd')].map(({ textContent }) => textContent)).toEqual(['Shift', mod, 'Z']);
});
