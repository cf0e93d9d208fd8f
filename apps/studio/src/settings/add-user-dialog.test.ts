import { createElement } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { usersQuery } from '../api/users.ts';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { choose, fire, named, usePage } from '../testing/page.ts';
import { inClient, isInvalid, testClient } from '../testing/queries.ts';
import { dismissToasts, Toaster } from '../ui/toast.tsx';
import { AddUserDialog } from './add-user-dialog.tsx';

const server = useFakeApi();
const page = usePage();
beforeEach(dismissToasts);
const ROUTE = 'POST /api/v1/users';

async function open() {
  const onClose = vi.fn();
  const client = testClient();
  client.setQueryData(usersQuery.queryKey, { users: [] } as never);
  const box = await page.show(inClient(client)(createElement(AddUserDialog, { onClose })));
  const field = (name: string) => box.querySelector<HTMLInputElement>(`[name=${name}]`) as HTMLInputElement;
  const submit = async (role: string) => {
    for (const [name, value] of Object.entries({ name: ' Ada ', email: ' ada@x ', password: ' secret ' }))
      Object.assign(field(name), { value });
    await choose(field('role'), role);
    return fire(box.querySelector('form') as Element, 'submit');
  };
  return { box, client, onClose, field, submit };
}

it.each(['user', 'admin'])('adds a %s, with the password as typed', async (role) => {
  const { client, onClose, submit } = await open();
  server.answer(ROUTE, {});
  expect((await submit(role)).defaultPrevented).toBe(true);
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(server.requests).toEqual([`${ROUTE} {"name":"Ada","email":"ada@x","password":" secret ","role":"${role}"}`]);
  expect(isInvalid(client, usersQuery.queryKey)).toBe(true);
  expect((await page.show(createElement(Toaster))).textContent).toContain('Ada can sign in now.');
});

it('says what each field is for', async () => {
  const { box, field } = await open();
  await expect
    .poll(() => outline(box))
    .toEqual([
      'dialog[aria-describedby=#1-about][aria-labelledby=#1]',
      'h2#1 Add user',
      'button[title=Close][aria-label=Close][type=button]',
      'icon x 18',
      'p#1-about Give the user this password. They can change it in Settings.',
      'label[for=#2] Name',
      'input#2[name=name][autoComplete=off][required][data-first=true]',
      'p#2-error[role=alert]',
      'label[for=#3] Email or sign-in name',
      'input#3[name=email][autoComplete=off][required][autoCapitalize=none][inputMode=email]',
      'p#3-error[role=alert]',
      'label[for=#4] First password',
      'input#4[name=password][type=password][autoComplete=new-password][minLength=8][required][aria-describedby=#4-hint]',
      'p#4-hint At least 8 characters.',
      'p#4-error[role=alert]',
      'label[for=#5] Role',
      'select#5[name=role][aria-describedby=#5-hint][value=user]',
      'option[selected] User',
      'option Administrator',
      "p#5-hint Administrators add and remove users. Users cannot read each other's files.",
      'p#5-error[role=alert]',
      'button[type=submit]',
      'span Add user',
      'button[type=button]',
      'span Cancel',
    ]);
  expect(box.textContent).toMatch(
    /^Add user.*Give the user this password\. They can change it in Settings\..*NameEmail or sign-in nameFirst passwordAt least 8 characters\.RoleUserAdministratorAdministrators add and remove users\. Users cannot read each other's files\./,
  );
  expect([field('password').type, field('password').getAttribute('minLength'), field('role').tagName]).toEqual([
    'password',
    '8',
    'SELECT',
  ]);
  expect([...box.querySelectorAll('[required]')].map((each) => each.getAttribute('name'))).toEqual([
    'name',
    'email',
    'password',
  ]);
  expect(field('name').hasAttribute('data-first')).toBe(true);
});

it('stays open and says why a user was not added', async () => {
  const { box, onClose, submit } = await open();
  server.answer(ROUTE, refusal(409, 'exists', 'The name is taken.'));
  await submit('user');
  await vi.waitFor(() => expect(box.querySelector('[role=alert].rounded-md')?.textContent).toBe('The name is taken.'));
  expect(onClose).not.toHaveBeenCalled();
});

it('closes without adding anyone, and sends a user once', async () => {
  const { box, onClose, submit } = await open();
  await fire(named(box, 'Close'), 'click');
  await fire(named(box, 'Cancel'), 'click');
  expect([onClose.mock.calls.length, server.requests]).toEqual([2, []]);
  server.answer(ROUTE, () => new Promise(() => undefined));
  await submit('user');
  await vi.waitFor(() => expect(box.textContent).toContain('Working'));
  await submit('user');
  expect(server.requests).toHaveLength(1);
});
