import { act, createElement } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { gatewayQuery } from '../api/gateway.ts';
import { localAccessQuery } from '../api/local-access.ts';
import type { Me } from '../api/me.ts';
import { refusal, settle, useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, type, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { dismissToasts, Toaster } from '../ui/toast.tsx';
import { LocalAccessCard } from './local-access-card.tsx';

const server = useFakeApi();
const page = usePage();
beforeEach(dismissToasts);
const ROUTE = 'GET /api/v1/local-access';
const SET = 'PUT /api/v1/local-access';
const STATUS_ROUTE = 'GET /instance-ai/gateway/status';
const ENABLED = { data: { connected: false, enabled: true } };
const OWNER = { autoLogin: true } as Me & { user: NonNullable<Me['user']> };
const ON = { state: 'on', directory: '/srv', canChange: true };
const TITLE = [
  'section[aria-label=The machine Croft runs on]',
  'span The machine Croft runs on',
  'icon hard-drive 19',
  'p Direct access: your agents can read a directory on this machine and cannot change it. While a folder of your computer is connected, they use that folder instead.',
];

async function show(access: unknown, status: object = { connected: false, enabled: true }, autoLogin = true) {
  server.answer(ROUTE, access);
  server.answer(STATUS_ROUTE, { data: { directory: null, toolCategories: [], ...status } });
  server.answer('POST /api/v1/local-access/picking', refusal(403, 'forbidden'));
  const me = { autoLogin, user: { id: 'u', role: 'admin' }, features: {} } as never;
  const box = await page.show(inClient(testClient())(createElement(LocalAccessCard, { me })));
  await vi.waitFor(() => expect(server.requests.length).toBe(autoLogin ? 2 : 1));
  return box;
}
const BADGE = 'span.rounded-full';
const badgeOf = (box: Element) => box.querySelector(BADGE)?.textContent;

it('says what direct access is, and removes it', async () => {
  const box = await show(ON);
  await vi.waitFor(() => expect(badgeOf(box)).toBe('Agents may read'));
  await expect
    .poll(() => outline(box))
    .toEqual([
      ...TITLE,
      'span Agents may read',
      'span[aria-hidden=true]',
      'bdi /srv',
      'button[type=button]',
      'span Remove',
      'p#1 Let agents read this directory',
      'p#1-about When off, no agent can use its tools. Also applies to a folder you connect.',
      'button[aria-describedby=#1-about][aria-labelledby=#1][data-state=checked][aria-checked=true][role=switch][type=button]',
      'span[data-state=checked]',
    ]);
  expect(box.querySelector('section')?.getAttribute('aria-label')).toBe('The machine Croft runs on');
  expect(box.textContent).toContain(
    'Direct access: your agents can read a directory on this machine and cannot change it. While a folder of your computer ' +
      'is connected, they use that folder instead.Agents may read/srvRemoveLet agents read this directory' +
      'When off, no agent can use its tools. Also applies to a folder you connect.',
  );
  server.answer(SET, { state: 'setup', directory: null, canChange: true });
  await fire(named(box, 'Remove'), 'click');
  await vi.waitFor(() => expect(badgeOf(box)).toBe('Not set up'));
  expect(server.requests).toContain(`${SET} {"directory":null}`);
});

it.each([
  [{ connected: false, enabled: false }, 'Paused', true],
  [{ connected: true, enabled: true }, 'Not used now', false],
])('says for %j: %s', async (status, text, hasSwitch) => {
  const box = await show(ON, status);
  await vi.waitFor(() => expect(badgeOf(box)).toBe(text));
  expect(box.querySelector('[role=switch]') !== null).toBe(hasSwitch);
});

it('says that a setting fixes the directory', async () => {
  const box = await show({ ...ON, canChange: false });
  await vi.waitFor(() => expect(box.textContent).toContain('/srvSet by CROFT_FILESYSTEM_PATH.'));
  expect([...box.querySelectorAll('button')].some(({ textContent }) => textContent === 'Remove')).toBe(false);
});

it('lets the person pick a directory', async () => {
  const box = await show({ state: 'setup', directory: null, canChange: true });
  await vi.waitFor(() => expect(badgeOf(box)).toBe('Not set up'));
  await fire(named(box, 'Pick a directory'), 'click');
  await fire(named(box, 'Cancel'), 'click');
  await fire(named(box, 'Pick a directory'), 'click');
  await type(box.querySelector('input') as Element, '/srv');
  server.answer(SET, refusal(422, 'invalid', 'It is a file.'));
  await fire(box.querySelector('form') as Element, 'submit');
  await vi.waitFor(() => expect(box.textContent).toContain('It is a file.'));
  server.answer(SET, ON);
  await fire(box.querySelector('form') as Element, 'submit');
  await vi.waitFor(() => expect(box.textContent).toContain('/srvRemove'));
  expect([server.requests.at(-1), box.querySelector('form')]).toEqual([`${SET} {"directory":"/srv"}`, null]);
});

it('says how to give a container a directory', async () => {
  const box = await show({ state: 'off', directory: null, canChange: false });
  await vi.waitFor(() => expect(badgeOf(box)).toBe('Off'));
  await expect
    .poll(() => outline(box))
    .toEqual([
      ...TITLE,
      'span Off',
      'span[aria-hidden=true]',
      'p This server runs in a container, whose disk has none of your files. Mount a directory into the container and set  to its path there, or connect a folder above.',
      'code CROFT_FILESYSTEM_PATH',
    ]);
  expect(box.textContent).toContain(
    'This server runs in a container, whose disk has none of your files. Mount a directory into the container and set ' +
      'CROFT_FILESYSTEM_PATH to its path there, or connect a folder above.',
  );
});

it('shows nothing where it is off on a server with accounts', async () => {
  const box = await show({ state: 'off', directory: null, canChange: false }, {}, false);
  await page.show(null);
  expect(box.innerHTML).toBe('');
});

it('says why it cannot be shown, or not be removed', async () => {
  const box = await show(refusal(500, 'broken', 'It broke.'));
  await vi.waitFor(() => expect(box.textContent).toBe('Direct access cannot be shown. It broke. Try again'));
  server.answer(ROUTE, ON);
  await fire(named(box, 'Try again'), 'click');
  await vi.waitFor(() => expect(box.textContent).toContain('/srvRemove'));
  server.answer(SET, refusal(403, 'forbidden', 'Not allowed.'));
  await fire(named(box, 'Remove'), 'click');
  const toasts = await page.show(createElement(Toaster));
  await vi.waitFor(() => expect(toasts.textContent).toContain('Not allowed.'));
});

it('stays while it cannot be loaded again', async () => {
  server.answer(ROUTE, ON);
  server.answer(STATUS_ROUTE, ENABLED);
  const client = testClient();
  const box = await page.show(inClient(client)(createElement(LocalAccessCard, { me: OWNER })));
  await vi.waitFor(() => expect(box.textContent).toContain('Agents may read'));
  server.answer(ROUTE, refusal(500, 'broken', 'It broke.'));
  await act(() => client.refetchQueries().then(settle));
  expect(client.getQueryState(localAccessQuery(OWNER).queryKey)?.status).toBe('error');
  expect(box.textContent).toContain('Agents may read');
});

/** Shows the card of a directory that agents may read, while a response to a route is late. */
async function showWithLate(route: string, queryKey: readonly unknown[]) {
  server.answer(ROUTE, ON);
  server.answer(STATUS_ROUTE, ENABLED);
  const client = testClient();
  const box = await page.show(inClient(client)(createElement(LocalAccessCard, { me: OWNER })));
  await vi.waitFor(() => expect(box.textContent).toContain('Agents may read'));
  let arrive = () => {};
  const late = new Promise<unknown>((resolve) => {
    arrive = () => resolve(route === ROUTE ? ON : ENABLED);
  });
  server.answer(route, () => late);
  const looking = client.refetchQueries({ queryKey });
  await vi.waitFor(() => expect(server.requests.filter((each) => each === route)).toHaveLength(2));
  return {
    box,
    async arrive() {
      arrive();
      await looking;
      await settle();
    },
  };
}

it('stays without a directory where an older response arrives after it was removed', async () => {
  const { box, arrive } = await showWithLate(ROUTE, localAccessQuery(OWNER).queryKey);
  server.answer('PUT /api/v1/local-access', { state: 'setup', directory: null, canChange: true });
  await fire(named(box, 'Remove'), 'click');
  await vi.waitFor(() => expect(box.textContent).toContain('Pick a directory'));
  await arrive();
  expect(box.textContent).toContain('Pick a directory');
});

it('stays off where an older response arrives before the server has answered the switch', async () => {
  const { box, arrive } = await showWithLate(STATUS_ROUTE, gatewayQuery.queryKey);
  server.answer('POST /instance-ai/filesystem/toggle', () => new Promise(() => undefined));
  await fire(box.querySelector('[role="switch"]') as Element, 'click');
  await vi.waitFor(() => expect(box.textContent).toContain('Paused'));
  await arrive();
  expect(box.textContent).toContain('Paused');
});
