import { createElement } from 'react';
import { expect, it } from 'vitest';
import { usePage } from '../testing/page.ts';
import { ServerLink, useServerLink } from './server-link.ts';

const page = usePage();

it('counts on no events before a page says that they arrive', async () => {
  const alone = await page.hook(useServerLink);
  expect(alone.current).toMatchObject({ live: false, away: false });
  const value = { live: true, away: false, tryNow: () => undefined };
  const inside = await page.hook(useServerLink, (node) => createElement(ServerLink, { value }, node));
  expect(inside.current).toBe(value);
});
