import { beforeAll, expect, it } from 'vitest';
import { useSharedDatabase } from '../../../../tests/store/use-shared-database.ts';
import type { Db } from '../store/database.ts';
import { type Authentication, createAuthentication } from './authentication.ts';

let db: Db;
let auth: Authentication;
let userId: string;
useSharedDatabase((database) => void (db = database.db));

const EMAIL = 'au-ann@localhost';
const PASSWORD = 'correct horse battery';
const COOKIE = { name: 'croft-test', path: '/croft', secure: true };
const open = (...secrets: [string, ...string[]]) => createAuthentication(db, secrets, COOKIE);
const sent = (cookies: readonly string[]) => cookies.map((line) => line.split(';')[0]).join('; ');
beforeAll(async () => {
  auth = await open('a first secret that is long enough');
  userId = await auth.createUser({ name: 'Ann', email: EMAIL, password: PASSWORD });
});

it('signs in with the right password only, by a cookie that scripts and other sites do not get', async () => {
  const signedIn = await auth.signIn(EMAIL, PASSWORD);
  expect(signedIn?.userId).toBe(userId);
  const [cookie = ''] = signedIn?.cookies ?? [];
  expect(cookie).toMatch(/^croft-test=/);
  for (const part of ['Path=/croft', 'HttpOnly', 'Secure', 'SameSite=Strict', 'Max-Age=2592000'])
    expect(cookie.toLowerCase()).toContain(part.toLowerCase());
  expect(await auth.signIn(EMAIL, 'wrong horse battery')).toBeUndefined();
  expect(await auth.signIn('au-nobody@localhost', PASSWORD)).toBeUndefined();
});

it('finds the session of a cookie until it is signed out', async () => {
  const { cookies = [] } = (await auth.signIn(EMAIL, PASSWORD)) ?? {};
  const cookie = sent(cookies);
  expect(await auth.find(cookie)).toEqual({ userId, token: expect.any(String) });
  expect(await auth.find('croft-test=made.up')).toBeUndefined();
  expect(await auth.find(cookie.replace(/\.[^.]*$/, '.forged'))).toBeUndefined();
  const cleared = await auth.signOut(cookie);
  expect(cleared.every((line) => line.startsWith('croft-test='))).toBe(true);
  expect(await auth.find(cookie)).toBeUndefined();
});

it('takes cookies of an earlier secret, and none of another one', async () => {
  const { cookies = [] } = (await auth.signIn(EMAIL, PASSWORD)) ?? {};
  const rotated = await open('a second secret that is long enough', 'a first secret that is long enough');
  const foreign = await open('a third secret that is long enough');
  expect((await rotated.find(sent(cookies)))?.userId).toBe(userId);
  expect(await foreign.find(sent(cookies))).toBeUndefined();
});

it('changes a password', async () => {
  await auth.setPassword(userId, 'another long password');
  expect([await auth.isPassword(userId, PASSWORD), await auth.isPassword(userId, 'another long password')]).toEqual([
    false,
    true,
  ]);
  expect(await auth.isPassword('au-nobody', PASSWORD)).toBe(false);
  expect(await auth.signIn(EMAIL, PASSWORD)).toBeUndefined();
});
