import { act, createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { navigate } from '../routing/location.ts';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { choose, fire, named, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { actionText, AuditPage } from './audit-page.tsx';

const server = useFakeApi();
const page = usePage();
const event = (id: number, more: object = {}) => ({
  id,
  at: '2026-01-01T00:00:00Z',
  action: 'deleteFlow',
  outcome: 'ok',
  userId: 'a',
  userName: 'Ada',
  via: 'session',
  address: '10.0.0.1',
  targets: [],
  targetCount: 0,
  changes: [],
  ...more,
});

async function show(answer: unknown, at = '/settings/audit') {
  server.answer('GET /api/v1/audit', answer);
  server.answer('GET /api/v1/audit-actions', { actions: ['deleteFlow', 'signIn'] });
  server.answer('GET /api/v1/users', { users: [{ id: 'a', name: 'Ada' }], quotaBytes: null });
  await act(async () => navigate(at));
  const box = await page.show(inClient(testClient())(createElement(AuditPage)));
  await vi.waitFor(() => expect(box.textContent).not.toContain('Loading'));
  return box;
}
const TITLE = [
  'section[aria-label=Audit log]',
  'h2 Audit log',
  'p Sign-ins, deletions, and changes of users, keys, variables, shares and webhooks, the newest first. Events are kept for 90 days.',
];
const FILTERS = [
  'select[aria-label=User]',
  'option[selected] All users',
  'option Ada',
  'select[aria-label=Action]',
  'option[selected] All actions',
  'option Delete flow',
  'option Sign in',
];
const rows = (box: Element) => [...box.querySelectorAll('li')].map(({ textContent }) => textContent);

it('shows who did what, with what and from where', async () => {
  const box = await show({
    events: [
      event(3, {
        changes: ['role=admin', 'password'],
        action: 'updateUser',
        via: 'key',
        targets: ['a'],
        targetCount: 1,
      }),
      event(2, { action: 'signIn', outcome: 'wrong_credentials', userId: null, userName: null, via: null }),
      event(1, { userId: 'x', userName: null, targets: ['a.txt', 'b.txt'], targetCount: 5, address: null }),
    ],
    nextCursor: null,
  });
  await vi.waitFor(() => expect(box.querySelector('[title=a]')).not.toBeNull());
  await expect
    .poll(() => outline(box))
    .toEqual([
      ...TITLE,
      ...FILTERS,
      'span Update user',
      'span role: admin',
      'span password',
      'p with an API key · 10.0.0.1 ·',
      'bdi Ada',
      'time 2026-01-01T00:00:00Z',
      'span[title=a]',
      'bdi Ada',
      'span Sign in',
      'span wrong credentials',
      'p Not signed in · 10.0.0.1 ·',
      'time 2026-01-01T00:00:00Z',
      'span Delete flow',
      'p Removed user x ·',
      'time 2026-01-01T00:00:00Z',
      'p and 3 more',
      'bdi a.txt',
      'span ,',
      'bdi b.txt',
    ]);
  expect(rows(box)).toEqual([
    'Update userrole: adminpasswordAda with an API key · 10.0.0.1 · Jan 1, 2026Ada',
    'Sign inwrong credentialsNot signed in · 10.0.0.1 · Jan 1, 2026',
    'Delete flowRemoved user x · Jan 1, 2026a.txt, b.txt and 3 more',
  ]);
});

it('shows events of one user and action, and all again', async () => {
  const box = await show({ events: [], nextCursor: null });
  await expect
    .poll(() => outline(box))
    .toEqual([...TITLE, ...FILTERS, 'span[aria-hidden=true]', 'icon scroll-text 22', 'p No events yet']);
  expect(box.textContent).toContain('No events yet');
  await choose(box.querySelector('select[aria-label=User]') as HTMLSelectElement, 'a');
  expect(location.search).toBe('?user=a');
  await choose(box.querySelector('select[aria-label=Action]') as HTMLSelectElement, 'signIn');
  expect(location.search).toBe('?user=a&action=signIn');
  await vi.waitFor(() => expect(server.requests).toContain('GET /api/v1/audit?user=a&action=signIn'));
  await vi.waitFor(() => expect(box.textContent).toContain('No such event'));
  await fire(named(box, 'Show all events'), 'click');
  expect(location.search).toBe('');
});

it('keeps a user and an action in the filters that the lists do not have', async () => {
  const box = await show({ events: [], nextCursor: null }, '/settings/audit?user=gone&action=oldAction');
  await expect
    .poll(() => outline(box))
    .toEqual([
      ...TITLE,
      'select[aria-label=User][value=gone]',
      'option All users',
      'option Ada',
      'option[selected] gone',
      'select[aria-label=Action][value=oldAction]',
      'option All actions',
      'option Delete flow',
      'option Sign in',
      'option[selected] Old action',
      'span[aria-hidden=true]',
      'icon search-x 22',
      'p No such event',
      'button[type=button]',
      'span Show all events',
    ]);
  expect([...box.querySelectorAll('select')].map(({ value }) => value)).toEqual(['gone', 'oldAction']);
});

it('loads the next page', async () => {
  const box = await show({ events: [event(2)], nextCursor: '2' });
  server.answer('GET /api/v1/audit?cursor=2', { events: [event(1, { action: 'signIn' })], nextCursor: null });
  await fire(named(box, 'Show more'), 'click');
  await vi.waitFor(() => expect(rows(box)).toHaveLength(2));
  expect(box.textContent).not.toContain('Show more');
});

it('says why it cannot be shown', async () => {
  const box = await show(refusal(500, 'broken', 'It broke.'));
  expect(box.textContent).toContain('It broke.');
});

it('reads an operation id as words', () => {
  expect(['signIn', 'rotateWebhookSecret', 'updateMe', ''].map(actionText)).toEqual([
    'Sign in',
    'Rotate webhook secret',
    'Change own account',
    '',
  ]);
});
