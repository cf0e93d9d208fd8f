import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { LinkCard } from './link-card.tsx';

const server = useFakeApi();
const page = usePage();
const LINK = '/api/v1/flows/f/link';
const TITLE = [
  'section[aria-label=Public link]',
  'h2 Public link',
  'p Anyone who has it can chat with this flow, without an account.',
];

async function show(link: { path: string; isOpen: boolean } | null, isChat = true, isAdmin = true) {
  server.answer(`GET ${LINK}`, { link });
  server.answer(`PUT ${LINK}`, {});
  server.answer(`DELETE ${LINK}`, {});
  const box = await page.show(
    inClient(testClient())(createElement(LinkCard, { flowId: 'f', version: 4, isAdmin, isChat })),
  );
  await vi.waitFor(() => expect(box.textContent).not.toContain('Loading'));
  const sent = () => server.requests.filter((each) => !each.startsWith('GET'));
  const inDialog = (name: string) => fire(named(box.querySelector('dialog') as Element, name), 'click');
  return { box, sent, inDialog };
}

it('makes a link only after a person confirmed what visitors can do, for the version that is shown', async () => {
  const { box, sent, inDialog } = await show(null);
  await expect
    .poll(() => outline(box))
    .toEqual([
      ...TITLE,
      'span[aria-hidden=true]',
      'icon globe 22',
      'p No public link',
      'button[type=button]',
      'span Make a public link',
    ]);
  await fire(named(box, 'Make a public link'), 'click');
  expect(box.textContent).toContain('with your variables and files');
  await inDialog('Cancel');
  expect([sent(), box.querySelector('dialog')]).toEqual([[], null]);
  await fire(named(box, 'Make a public link'), 'click');
  await inDialog('Make public link');
  await vi.waitFor(() => expect(box.querySelector('dialog')).toBeNull());
  expect(sent()).toEqual([`PUT ${LINK} {"version":4}`]);
});

it('shows the address of a link, and removes it after a confirmation', async () => {
  const { box, sent, inDialog } = await show({ path: '/p/abc', isOpen: true });
  await expect
    .poll(() => outline(box))
    .toEqual([
      ...TITLE,
      'code http://croft.test/base/p/abc',
      'button[aria-live=polite][type=button]',
      'span Copy link',
      'icon copy 16',
      'a[rel=noopener][target=_blank][href=http://croft.test/base/p/abc] Open',
      'icon external-link 15',
      'button[type=button]',
      'span Remove link',
      'p Visitors see the answers only. Their runs use your variables and files, and are in . At most 60 messages a minute and 2,000 a day are answered.',
      'a[href=/base/flows/f/runs] the runs of this flow',
    ]);
  expect(box.textContent).toContain('http://croft.test/base/p/abc');
  expect(named(box, 'Open').getAttribute('href')).toBe('http://croft.test/base/p/abc');
  await fire(named(box, 'Remove link'), 'click');
  expect(sent()).toEqual([]);
  await inDialog('Remove link');
  await vi.waitFor(() => expect(sent()).toEqual([`DELETE ${LINK}`]));
});

it('offers no link for a flow without a chat', async () => {
  const { box } = await show(null, false);
  await expect
    .poll(() => outline(box))
    .toEqual([
      ...TITLE,
      'span[aria-hidden=true]',
      'icon info 16',
      'div The page of a public link is a chat, and this flow has no Chat input. Add one .',
      'a[href=/base/flows/f] on the canvas',
    ]);
  expect([box.textContent?.includes('no Chat input'), box.querySelectorAll('button').length]).toEqual([true, 0]);
});

it('says that the link of a user who is not an administrator any more does not work, and removes it', async () => {
  const { box, sent, inDialog } = await show({ path: '/p/abc', isOpen: false }, true, false);
  await vi.waitFor(() => expect(box.textContent).toContain('does not work now'));
  expect(box.textContent).not.toContain('/p/abc');
  await fire(named(box, 'Remove link'), 'click');
  await inDialog('Remove link');
  await vi.waitFor(() => expect(sent()).toEqual([`DELETE ${LINK}`]));
});

it('shows nothing to other users without a link', async () => {
  expect((await show(null, true, false)).box.textContent).toBe('');
});

it('says before what a link does, and what its end does', async () => {
  const { box, inDialog } = await show(null);
  await fire(named(box, 'Make a public link'), 'click');
  const texts = () => [...box.querySelectorAll('dialog h2, dialog p, dialog button')].map((each) => each.textContent);
  expect(texts()).toEqual([
    'Make a public link?',
    '',
    'Anyone who has the link can run this flow with your variables and files. Visitors can ask for everything that the flow can read.',
    'Make public link',
    'Cancel',
  ]);
  server.answer(`GET ${LINK}`, { link: { path: '/p/new', isOpen: true } });
  await inDialog('Make public link');
  await vi.waitFor(() => expect(box.querySelector('code')?.textContent).toBe('http://croft.test/base/p/new'));
  await fire(named(box, 'Remove link'), 'click');
  expect(texts()).toEqual([
    'Remove the public link?',
    '',
    'The link stops working at once. A new one will be different.',
    'Remove link',
    'Cancel',
  ]);
});
