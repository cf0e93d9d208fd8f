import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import type { ManagedUser } from '../api/users.ts';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { fire, heldResponse, leavable, usePage } from '../testing/page.ts';
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
  await expect
    .poll(() => outline(box))
    .toEqual([
      'dialog[aria-describedby=#1-about][aria-labelledby=#1]',
      'h2#1 New password for',
      'bdi Ben',
      'button[title=Close][aria-label=Close][type=button]',
      'icon x 18',
      'p#1-about Give the user this password. It ends their sessions, and they can change it in Settings.',
      'label[for=#2] New password',
      'input#2[name=password][type=password][autoComplete=new-password][minLength=8][required][data-first=true][aria-describedby=#2-hint][value=new password]',
      'p#2-hint At least 8 characters.',
      'p#2-error[role=alert]',
      'button[type=submit]',
      'span Set password',
      'button[type=button]',
      'span Cancel',
    ]);
  await submit();
  await vi.waitFor(() => expect(box.textContent).toContain('It is too short.'));
  expect(onClose).not.toHaveBeenCalled();
});

it('closes nothing where it was left before the response', async () => {
  const { response, respond } = heldResponse();
  server.answer(ROUTE, () => response.then(() => ({})));
  const { onClose, leave, submit } = await show();
  await submit();
  expect(server.requests).toHaveLength(1);
  await leave();
  await respond();
  expect(onClose).not.toHaveBeenCalled();
});
