import { act, createElement } from 'react';
import { expect, it, vi } from 'vitest';
import type { ManagedUser } from '../api/users.ts';
import { refusal, settle, useFakeApi } from '../testing/fake-api.ts';
import { fire, leavable, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { SetPasswordDialog } from './set-password-dialog.tsx';

const server = useFakeApi();
const page = usePage();
const ROUTE = 'PATCH /api/v1/users/b';

async function show() {
  const onClose = vi.fn();
  const user = { id: 'b', name: 'Ben' } as ManagedUser;
  const { node, leave } = leavable(createElement(SetPasswordDialog, { user, onClose }));
  const box = await page.show(inClient(testClient())(node));
  (box.querySelector('input') as HTMLInputElement).value = 'new password';
  const submit = () => fire(box.querySelector('form') as Element, 'submit');
  return { box, onClose, leave, submit };
}

it('sets the password, and closes', async () => {
  server.answer(ROUTE, {});
  const { onClose, submit } = await show();
  await submit();
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(server.requests).toEqual([`${ROUTE} {"password":"new password"}`]);
});

it('stays open and says what failed', async () => {
  server.answer(ROUTE, refusal(400, 'invalid', 'It is too short.'));
  const { box, onClose, submit } = await show();
  await submit();
  await vi.waitFor(() => expect(box.textContent).toContain('It is too short.'));
  expect(onClose).not.toHaveBeenCalled();
});

it('closes nothing where it was left before the response', async () => {
  let respond = () => {};
  server.answer(ROUTE, () => new Promise<object>((resolve) => (respond = () => resolve({}))));
  const { onClose, leave, submit } = await show();
  await submit();
  expect(server.requests).toHaveLength(1);
  await leave();
  await act(async () => respond());
  await settle();
  expect(onClose).not.toHaveBeenCalled();
});
