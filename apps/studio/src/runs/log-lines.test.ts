import { createElement } from 'react';
import { expect, it } from 'vitest';
import { outline } from '../testing/outline.ts';
import { usePage } from '../testing/page.ts';
import { LogLines } from './log-lines.tsx';

const page = usePage();

it('has the lines of a component in their order', async () => {
  const box = await page.show(createElement(LogLines, { log: ['first', 'second'], of: 'Agent' }));
  await expect
    .poll(() => outline(box))
    .toEqual(['h3 Log', 'div[aria-label=Log of Agent][tabindex=0][role=region]', 'li first', 'li second']);
  expect([
    box.querySelector('h3')?.textContent,
    box.querySelector('[role=region]')?.getAttribute('aria-label'),
  ]).toEqual(['Log', 'Log of Agent']);
  expect([...box.querySelectorAll('ol > li')].map(({ textContent }) => textContent)).toEqual(['first', 'second']);
});
