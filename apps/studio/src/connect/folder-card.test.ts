import { act, createElement } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ServerLink } from '../shell/server-link.ts';
import { refusal, settle, useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { dismissToasts, Toaster } from '../ui/toast.tsx';
import { FolderCard } from './folder-card.tsx';
import { restOf } from './rest.ts';

const server = useFakeApi();
const page = usePage();
beforeEach(dismissToasts);
afterEach(() => void vi.useRealTimers());
const ROUTE = 'GET /instance-ai/gateway/status';
const LEAVE = 'POST /instance-ai/gateway/disconnect-session';
const STATUS = {
  connected: true,
  enabled: true,
  directory: '/home/me',
  hostIdentifier: 'laptop',
  connectedAt: '2026-01-01T00:00:00Z',
  toolCategories: [{ name: 'filesystem', enabled: true, writeAccess: false }],
};

async function show(status: unknown, { away = false, user = 'u' } = {}) {
  server.answer(ROUTE, typeof status === 'function' ? status : { data: status });
  server.answer('POST /instance-ai/gateway/create-link', { command: 'croft connect x', token: 't', ttlSeconds: 300 });
  vi.stubGlobal('isSecureContext', false);
  const link = { live: true, away, tryNow: () => undefined };
  const card = createElement(ServerLink, { value: link }, createElement(FolderCard, { userId: user }));
  const box = await page.show(inClient(testClient())(card));
  await act(settle);
  return box;
}
const badgeOf = (box: Element) => box.querySelector('span.rounded-full')?.textContent;

it('says which folder of which computer is connected, and since when', async () => {
  const box = await show(STATUS);
  await expect
    .poll(() => outline(box))
    .toEqual([
      'section[aria-label=Folder of your computer]',
      'span Files connected',
      'icon folder-check 20',
      'span Agents may read',
      'span[aria-hidden=true]',
      'dt Folder',
      'bdi /home/me',
      'dt Computer',
      'bdi laptop',
      'dt Since',
      'time 2026-01-01T00:00:00Z',
      'span (Jan 1, 2026)',
      'dt Offers',
      'span Files',
      'p Agents get tools for this folder beside those for your files on this server. The page Files does not show it.',
      'p#1 Let agents use this folder',
      'p#1-about When off, agents cannot use it. The connection stays open.',
      'button[aria-describedby=#1-about][aria-labelledby=#1][data-state=checked][aria-checked=true][role=switch][type=button]',
      'span[data-state=checked]',
      'button[type=button]',
      'span Disconnect',
      'icon unplug 17',
    ]);
  expect(box.querySelector('section')?.getAttribute('aria-label')).toBe('Folder of your computer');
  expect(box.textContent).toMatch(
    /^ Files connectedAgents may readFolder\/home\/meComputerlaptopSince.*2026.* \(.+\)OffersFilesAgents get tools for this folder beside those for your files on this server\. The page Files does not show it\.Let agents use this folderWhen off, agents cannot use it\. The connection stays open\. Disconnect$/,
  );
  expect(
    box.querySelector('time')?.getAttribute('dateTime') ?? box.querySelector('time')?.getAttribute('datetime'),
  ).toBe('2026-01-01T00:00:00Z');
  const unknown = await show({
    ...STATUS,
    directory: null,
    hostIdentifier: null,
    connectedAt: null,
    toolCategories: [],
  });
  expect(unknown.textContent).toContain('FolderUnknownComputerUnknownAgents get tools');
});

it.each([
  [{ enabled: false }, false, 'Paused'],
  [{}, true, 'Croft is not reachable'],
  [
    { toolCategories: [{ name: 'filesystem', enabled: true, writeAccess: true }] },
    false,
    'Agents may read, write and delete',
  ],
  [{ toolCategories: [{ name: 'filesystem', enabled: false, writeAccess: true }] }, false, 'Agents may read'],
])('says what agents may do, %j away %s: %s', async (more, away, text) => {
  expect(badgeOf(await show({ ...STATUS, ...more }, { away }))).toBe(text);
});

it('names other tools of the computer, and warns of them', async () => {
  const box = await show({
    ...STATUS,
    toolCategories: [
      { name: 'filesystem', enabled: true, writeAccess: true },
      { name: 'shell', enabled: true },
      { name: 'mouse', enabled: false },
    ],
  });
  expect(box.textContent).toContain(
    'OffersFiles: read, write and deleteshellAgents can also use tools of this computer that are not about files.',
  );
  expect((await show(STATUS)).textContent).not.toContain('can also use');
});

it('disconnects, and remembers that the person wanted it', async () => {
  const box = await show(STATUS, { user: 'leaver' });
  server.answer(LEAVE, {});
  server.answer(ROUTE, { data: { ...STATUS, connected: false } });
  await fire(named(box, 'Disconnect'), 'click');
  const toasts = await page.show(createElement(Toaster));
  await vi.waitFor(() => expect(toasts.textContent).toContain('Disconnected. Its key no longer works.'));
  expect([server.requests.some((request) => request.startsWith(LEAVE)), restOf('leaver').isWanted()]).toEqual([
    true,
    true,
  ]);
  await vi.waitFor(() => expect(box.textContent).toContain('You disconnected.'));
  restOf('leaver').want(false);
});

it('says why it could not disconnect, and cannot while the server is away', async () => {
  const box = await show(STATUS, { user: 'stays' });
  server.answer(LEAVE, refusal(500, 'broken', 'It broke.'));
  await fire(named(box, 'Disconnect'), 'click');
  const toasts = await page.show(createElement(Toaster));
  await vi.waitFor(() => expect(toasts.textContent).toContain('It broke.'));
  expect(restOf('stays').isWanted()).toBe(false);
  expect(named(box, 'Disconnect').hasAttribute('disabled')).toBe(false);
  expect(named(await show(STATUS, { away: true }), 'Disconnect').hasAttribute('disabled')).toBe(true);
});

it('says that it loads, and why it cannot be shown', async () => {
  expect((await show(() => new Promise(() => undefined))).textContent).toBe('Loading the connection');
  const box = await show(refusal(500, 'broken', 'It broke.'));
  expect(box.textContent).toBe('The connection cannot be shownIt broke.Try again');
  server.answer(ROUTE, { data: STATUS });
  await fire(named(box, 'Try again'), 'click');
  await vi.waitFor(() => expect(box.textContent).toContain('Files connected'));
});

it('invites a daemon that the person asks, and says so for at most 20 seconds', async () => {
  restOf('guest').want(true);
  const box = await show({ ...STATUS, connected: false }, { user: 'guest' });
  expect(box.textContent).toContain('You disconnected.');
  server.answer('POST http://127.0.0.1:7655/connect', () => new Promise(() => undefined));
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  await fire(named(box, 'Ask it to connect'), 'click');
  expect(box.querySelector('[role=status]')?.textContent).toBe(box.textContent);
  expect([box.textContent, restOf('guest').isWanted()]).toEqual([
    'Connecting …If croft on this computer asks you in its terminal, answer there.',
    false,
  ]);
  expect(box.querySelector('section')?.getAttribute('aria-label')).toBe('Folder of your computer');
  await act(async () => void vi.advanceTimersByTime(19_999));
  expect(box.textContent).toContain('Connecting …');
  await act(async () => void vi.advanceTimersByTime(1));
  expect(box.textContent).toContain('Is croft connect already running');
});
