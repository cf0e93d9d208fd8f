import { createElement } from 'react';
import { expect, it } from 'vitest';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { AwayBanner } from './away-banner.tsx';
import { ServerLink } from './server-link.ts';

const page = usePage();

async function show(away: boolean) {
  let tries = 0;
  const value = { live: !away, away, tryNow: () => void (tries += 1) };
  const box = await page.show(createElement(ServerLink, { value }, createElement(AwayBanner)));
  return { box, tries: () => tries };
}

it('says while the server does not answer that the page is old, and tries at once', async () => {
  const { box, tries } = await show(true);
  await expect
    .poll(() => outline(box))
    .toEqual([
      'div[role=status]',
      'icon cloud-off 17',
      'span This page shows older data. Is Croft still running?',
      'span Croft does not answer.',
      'span Trying again',
      'span[aria-hidden=true]',
      'button[type=button]',
      'span Try now',
    ]);
  expect(box.textContent).toContain('This page shows older data.');
  await fire(named(box, 'Try now'), 'click');
  expect(tries()).toBe(1);
  expect((await show(false)).box.textContent).toBe('');
});
