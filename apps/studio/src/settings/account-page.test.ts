import { createElement } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { meQuery } from '../api/me.ts';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, type, usePage } from '../testing/page.ts';
import { inClient, isInvalid, testClient } from '../testing/queries.ts';
import { dismissToasts, Toaster } from '../ui/toast.tsx';
import { AccountPage } from './account-page.tsx';

const server = useFakeApi();
const page = usePage();
beforeEach(dismissToasts);
const ROUTE = 'PATCH /api/v1/me';

async function show(more: object = {}, role = 'user') {
  const user = { id: 'u', name: 'Ada', email: 'ada@x', role };
  const me = { autoLogin: false, version: '1', user, ...more } as unknown as Parameters<typeof AccountPage>[0]['me'];
  const client = testClient();
  client.setQueryData(meQuery.queryKey, me);
  const box = await page.show(inClient(client)(createElement(AccountPage, { me })));
  const [nameForm, passwordForm] = [...box.querySelectorAll('form')] as [HTMLFormElement, HTMLFormElement];
  const toasts = async () => (await page.show(createElement(Toaster))).textContent;
  return { box, client, nameForm, passwordForm, toasts };
}

it('says who it is: a user with an address, or the one user of the server', async () => {
  expect((await show()).box.textContent).toMatch(/^Accountada@xUserName/);
  const { box, passwordForm } = await show({ autoLogin: true }, 'admin');
  await expect
    .poll(() => outline(box))
    .toEqual([
      'section[aria-label=Account]',
      'h2 Account',
      'p The one user of this server.',
      'span Administrator',
      'label[for=#1] Name',
      'input#1[required][autoComplete=name][value=Ada]',
      'p#1-error[role=alert]',
      'button[disabled][type=submit]',
      'span Save',
      'span[aria-hidden=true]',
      'icon key-round 16',
      'div There are no passwords here: this server has one user, the owner of the machine. To sign in with another browser, run ; where that command is not found,  in the checkout.',
      'code croft open',
      'code node bin/croft.cjs open',
    ]);
  expect(box.textContent).toMatch(/^AccountThe one user of this server\.AdministratorName/);
  expect([box.textContent.includes('There are no passwords here'), passwordForm]).toEqual([true, undefined]);
  expect([...box.querySelectorAll('code')].map((code) => code.textContent)).toEqual([
    'croft open',
    'node bin/croft.cjs open',
  ]);
});

it('saves a changed name without spaces around it', async () => {
  const { box, client, nameForm, toasts } = await show();
  await expect
    .poll(() => outline(box))
    .toEqual([
      'section[aria-label=Account]',
      'h2 Account',
      'p ada@x',
      'span User',
      'label[for=#1] Name',
      'input#1[required][autoComplete=name][value=Ada]',
      'p#1-error[role=alert]',
      'button[disabled][type=submit]',
      'span Save',
      'section[aria-label=Password]',
      'h2 Password',
      'label[for=#2] Current password',
      'input#2[name=current][type=password][required][autoComplete=current-password]',
      'p#2-error[role=alert]',
      'label[for=#3] New password',
      'input#3[name=next][type=password][required][autoComplete=new-password][aria-describedby=#3-hint]',
      'p#3-hint At least 8 characters; longer is better.',
      'p#3-error[role=alert]',
      'button[type=submit]',
      'span Change password',
    ]);
  const save = named(box, 'Save');
  const input = nameForm.querySelector('input') as Element;
  expect(save.hasAttribute('disabled')).toBe(true);
  await type(input, '  ');
  expect(save.hasAttribute('disabled')).toBe(true);
  await fire(nameForm, 'submit');
  expect(server.requests).toEqual([]);
  await type(input, ' Eve ');
  expect(save.hasAttribute('disabled')).toBe(false);
  server.answer(ROUTE, {});
  expect((await fire(nameForm, 'submit')).defaultPrevented).toBe(true);
  await vi.waitFor(() => expect(server.requests).toEqual([`${ROUTE} {"name":"Eve"}`]));
  await vi.waitFor(() => expect(isInvalid(client, meQuery.queryKey)).toBe(true));
  await vi.waitFor(async () => expect(await toasts()).toContain('Saved.'));
});

it('says why a name is not saved', async () => {
  const { box, nameForm } = await show();
  server.answer(ROUTE, refusal(422, 'invalid', 'The name is too long.'));
  await type(nameForm.querySelector('input') as Element, 'Eve');
  await fire(nameForm, 'submit');
  await vi.waitFor(() => expect(box.textContent).toContain('The name is too long.'));
});

async function enter(form: HTMLFormElement, current: string, next: string) {
  const [first, second] = [...form.querySelectorAll('input')] as [HTMLInputElement, HTMLInputElement];
  Object.assign(first, { value: current });
  Object.assign(second, { value: next });
  expect([first.type, second.type]).toEqual(['password', 'password']);
  return fire(form, 'submit');
}

it('changes the password, and forgets what was typed', async () => {
  const { passwordForm, toasts } = await show();
  const reset = vi.fn();
  Object.assign(passwordForm, { reset });
  server.answer(ROUTE, {});
  expect((await enter(passwordForm, 'old', '12345678')).defaultPrevented).toBe(true);
  await vi.waitFor(() => expect(reset).toHaveBeenCalledOnce());
  expect(server.requests).toEqual([`${ROUTE} {"password":{"current":"old","next":"12345678"}}`]);
  expect(await toasts()).toContain('Password changed.');
});

it('refuses a short password without a request', async () => {
  const { box, passwordForm } = await show();
  expect(box.textContent).toContain('PasswordCurrent passwordNew passwordAt least 8 characters; longer is better.');
  await enter(passwordForm, 'old', '1234567');
  expect([box.textContent.includes('Use at least 8 characters.'), server.requests]).toEqual([true, []]);
});

it('says why the password is not changed, at the current one', async () => {
  const { passwordForm } = await show();
  server.answer(ROUTE, refusal(403, 'wrong_password', 'It is not the current password.'));
  await enter(passwordForm, 'old', '12345678');
  const [first] = [...passwordForm.querySelectorAll('[role=alert]')];
  await vi.waitFor(() => expect(first?.textContent).toBe('It is not the current password.'));
});

it.each([
  ['Save', 0],
  ['Change password', 1],
])('sends "%s" once while it is under way', async (action, at) => {
  const { box } = await show();
  const form = box.querySelectorAll('form')[at] as HTMLFormElement;
  server.answer(ROUTE, () => new Promise(() => undefined));
  if (at === 0) await type(form.querySelector('input') as Element, 'Eve');
  const submit = () => (at === 0 ? fire(form, 'submit') : enter(form, 'old', '12345678'));
  await submit();
  await vi.waitFor(() => expect(named(box, `${action}Working`).getAttribute('aria-busy')).toBe('true'));
  await submit();
  expect(server.requests).toHaveLength(1);
});
