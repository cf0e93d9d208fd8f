import { act, createElement, type ReactNode, useContext } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { gatewayQuery } from '../api/gateway.ts';
import { localAccessQuery } from '../api/local-access.ts';
import { memoryStorage } from '../assistant/fake-assistant-server.ts';
import { meQuery } from '../api/me.ts';
import { UploadsContext, type UserUploads } from '../files/uploads-context.ts';
import { navigate } from '../routing/location.ts';
import { refusal, settle, useFakeApi } from '../testing/fake-api.ts';
import { useFakeEvents } from '../testing/fake-events.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { dismissToasts, Toaster } from '../ui/toast.tsx';
import { Shell } from './shell.tsx';

const server = useFakeApi();
const sources = useFakeEvents();
const page = usePage();
beforeEach(dismissToasts);

interface Setup {
  at?: string;
  user?: object;
  me?: object;
  status?: object;
  local?: object;
  page?: ReactNode;
}
async function show({ at = '/files', user = {}, me = {}, status, local, page: children = '[Page]' }: Setup = {}) {
  const whole = {
    autoLogin: false,
    features: {},
    user: { id: 'u', name: 'Ada de Lovelace', email: 'ada@x', ...user },
    ...me,
  };
  const client = testClient();
  client.setDefaultOptions({ queries: { retry: false, staleTime: Number.POSITIVE_INFINITY } });
  client.setQueryData(meQuery.queryKey, whole as never);
  if (status) client.setQueryData(gatewayQuery.queryKey, status as never);
  if (local) client.setQueryData(localAccessQuery(whole).queryKey, local as never);
  await act(async () => navigate(at));
  const onSignOut = vi.fn();
  const props = { me: whole, onSignOut, children } as unknown as Parameters<typeof Shell>[0];
  const box = await page.show(inClient(client)(createElement(Shell, props)));
  return { box, client, onSignOut };
}

it('has the page in the main landmark, and a way to skip to it', async () => {
  const { box } = await show();
  await expect
    .poll(() => outline(box))
    .toEqual([
      'a[href=#main] Skip to content',
      'a[href=/base/files][aria-label=Croft, to your files]',
      'span Croft',
      'nav[aria-label=Pages]',
      'a[href=/base/files][aria-current=page][title=Files]',
      'icon files 19',
      'span Files',
      'a[href=/base/flows][title=Flows]',
      'icon workflow 19',
      'span Flows',
      'a[href=/base/runs][title=Runs]',
      'icon rotate-ccw-clock 19',
      'span Runs',
      'a[href=/base/connect][title=Connect]',
      'icon plug 19',
      'span Connect',
      'a[href=/base/settings][title=Settings]',
      'icon settings 19',
      'span Settings',
      'a[href=/base/connect][title=No folder connected]',
      'span[aria-hidden=true]',
      'span No folder connected',
      'span[title=Ada de Lovelace, ada@x][aria-hidden=true] AL',
      'span Ada de Lovelace',
      'span ada@x',
      'button[title=Sign out][aria-label=Sign out][type=button]',
      'icon log-out 17',
      'main[tabindex=-1] [Page]',
      'div[role=status]',
    ]);
  const main = box.querySelector('#main') as HTMLElement;
  expect(main.textContent).toContain('[Page]');
  const focus = vi.fn();
  Object.assign(main, { focus });
  const { defaultPrevented } = await fire(named(box, 'Skip to content'), 'click');
  expect([defaultPrevented, focus.mock.calls.length]).toEqual([true, 1]);
});

it.each([
  ['/files', 'Files'],
  ['/flows/f1/runs', 'Flows'],
  ['/runs/r1', 'Runs'],
  ['/connect', 'Connect'],
  ['/settings/account', 'Settings'],
])('marks at %s the page %s', async (at, name) => {
  const { box } = await show({ at });
  const links = [...box.querySelectorAll('nav a')];
  expect(box.querySelector('nav')?.getAttribute('aria-label')).toBe('Pages');
  expect(links.map((link) => [link.textContent, link.getAttribute('href'), link.getAttribute('title')])).toEqual([
    ['Files', '/base/files', 'Files'],
    ['Flows', '/base/flows', 'Flows'],
    ['Runs', '/base/runs', 'Runs'],
    ['Connect', '/base/connect', 'Connect'],
    ['Settings', '/base/settings', 'Settings'],
  ]);
  expect(
    links.filter((link) => link.getAttribute('aria-current') === 'page').map(({ textContent }) => textContent),
  ).toEqual([name]);
  expect(named(box, 'Croft, to your files').getAttribute('href')).toBe('/base/files');
});

it('has the uploads of the user, which stay on every page', async () => {
  const uploads: (UserUploads | undefined)[] = [];
  const Page = () => {
    uploads.push(useContext(UploadsContext));
    return null;
  };
  await show({ page: createElement(Page) });
  await act(async () => navigate('/flows'));
  expect([new Set(uploads).has(undefined), typeof uploads[0]?.add]).toEqual([false, 'function']);
});

it('is slim on a flow, and not on their list', async () => {
  const isSlim = async (at: string) => (await show({ at })).box.querySelector('[data-slim]') !== null;
  expect([await isSlim('/flows/f1'), await isSlim('/flows'), await isSlim('/runs/r1')]).toEqual([true, false, false]);
});

const ON = { state: 'on' };
it.each([
  [undefined, undefined, 'No folder connected', ''],
  [{ connected: false, enabled: true }, undefined, 'No folder connected', ''],
  [{ connected: true, enabled: true }, undefined, 'Folder connected', 'bg-accent'],
  [{ connected: true, enabled: false }, undefined, 'Folder paused', 'bg-warn'],
  [{ connected: false, enabled: true }, ON, 'Direct access on', 'bg-accent'],
  [{ connected: false, enabled: false }, ON, 'Direct access paused', 'bg-warn'],
  [{ connected: true, enabled: true }, ON, 'Folder connected', 'bg-accent'],
])('says for %j and direct access %j: %s', async (status, local, text, look) => {
  const { box } = await show({ ...(status && { status }), ...(local && { local }) });
  const mark = box.querySelector(`a[title="${text}"]`);
  expect([
    mark?.textContent,
    mark?.getAttribute('href'),
    mark?.querySelector('span')?.className.includes(look),
  ]).toEqual([text, '/base/connect', true]);
  const dots = [...box.querySelectorAll('nav .ring-2')].map(({ className }) => className.includes(look));
  expect(dots).toEqual(look === '' ? [] : [true]);
});

it('has no mark of a connection where the server has no gateway', async () => {
  expect((await show({ me: { features: { gateway: false } } })).box.textContent).not.toContain('No folder connected');
});

it.each([
  [{ name: 'Ada de Lovelace' }, 'AL', 'Ada de Lovelace, ada@x'],
  [{ name: ' ada ' }, 'A', ' ada , ada@x'],
  [{ name: '' }, 'A', 'ada@x'],
])('says who is signed in: %j', async (user, initials, title) => {
  const { box } = await show({ user });
  const sign = box.querySelector('span[title]');
  expect([sign?.textContent, sign?.getAttribute('title')]).toEqual([initials, title]);
  expect([...box.querySelectorAll('.truncate')].map(({ textContent }) => textContent)).toEqual([
    user.name || 'ada@x',
    'ada@x',
  ]);
});

it('signs out, and forgets the user', async () => {
  const { box, client, onSignOut } = await show({ at: '/runs' });
  const [local, session] = [memoryStorage(), memoryStorage()];
  vi.stubGlobal('localStorage', local);
  vi.stubGlobal('sessionStorage', session);
  const userId = client.getQueryData(meQuery.queryKey)?.user?.id;
  local.setItem(`croft-assistant-model:${userId}`, 'a/b');
  session.setItem(`croft-input-run-f1:${userId}`, '{}');
  server.answer('DELETE /api/v1/session', {});
  await fire(named(box, 'Sign out'), 'click');
  await vi.waitFor(() => expect(client.getQueryData(meQuery.queryKey)).toMatchObject({ user: null }));
  expect([onSignOut.mock.calls.length, location.pathname]).toEqual([1, '/base/']);
  expect([local.length, session.length]).toEqual([0, 0]);
});

it('stays signed out when a request for the user was under way', async () => {
  const { box, client } = await show({ at: '/runs' });
  let answer: (me: object) => void = () => {};
  server.answer('GET /api/v1/me', () => new Promise<object>((resolve) => (answer = resolve)));
  const loading = client.fetchQuery({ ...meQuery, staleTime: 0 }).catch(() => undefined);
  await vi.waitFor(() => expect(server.requests).toContain('GET /api/v1/me'));
  server.answer('DELETE /api/v1/session', {});
  await fire(named(box, 'Sign out'), 'click');
  await vi.waitFor(() => expect(client.getQueryData(meQuery.queryKey)).toMatchObject({ user: null }));
  await act(async () => {
    answer({ user: { id: 'u' } });
    await loading;
  });
  expect(client.getQueryData(meQuery.queryKey)).toMatchObject({ user: null });
});

it('says why it could not sign out', async () => {
  const { box, client, onSignOut } = await show();
  server.answer('DELETE /api/v1/session', refusal(500, 'broken', 'It broke.'));
  await fire(named(box, 'Sign out'), 'click');
  const toasts = await page.show(createElement(Toaster));
  await vi.waitFor(() => expect(toasts.textContent).toContain('It broke.'));
  expect([onSignOut.mock.calls.length, client.getQueryData(meQuery.queryKey)?.user?.id]).toEqual([0, 'u']);
});

it('has no one to sign out on a server without accounts', async () => {
  const { box } = await show({ me: { autoLogin: true } });
  expect([
    box.querySelector('[aria-label="Sign out"]'),
    box.querySelector('span[title]'),
    box.textContent.includes('ada@x'),
  ]).toEqual([null, null, false]);
});

it('says that the server is not reachable, with the folder as it was', async () => {
  Object.assign(document, { visibilityState: 'visible' });
  const { box } = await show({ status: { connected: true, enabled: true } });
  await act(async () => sources.at(-1)?.fail(0));
  await vi.waitFor(() => expect(box.textContent).toContain('Croft is not reachable'));
  expect([box.textContent.includes('Folder connected'), box.querySelectorAll('nav .ring-2').length]).toEqual([
    false,
    0,
  ]);
});

it('keeps no user that it never had', async () => {
  const { box, client, onSignOut } = await show();
  client.removeQueries({ queryKey: meQuery.queryKey });
  server.answer('DELETE /api/v1/session', {});
  await fire(named(box, 'Sign out'), 'click');
  await vi.waitFor(() => expect(onSignOut).toHaveBeenCalledOnce());
  await act(settle);
  expect(client.getQueryData(meQuery.queryKey)).toBeUndefined();
});
