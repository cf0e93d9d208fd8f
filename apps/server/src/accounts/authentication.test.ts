import { scryptSync } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { beforeAll, expect, it } from 'vitest';
import { useSharedDatabase } from '../../../../tests/store/use-shared-database.ts';
import type { Db } from '../store/database.ts';
import { account, session, user } from '../store/schema.ts';
import { FAST_HASHING } from '../testing.ts';
import { type Authentication, createAuthentication } from './authentication.ts';

let db: Db;
let auth: Authentication;
let userId: string;
useSharedDatabase((database) => void (db = database.db));

const EMAIL = 'au-ann@localhost';
const PASSWORD = 'correct horse battery';
const COOKIE = { name: 'croft-test', path: '/croft', secure: true };
const open = (...secrets: [string, ...string[]]) => createAuthentication(db, secrets, COOKIE, FAST_HASHING);
const sent = (cookies: readonly string[]) => cookies.map((line) => line.split(';')[0]).join('; ');
beforeAll(async () => {
  auth = await open('a first secret that is long enough');
  userId = await auth.createUser({ name: 'Ann', email: EMAIL, password: PASSWORD, role: 'admin' });
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
  expect(await auth.find(cookie)).toEqual({
    user: expect.objectContaining({ id: userId, email: EMAIL, role: 'admin', disabled: false }),
    token: expect.any(String),
  });
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
  expect((await rotated.find(sent(cookies)))?.user.id).toBe(userId);
  expect(await foreign.find(sent(cookies))).toBeUndefined();
});

it('refuses a sign-in whose password was changed after it was checked', async () => {
  const other = await auth.createUser({ name: 'Bea', email: 'au-bea@localhost', password: PASSWORD, role: 'user' });
  let signingIn: ReturnType<Authentication['signIn']> | undefined;
  await db.transaction(async (tx) => {
    await tx.execute(sql`LOCK TABLE ${session} IN SHARE MODE`);
    signingIn = auth.signIn('au-bea@localhost', PASSWORD);
    const waiting = sql`SELECT FROM pg_locks WHERE NOT granted AND relation = ${'session'}::regclass`;
    await expect.poll(async () => (await tx.execute(waiting)).rowCount).toBe(1);
    await auth.setPassword(other, 'another long password');
  });
  expect(await signingIn).toBeUndefined();
  expect(await db.$count(session, eq(session.userId, other))).toBe(0);
});

it('sets a password, also without the current one', async () => {
  await auth.setPassword(userId, 'another long password');
  expect(await auth.signIn(EMAIL, PASSWORD)).toBeUndefined();
  expect((await auth.signIn(EMAIL, 'another long password'))?.userId).toBe(userId);
});

it('changes a password for those who know the current one', async () => {
  const id = await auth.createUser({ name: 'Cy', email: 'au-cy@localhost', password: PASSWORD, role: 'user' });
  const next = 'another long password';
  expect(await auth.changePassword(id, { current: 'wrong horse battery', next })).toBe(false);
  expect(await auth.changePassword('au-nobody', { current: PASSWORD, next })).toBe(false);
  expect((await auth.signIn('au-cy@localhost', PASSWORD))?.userId).toBe(id);
  expect(await auth.changePassword(id, { current: PASSWORD, next })).toBe(true);
  expect(await auth.signIn('au-cy@localhost', PASSWORD)).toBeUndefined();
  expect((await auth.signIn('au-cy@localhost', next))?.userId).toBe(id);
});

it('keeps the password that an administrator sets while its user changes it', async () => {
  const id = await auth.createUser({ name: 'Di', email: 'au-di@localhost', password: PASSWORD, role: 'user' });
  let changing: Promise<boolean> | undefined;
  await db.transaction(async (tx) => {
    await tx.update(account).set({ password: 'set by an administrator' }).where(eq(account.userId, id));
    changing = auth.changePassword(id, { current: PASSWORD, next: 'another long password' });
    const waiting = sql`SELECT FROM pg_locks WHERE NOT granted AND locktype = 'transactionid'`;
    await expect.poll(async () => (await tx.execute(waiting)).rowCount).toBe(1);
  });
  expect(await changing).toBe(false);
  const [credential] = await db.select().from(account).where(eq(account.userId, id));
  expect(credential?.password).toBe('set by an administrator');
});

it('makes a user with an address that is verified, and a credential of its own', async () => {
  const [row] = await db.select().from(user).where(eq(user.id, userId));
  expect(row).toMatchObject({ name: 'Ann', email: EMAIL, emailVerified: true, role: 'admin' });
  const [credential] = await db.select().from(account).where(eq(account.userId, userId));
  expect(credential).toMatchObject({ accountId: userId, providerId: 'credential' });
  expect(credential?.password).not.toContain('horse');
});

it('leaves no user behind whose password could not be hashed or stored', async () => {
  const made = { name: 'Eve', email: 'au-eve@localhost', password: PASSWORD, role: 'admin' } as const;
  const failing = [async () => Promise.reject(new Error('out of memory')), async () => 'PostgreSQL refuses \0'];
  for (const hash of failing) {
    const hashing = { hash, verify: async () => false };
    const broken = await createAuthentication(db, ['a first secret that is long enough'], COOKIE, hashing);
    await expect(broken.createUser(made)).rejects.toThrow();
    expect(await db.$count(user, eq(user.email, made.email))).toBe(0);
  }
});

it('sets a password of a user who has none, once for all requests, and of no user who is gone', async () => {
  const id = 'au-fay';
  await db.insert(user).values({ id, name: 'Fay', email: 'au-fay@localhost' });
  await Promise.all([1, 2, 3].map(() => auth.setPassword(id, PASSWORD)));
  expect((await auth.signIn('au-fay@localhost', PASSWORD))?.userId).toBe(id);
  const credentials = await db.select().from(account).where(eq(account.userId, id));
  expect(credentials).toMatchObject([{ accountId: id, providerId: 'credential' }]);
  await auth.setPassword('au-gone', PASSWORD);
  expect(await db.$count(account, eq(account.userId, 'au-gone'))).toBe(0);
});

it('sets cookies that need no encrypted connection where the server has none, and that end with the session', async () => {
  const cookieOfPlain = { name: 'plain', path: '/', secure: false };
  const plain = await createAuthentication(db, ['a first secret that is long enough'], cookieOfPlain, FAST_HASHING);
  await plain.setPassword(userId, PASSWORD);
  const [cookie = '', ...others] = (await plain.signIn(EMAIL, PASSWORD))?.cookies ?? [];
  expect(others).toEqual([]);
  expect(
    cookie
      .replace(/^plain=[^;]+/, 'plain=x')
      .split('; ')
      .sort(),
  ).toEqual(['HttpOnly', 'Max-Age=2592000', 'Path=/', 'SameSite=Strict', 'plain=x']);
  const [value = ''] = cookie.split(';');
  const found = await plain.find(value);
  const [stored] = await db
    .select()
    .from(session)
    .where(eq(session.token, found?.token ?? ''));
  const days = ((stored?.expiresAt.getTime() ?? 0) - (stored?.createdAt.getTime() ?? 0)) / 86_400_000;
  expect(Math.round(days)).toBe(30);
  // A session that is looked up later does not last longer.
  await db
    .update(session)
    .set({ expiresAt: new Date(Date.now() + 60_000) })
    .where(eq(session.id, stored?.id ?? ''));
  await plain.find(value);
  const [later] = await db
    .select()
    .from(session)
    .where(eq(session.id, stored?.id ?? ''));
  expect(later?.expiresAt.getTime()).toBeLessThan(Date.now() + 61_000);
  await db
    .update(session)
    .set({ expiresAt: new Date(Date.now() - 1_000) })
    .where(eq(session.id, stored?.id ?? ''));
  expect(await plain.find(value)).toBeUndefined();
  const cleared = await plain.signOut(value);
  expect(cleared.map((line) => line.replace(/; .*/, ''))).toEqual(['plain=']);
  expect(cleared[0]).toContain('Max-Age=0');
});

it('stores an scrypt hash of 32 MB with a salt, unless other hashing is given', async () => {
  const storedFor = async (id: string) => {
    const [credential] = await db.select().from(account).where(eq(account.userId, id));
    return credential?.password ?? '';
  };
  const usual = await createAuthentication(db, ['a first secret that is long enough'], COOKIE);
  const sal = await usual.createUser({ name: 'Sal', email: 'au-sal@localhost', password: PASSWORD, role: 'user' });
  const [salt = '', key] = (await storedFor(sal)).split(':');
  expect(salt).toMatch(/^[0-9a-f]{32}$/);
  const hashed = scryptSync(PASSWORD, salt, 64, { N: 16_384, r: 16, p: 1, maxmem: 2 ** 26 });
  expect(key).toBe(hashed.toString('hex'));
  expect((await usual.signIn('au-sal@localhost', PASSWORD))?.userId).toBe(sal);
  expect(await usual.signIn('au-sal@localhost', 'wrong horse battery')).toBeUndefined();
  const reversing = {
    hash: async (password: string) => [...password].reverse().join(''),
    verify: async ({ hash, password }: { hash: string; password: string }) => hash === (await reversing.hash(password)),
  };
  const other = await createAuthentication(db, ['a first secret that is long enough'], COOKIE, reversing);
  const id = await other.createUser({ name: 'Ray', email: 'au-ray@localhost', password: PASSWORD, role: 'user' });
  expect(await storedFor(id)).toBe('yrettab esroh tcerroc');
  expect((await other.signIn('au-ray@localhost', PASSWORD))?.userId).toBe(id);
  expect(await other.signIn('au-ray@localhost', 'wrong horse battery')).toBeUndefined();
});

it('fails where the database does, and does not take that for a wrong password', async () => {
  const broken = await createAuthentication(
    { ...db, select: undefined, query: undefined } as never,
    ['a first secret that is long enough'],
    COOKIE,
  );
  await expect(broken.signIn(EMAIL, PASSWORD)).rejects.toThrow();
});

it('forgets the expired sessions of a user who signs in', async () => {
  const other = await auth.createUser({ name: 'Cat', email: 'au-cat@localhost', password: PASSWORD, role: 'user' });
  for (const _ of ['old', 'kept']) await auth.signIn('au-cat@localhost', PASSWORD);
  const ofCat = eq(session.userId, other);
  const [old] = await db.select().from(session).where(ofCat);
  const expired = { expiresAt: new Date(Date.now() - 1) };
  await db
    .update(session)
    .set(expired)
    .where(eq(session.id, old?.id ?? ''));
  await auth.signIn('au-cat@localhost', PASSWORD);
  const left = await db.select().from(session).where(ofCat);
  expect([left.length, left.some(({ id }) => id === old?.id)]).toEqual([2, false]);
});
