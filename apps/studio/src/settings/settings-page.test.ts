import { act, createElement } from 'react';
import { beforeEach, expect, it } from 'vitest';
import { navigate } from '../routing/location.ts';
import { useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { SettingsPage } from './settings-page.tsx';

useFakeApi();
const page = usePage();
let scrolled: unknown[] = [];
beforeEach(() => {
  scrolled = [];
  HTMLElement.prototype.scrollIntoView = function scroll(this: HTMLElement, options) {
    scrolled.push([this.textContent, options]);
  };
});

async function show(path: string, role = 'user', autoLogin = false) {
  const me = { version: '1.2.3', autoLogin, user: { id: 'u', name: 'Ada', email: 'a@x', role } } as never;
  await act(async () => navigate(path));
  const box = await page.show(inClient(testClient())(createElement(SettingsPage, { me })));
  const links = [...box.querySelectorAll('nav a')];
  return {
    box,
    names: links.map(({ textContent }) => textContent),
    hrefs: links.map((link) => link.getAttribute('href')),
    current: links.filter((link) => link.getAttribute('aria-current') === 'page').map(({ textContent }) => textContent),
  };
}
const PLAIN = ['Account', 'Model providers', 'Variables', 'Components', 'API keys', 'Activity', 'Appearance', 'About'];

it('offers the pages that are for this user', async () => {
  const { box, names, hrefs } = await show('/settings/about');
  await expect
    .poll(() => outline(box, 'section'))
    .toEqual([
      'h1[tabindex=-1] Settings',
      'nav[aria-label=Settings]',
      'a[href=/base/settings/account] Account',
      'a[href=/base/settings/providers] Model providers',
      'a[href=/base/settings/variables] Variables',
      'a[href=/base/settings/components] Components',
      'a[href=/base/settings/keys] API keys',
      'a[href=/base/settings/activity] Activity',
      'a[href=/base/settings/appearance] Appearance',
      'a[href=/base/settings/about][aria-current=page] About',
      'section[aria-label=About]',
    ]);
  expect(box.querySelector('h2')?.textContent).toBe('Croft 1.2.3');
  expect([names, box.querySelector('h1')?.textContent, box.querySelector('nav')?.getAttribute('aria-label')]).toEqual([
    PLAIN,
    'Settings',
    'Settings',
  ]);
  expect(hrefs).toEqual(
    ['account', 'providers', 'variables', 'components', 'keys', 'activity', 'appearance', 'about'].map(
      (path) => `/base/settings/${path}`,
    ),
  );
});

it('offers administrators three more, without accounts two', async () => {
  const more = async (autoLogin: boolean) =>
    (await show('/settings/about', 'admin', autoLogin)).names.filter((name) => !PLAIN.includes(name));
  expect([await more(false), await more(true)]).toEqual([
    ['Users', 'Audit log', 'Workers'],
    ['Audit log', 'Workers'],
  ]);
});

it.each([
  ['account', 'Account', 'Account'],
  ['providers', 'Model providers', 'Model providers'],
  ['variables', 'Variables', 'Variables'],
  ['components', 'Components', 'Components'],
  ['keys', 'API keys', 'API keys'],
  ['activity', 'Activity', 'Recent changes'],
  ['users', 'Users', 'Users'],
  ['audit', 'Audit log', 'Audit log'],
  ['workers', 'Workers', 'Workers'],
  ['appearance', 'Appearance', 'Appearance'],
  ['about', 'About', 'About'],
])('shows the page %s', async (path, name, card) => {
  const { box, current } = await show(`/settings/${path}`, 'admin');
  expect([current, box.querySelector('section')?.getAttribute('aria-label')]).toEqual([[name], card]);
  expect([location.pathname, scrolled[0]]).toEqual([
    `/base/settings/${path}`,
    [name, { block: 'nearest', inline: 'center' }],
  ]);
});

it('goes to the first page from an unknown one, and from one that is not for this user', async () => {
  for (const path of ['/settings', '/settings/nothing', '/settings/users']) {
    const { current } = await show(path);
    expect([current, location.pathname]).toEqual([['Account'], '/base/settings/account']);
  }
});
