import { createElement } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { usersQuery } from '../api/users.ts';
import { formatExactly } from '../files/format.ts';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { inClient, isInvalid, testClient } from '../testing/queries.ts';
import { dismissToasts, Toaster } from '../ui/toast.tsx';
import { UserRow } from './user-row.tsx';

const server = useFakeApi();
const page = usePage();
beforeEach(dismissToasts);
const ADA = {
  id: 'u1',
  name: 'Ada',
  email: 'ada@x',
  role: 'user',
  disabled: false,
  createdAt: '2026-01-01T00:00:00Z',
  lastActiveAt: null,
  storage: { bytes: 2_000, countedAt: '2026-01-02T00:00:00Z' },
  flows: 2,
};

async function show(more: object = {}, isMe = false) {
  const client = testClient();
  client.setQueryData(usersQuery.queryKey, { users: [] } as never);
  const props = { user: { ...ADA, ...more }, quotaBytes: 4_000, isMe } as unknown as Parameters<typeof UserRow>[0];
  const box = await page.show(inClient(client)(createElement(UserRow, props)));
  const open = () => fire(named(box, 'Actions for Ada'), 'keydown', { key: 'Enter' });
  const pick = async (name: string) => {
    await open();
    await fire(named(document.body, name, '[role=menuitem]'), 'click');
  };
  const items = () => [...document.querySelectorAll('[role=menuitem]')].map(({ textContent }) => textContent);
  return { box, client, open, pick, items };
}
const toasts = async () => (await page.show(createElement(Toaster))).textContent;

describe('a user', () => {
  it('has a name, an address and marks', async () => {
    expect((await show()).box.textContent).toMatch(
      /^Adaada@x · added .*2026.*Never active · 2\.0 KB of 3\.9 KB · 2 flows$/,
    );
    expect((await show({ role: 'admin', disabled: true }, true)).box.textContent).toMatch(
      /^AdaYouAdministratorDisabledada@x/,
    );
  });

  it('has no actions where it is oneself', async () => {
    expect((await show({}, true)).box.querySelector('button')).toBeNull();
  });

  it('has actions for its state', async () => {
    const user = await show();
    await user.open();
    expect(user.items()).toEqual(['Set a new password', 'Make administrator', 'Disable', 'Delete']);
  });

  it('has other actions as a disabled administrator', async () => {
    const admin = await show({ role: 'admin', disabled: true });
    await admin.open();
    expect(admin.items()).toEqual(['Set a new password', 'Remove administrator role', 'Enable', 'Delete']);
  });
});

describe('a change', () => {
  it.each([
    ['Make administrator', {}, '{"role":"admin"}', 'Ada is an administrator now and has to sign in again.'],
    ['Remove administrator role', { role: 'admin' }, '{"role":"user"}', 'Ada is not an administrator any more.'],
    ['Disable', {}, '{"disabled":true}', 'Ada is disabled and signed out. Their keys stop working.'],
    ['Enable', { disabled: true }, '{"disabled":false}', 'Ada can sign in again.'],
  ])('%s', async (name, more, body, said) => {
    server.answer('PATCH /api/v1/users/u1', {});
    const { client, pick } = await show(more);
    await pick(name);
    await vi.waitFor(() => expect(isInvalid(client, usersQuery.queryKey)).toBe(true));
    expect(server.requests).toEqual([`PATCH /api/v1/users/u1 ${body}`]);
    expect(await toasts()).toContain(said);
  });

  it('that fails shows why, and the list is read again', async () => {
    server.answer('PATCH /api/v1/users/u1', refusal(500, 'broken', 'It broke.'));
    const { client, pick } = await show();
    await pick('Disable');
    await vi.waitFor(() => expect(isInvalid(client, usersQuery.queryKey)).toBe(true));
    expect(await toasts()).toContain('It broke.');
  });

  it('of the password opens a dialog', async () => {
    const { pick } = await show();
    await pick('Set a new password');
    expect(document.querySelector('dialog')?.textContent).toContain('password');
  });
});

describe('a deletion', () => {
  it('is confirmed first', async () => {
    server.answer('DELETE /api/v1/users/u1', {});
    const { client, pick } = await show();
    await pick('Delete');
    const dialog = document.querySelector('dialog') as HTMLElement;
    expect(dialog.textContent).toMatch(/^Delete Ada\?This deletes their flows for good, also for others who use them/);
    expect(server.requests).toEqual([]);
    await fire(named(dialog, 'Delete user'), 'click');
    await vi.waitFor(() => expect(document.querySelector('dialog')).toBeNull());
    expect([server.requests, isInvalid(client, usersQuery.queryKey)]).toEqual([['DELETE /api/v1/users/u1'], true]);
    expect(await toasts()).toContain('Ada is deleted.');
  });

  it('can be cancelled', async () => {
    const { pick } = await show();
    await pick('Delete');
    await fire(named(document.body, 'Cancel'), 'click');
    expect([document.querySelector('dialog'), server.requests]).toEqual([null, []]);
  });
});

it('shows a user with all marks', async () => {
  const { box } = await show({ role: 'admin', disabled: true, lastActiveAt: '2026-01-03T00:00:00Z' });
  await expect
    .poll(() => outline(box))
    .toEqual([
      'bdi Ada',
      'span Administrator',
      'span Disabled',
      'p ada@x ·',
      'span added Jan 1, 2026',
      'time 2026-01-03T00:00:00Z',
      'span ·',
      'span · 2 flows',
      `span[title=Counted ${formatExactly(ADA.storage.countedAt)}] 2.0 KB of 3.9 KB`,
      'buttonradix-#1[data-state=closed][aria-expanded=false][aria-haspopup=menu][title=Actions for Ada][aria-label=Actions for Ada][type=button]',
      'icon ellipsis 18',
    ]);
});
