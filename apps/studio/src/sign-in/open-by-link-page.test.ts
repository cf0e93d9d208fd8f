import { createElement } from 'react';
import { expect, it } from 'vitest';
import { useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { OpenByLinkPage } from './open-by-link-page.tsx';

const server = useFakeApi();
const page = usePage();

it('says how to open the page, and asks whether it was opened', async () => {
  server.answer('GET /api/v1/me', { user: null });
  const box = await page.show(inClient(testClient())(createElement(OpenByLinkPage)));
  await expect
    .poll(() => outline(box))
    .toEqual([
      'span Croft',
      'h1 Open it from your terminal',
      'div This server has no passwords. Run this command on the machine where Croft runs. It opens this page with a link that works once:',
      'pre[role=group][aria-label=Command that opens Croft]',
      'code croft open',
      'span[aria-hidden=true] $',
      'button[aria-live=polite][type=button]',
      'span Copy',
      'icon copy 16',
      'p[role=status] Waiting. This page continues after you open the link.',
      'span[aria-hidden=true]',
      'summary Why a link? What if the command is not found?',
      'p Other users and programs of this computer can reach this address too. Only you can get the link. It works once, within ten minutes; then this browser stays signed in.  prints one when it starts. If  is not installed, run  in the checkout.',
      'code croft serve',
      'code croft',
      'code node bin/croft.cjs open',
    ]);
  expect([box.querySelector('h1')?.textContent, box.querySelector('code')?.textContent]).toEqual([
    'Open it from your terminal',
    '$ croft open',
  ]);
  expect(box.querySelector('pre')?.getAttribute('aria-label')).toBe('Command that opens Croft');
  expect(box.querySelector('p[role=status]')?.textContent).toContain(
    'Waiting. This page continues after you open the link.',
  );
  expect(box.textContent).toContain('It opens this page with a link that works once:');
  expect(box.querySelector('details')?.textContent).toMatch(
    /^Why a link\?.*Only you can get the link\..*within ten minutes.*run node bin\/croft\.cjs open in the checkout\.$/,
  );
  expect(server.requests).toEqual(['GET /api/v1/me']);
});
