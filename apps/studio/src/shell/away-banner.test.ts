import { createElement } from 'react';
import { expect, it } from 'vitest';
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
  expect(box.textContent).toContain('This page shows older data.');
  await fire(named(box, 'Try now'), 'click');
  expect(tries()).toBe(1);
  expect((await show(false)).box.textContent).toBe('');
});
