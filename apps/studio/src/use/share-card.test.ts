import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, type, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { dismissToasts, Toaster } from '../ui/toast.tsx';
import { ShareCard } from './share-card.tsx';

const server = useFakeApi();
const page = usePage();
const SHARES = '/api/v1/flows/f/shares';

async function show(shares: object[] = []) {
  server.answer(`GET ${SHARES}`, { shares });
  server.answer(`PUT ${SHARES}`, {});
  const box = await page.show(inClient(testClient())(createElement(ShareCard, { flowId: 'f' })));
  await vi.waitFor(() => expect(box.textContent).not.toContain('Loading'));
  const sent = () => server.requests.filter((each) => !each.startsWith('GET'));
  const submit = () => fire(box.querySelector('form') as Element, 'submit');
  return { box, sent, submit, field: box.querySelector('input') as HTMLInputElement };
}

it('lists who may do what, and stops sharing with exactly that user', async () => {
  const { box, sent } = await show([
    { userId: 'u1', name: 'Ada', email: 'a@x', access: 'read' },
    { userId: 'u2', name: '', email: 'b@x', access: 'edit' },
  ]);
  await expect
    .poll(() => outline(box))
    .toEqual([
      'section[aria-label=Sharing]',
      'h2 Share it with other users',
      'p They run it with their own files, variables and chats, and see all of its values. Keep keys in variables.',
      'bdi Ada',
      'span can run it',
      'button[aria-label=Stop sharing with Ada][type=button]',
      'span Stop sharing',
      'bdi b@x',
      'span can run and edit it',
      'button[aria-label=Stop sharing with b@x][type=button]',
      'span Stop sharing',
      'label[for=#1] User',
      'input#1[placeholder=E-mail address or sign-in name][required][autoComplete=off]',
      'p#1-error[role=alert]',
      'label[for=#2] The user',
      'select#2[value=read]',
      'option[selected] can run it',
      'option can run and edit it',
      'p#2-error[role=alert]',
      'button[type=submit]',
      'span Share',
    ]);
  expect([...box.querySelectorAll('li')].map(({ textContent }) => textContent)).toEqual([
    'Ada can run itStop sharing',
    'b@x can run and edit itStop sharing',
  ]);
  server.answer(`DELETE ${SHARES}/u2`, {});
  server.answer(`GET ${SHARES}`, { shares: [] });
  await fire(named(box, 'Stop sharing with b@x'), 'click');
  await vi.waitFor(() => expect(sent()).toEqual([`DELETE ${SHARES}/u2`]));
  await vi.waitFor(() => expect(box.querySelector('ul')).toBeNull());
});

it('shares for running only, unless more is chosen', async () => {
  const { box, sent, submit, field } = await show();
  await submit();
  expect(sent()).toEqual([]);
  await type(field, ' ada ');
  server.answer(`GET ${SHARES}`, { shares: [{ userId: 'u1', name: 'Ada', email: 'a@x', access: 'read' }] });
  await submit();
  await vi.waitFor(() => expect(sent()).toEqual([`PUT ${SHARES} {"user":"ada","access":"read"}`]));
  await vi.waitFor(() =>
    expect([field.value, box.querySelector('li')?.textContent]).toEqual(['', 'Ada can run itStop sharing']),
  );
});

it('keeps the name and says why it was refused', async () => {
  const { box, submit, field } = await show();
  server.answer(`PUT ${SHARES}`, refusal(404, 'gone', 'There is no such user.'));
  await type(field, 'adda');
  await submit();
  await vi.waitFor(() => expect(box.querySelector('[role=alert]')?.textContent).toBe('There is no such user.'));
  expect(field.getAttribute('aria-invalid')).toBe('true');
});

it('says why the users are not there, and why one was not removed', async () => {
  server.answer(`GET ${SHARES}`, refusal(500, 'broken', 'It broke.'));
  const ada = { userId: 'u1', name: 'Ada', email: 'a@x', access: 'read' };
  const box = await page.show(inClient(testClient())(createElement(ShareCard, { flowId: 'f' })));
  await vi.waitFor(() => expect(box.textContent).toContain('It broke.'));
  server.answer(`GET ${SHARES}`, { shares: [ada] });
  await fire(named(box, 'Try again'), 'click');
  await vi.waitFor(() => expect(box.querySelector('li')?.textContent).toBe('Ada can run itStop sharing'));
  const toasts = await page.show(createElement(Toaster));
  server.answer(`DELETE ${SHARES}/u1`, refusal(403, 'forbidden', 'Only the owner may.'));
  await fire(named(box, 'Stop sharing with Ada'), 'click');
  await vi.waitFor(() => expect(toasts.textContent).toContain('Only the owner may.'));
  dismissToasts();
});
