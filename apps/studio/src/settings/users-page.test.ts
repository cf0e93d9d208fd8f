import { createElement } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { dismissToasts, Toaster } from '../ui/toast.tsx';
import { UsersPage } from './users-page.tsx';

const server = useFakeApi();
const page = usePage();
beforeEach(dismissToasts);
const ROUTE = 'GET /api/v1/users';
const CHANGE = 'PATCH /api/v1/users/b';
const user = (id: string, more: object = {}) => ({
  id,
  name: `User ${id}`,
  email: `${id}@x`,
  role: 'user',
  disabled: false,
  createdAt: '2026-01-01T00:00:00Z',
  lastActiveAt: null,
  flows: 0,
  storage: { bytes: 0, countedAt: '2026-01-01T00:00:00Z' },
  ...more,
});

async function show(answer: unknown, until: string) {
  server.answer(ROUTE, answer);
  server.answer('GET /api/v1/shared-mount', { mode: 'off' });
  const me = { user: { id: 'a' } } as Parameters<typeof UsersPage>[0]['me'];
  const box = await page.show(inClient(testClient())(createElement(UsersPage, { me })));
  await vi.waitFor(() => expect(box.textContent).toContain(until));
  const sent = () => server.requests.filter((request) => !request.includes('shared-mount') && request !== ROUTE);
  const pick = async (action: string) => {
    await fire(named(box, 'Actions for User b'), 'keydown', { key: 'Enter' });
    await fire(named(document.body, action, '[role=menuitem]'), 'click');
  };
  return { box, sent, pick };
}
const withOther = (more: object = {}) =>
  show({ users: [user('a', { role: 'admin' }), user('b', more)], quotaBytes: null }, 'User b');

it('lists users with their roles, and offers no actions on oneself', async () => {
  const { box } = await withOther({ disabled: true });
  expect(box.textContent).toMatch(
    /^UsersEach user has separate files, keys and connected folders\. Add user.*User aYouAdministratora@x · added .+User bDisabledb@x · added /,
  );
  expect(
    [...box.querySelectorAll('[aria-label^="Actions for"]')].map((each) => each.getAttribute('aria-label')),
  ).toEqual(['Actions for User b']);
});

it('shows the last activity, storage and flows of users, and sorts by them', async () => {
  const countedAt = '2026-01-01T00:00:00Z';
  const users = [
    user('a', { lastActiveAt: '2026-01-02T00:00:00Z', storage: { bytes: null, countedAt } }),
    user('b', { lastActiveAt: '2026-02-03T00:00:00Z', flows: 1, storage: { bytes: 950, countedAt } }),
    user('c', { flows: 2, storage: { bytes: 2_000, countedAt } }),
  ];
  const { box } = await show({ users, quotaBytes: 1_000 }, 'User c');
  const rows = () => [...box.querySelectorAll('li')].map(({ textContent }) => textContent);
  expect(rows()[0]).toContain('Active Jan 2, 2026 · Files cannot be read · 0 flows');
  expect(rows()[1]).toContain('Active Feb 3, 2026 · 950 B of 1000 B · 1 flow');
  expect(rows()[2]).toContain('Never active · 2.0 KB of 1000 B · 2 flows');
  const names = async (order: string) => {
    const label = [...box.querySelectorAll('label')].find(({ textContent }) => textContent === order);
    await fire(label?.querySelector('input') as Element, 'click');
    return rows().map((text) => /User (.)/.exec(text)?.[1]);
  };
  expect([await names('Last active'), await names('Most storage'), await names('First added')]).toEqual([
    ['b', 'a', 'c'],
    ['c', 'b', 'a'],
    ['a', 'b', 'c'],
  ]);
});

it('says that files are counted, and asks again', async () => {
  const { box } = await withOther({ storage: null });
  expect(box.textContent).toContain('Counting files …');
});

it.each([
  [{}, 'Make administrator', '{"role":"admin"}'],
  [{ role: 'admin' }, 'Remove administrator role', '{"role":"user"}'],
  [{}, 'Disable', '{"disabled":true}'],
  [{ disabled: true }, 'Enable', '{"disabled":false}'],
])('changes a user %j: %s', async (state, action, body) => {
  const { sent, pick } = await withOther(state);
  server.answer(CHANGE, {});
  await pick(action);
  await vi.waitFor(() => expect(sent()).toEqual([`${CHANGE} ${body}`]));
  await vi.waitFor(() => expect(server.requests.at(-1)).toBe(ROUTE));
});

it('deletes a user who was confirmed', async () => {
  const { box, sent, pick } = await withOther();
  await pick('Delete');
  const dialog = () => box.querySelector('dialog') as HTMLDialogElement;
  expect(dialog().textContent).toMatch(
    /^Delete User b\?.*This deletes their flows for good, also for others who use them, with their chats, keys and variables\. Their files stay on the server’s disk\. To lock them out and keep everything, disable them instead\./,
  );
  await fire(named(dialog(), 'Cancel'), 'click');
  expect([box.querySelector('dialog'), sent()]).toEqual([null, []]);
  await pick('Delete');
  server.answer('DELETE /api/v1/users/b', {});
  await fire(named(dialog(), 'Delete user'), 'click');
  await vi.waitFor(() => expect(box.querySelector('dialog')).toBeNull());
  expect(sent()).toEqual(['DELETE /api/v1/users/b']);
  expect((await page.show(createElement(Toaster))).textContent).toContain('User b is deleted.');
});

it('says what failed', async () => {
  const { pick } = await withOther();
  server.answer(CHANGE, refusal(403, 'forbidden', 'Not allowed.'));
  await pick('Disable');
  const toasts = await page.show(createElement(Toaster));
  await vi.waitFor(() => expect(toasts.textContent).toContain('Not allowed.'));
});

it('opens the dialog that adds a user, and closes it', async () => {
  const { box } = await show({ users: [] }, 'No users yet');
  expect(box.querySelector('dialog')).toBeNull();
  await fire(named(box, 'Add user'), 'click');
  await fire(named(box.querySelector('dialog') as Element, 'Cancel'), 'click');
  expect(box.querySelector('dialog')).toBeNull();
});

it('says why they cannot be shown, and tries again', async () => {
  const { box } = await show(refusal(500, 'broken', 'It broke.'), 'It broke.');
  expect(box.textContent).toContain('The users cannot be shown');
  await fire(named(box, 'Try again'), 'click');
  await vi.waitFor(() => expect(server.requests.filter((request) => request === ROUTE).length).toBe(2));
});
