import { createElement } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { meQuery } from '../api/me.ts';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, type, usePage } from '../testing/page.ts';
import { inClient, isInvalid, testClient } from '../testing/queries.ts';
import { SignInPage } from './sign-in-page.tsx';

const server = useFakeApi();
const page = usePage();
afterEach(() => void vi.useRealTimers());
const ROUTE = 'POST /api/v1/session';
const tooMany = () =>
  Response.json(
    { error: { code: 'too_many', message: 'Too many attempts.' } },
    { status: 429, headers: { 'Retry-After': '60' } },
  );

async function show() {
  const client = testClient();
  client.setQueryData(meQuery.queryKey, {} as never);
  const box = await page.show(inClient(client)(createElement(SignInPage)));
  const [login, password] = [...box.querySelectorAll('input')] as [HTMLInputElement, HTMLInputElement];
  const select = vi.fn();
  Object.assign(password, { select });
  const enter = async (name: string) => {
    await type(login, name);
    Object.assign(password, { value: ' pass ' });
    return fire(box.querySelector('form') as Element, 'submit');
  };
  return { box, client, login, password, select, enter };
}

it('signs in with the name without spaces around it, and the password as typed', async () => {
  const { box, client, login, password, enter } = await show();
  await expect
    .poll(() => outline(box))
    .toEqual([
      'span Croft',
      'h1 Sign in',
      'div Sign in to use your files, keys and connected folders.',
      'label[for=#1] Email or name',
      'input#1[name=login][required][autoCapitalize=none][autoComplete=username]',
      'p#1-error[role=alert]',
      'label[for=#2] Password',
      'input#2[name=password][type=password][required][autoComplete=current-password]',
      'button[title=Show password][aria-label=Show password][type=button]',
      'icon eye 17',
      'p#2-error[role=alert]',
      'button[type=submit]',
      'span Sign in',
      'p No account? Ask an administrator of this server to add one.',
    ]);
  expect([box.querySelector('h1')?.textContent, login.getAttribute('name'), password.type]).toEqual([
    'Sign in',
    'login',
    'password',
  ]);
  expect([...box.querySelectorAll('label')].map(({ textContent }) => textContent)).toEqual([
    'Email or name',
    'Password',
  ]);
  expect(box.textContent).toContain('Sign in to use your files, keys and connected folders.');
  expect(box.textContent).toContain('No account? Ask an administrator of this server to add one.');
  server.answer(ROUTE, {});
  const { defaultPrevented } = await enter(' Ada ');
  await vi.waitFor(() => expect(isInvalid(client, meQuery.queryKey)).toBe(true));
  expect(server.requests).toEqual([`${ROUTE} {"login":"Ada","password":" pass "}`]);
  // Otherwise the browser loads the page again, with the password in its address.
  expect(defaultPrevented).toBe(true);
});

it('shows the password while the person wants to see it', async () => {
  const { box, password } = await show();
  await fire(named(box, 'Show password'), 'click');
  expect(password.getAttribute('type')).toBe('text');
  await fire(named(box, 'Hide password'), 'click');
  expect(password.getAttribute('type')).toBe('password');
});

it('says that it failed, until another name is typed, and selects the password', async () => {
  const { box, login, select, enter } = await show();
  server.answer(ROUTE, refusal(401, 'wrong', 'The name or the password is wrong.'));
  await enter('Ada');
  await vi.waitFor(() => expect(box.textContent).toContain('The name or the password is wrong.'));
  expect(select).toHaveBeenCalledOnce();
  await type(login, ' ADA');
  expect(box.textContent).toContain('The name or the password is wrong.');
  await type(login, 'Eve');
  expect(box.textContent).not.toContain('is wrong');
});

it('lets a name wait after too many attempts, and no other', async () => {
  vi.useFakeTimers({ now: 1_000_000, toFake: ['Date'] });
  const { box, login, enter } = await show();
  server.answer(ROUTE, tooMany);
  await enter('Ada');
  await vi.waitFor(() => expect(box.textContent).toContain('Too many attempts to sign in as Ada.'));
  const button = named(box, 'Sign in');
  expect([box.textContent.includes('You can try again in 60 s.'), button.hasAttribute('disabled')]).toEqual([
    true,
    true,
  ]);
  await enter('ada');
  expect(server.requests.length).toBe(1);
  await type(login, 'Eve');
  expect([box.textContent.includes('Too many'), button.hasAttribute('disabled')]).toEqual([false, false]);
  vi.setSystemTime(1_061_000);
  await type(login, 'Ada');
  expect(box.textContent).toContain('You can try again now.');
  expect(button.hasAttribute('disabled')).toBe(false);
});
