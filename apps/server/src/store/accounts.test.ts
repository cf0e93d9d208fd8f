import { betterAuth } from 'better-auth';
import { drizzleAdapter } from 'better-auth/adapters/drizzle';
import { admin } from 'better-auth/plugins';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createApiKey,
  createKeyTouches,
  ensureApiKey,
  findKeyOwner,
  hashApiKey,
  listApiKeys,
  revokeApiKey,
} from './api-keys.ts';
import type { Db } from './database.ts';
import * as schema from './schema.ts';
import { readSetting, writeSetting } from './settings.ts';
import { openTestDatabase } from '../../../../tests/store/test-database.ts';
import { deleteUser, ensureLocalUser, findUserByEmail, getUser, listUsers, updateUser } from './users.ts';

let opened: Awaited<ReturnType<typeof openTestDatabase>>;
let db: Db;
beforeAll(async () => {
  opened = await openTestDatabase();
  db = opened.database.db;
});
afterAll(() => opened.close());
beforeEach(async () => {
  await db.delete(schema.user);
  await db.insert(schema.user).values([
    { id: 'ann', name: 'Ann', email: 'ann@example.com', role: 'admin' },
    { id: 'bob', name: 'Bob', email: 'bob@example.com' },
  ]);
});

describe('API keys', () => {
  test('let their owner in, are stored as a hash, and are shown without the secret', async () => {
    const { key, secret } = await createApiKey(db, { userId: 'ann', name: 'script' });
    expect(secret).toMatch(/^croft_[\w-]{43}$/);
    expect(key).toMatchObject({ name: 'script', prefix: secret.slice(0, 12), lastUsedAt: null });
    expect(await findKeyOwner(db, hashApiKey(secret))).toEqual({
      keyId: key.id,
      userId: 'ann',
      name: 'Ann',
      email: 'ann@example.com',
      role: 'admin',
    });
    expect(JSON.stringify(await db.select().from(schema.apiKey))).not.toContain(secret);
    expect(JSON.stringify(await listApiKeys(db, 'ann'))).not.toContain(hashApiKey(secret));
    expect(await findKeyOwner(db, hashApiKey(`${secret}x`))).toBeUndefined();
  });

  test('end when their owner revokes them; other users cannot', async () => {
    const { key, secret } = await createApiKey(db, { userId: 'ann', name: 'one' });
    expect(await revokeApiKey(db, 'bob', key.id)).toBe(false);
    expect(await findKeyOwner(db, hashApiKey(secret))).toBeDefined();
    expect(await revokeApiKey(db, 'ann', key.id)).toBe(true);
    expect(await revokeApiKey(db, 'ann', key.id)).toBe(false);
    expect(await findKeyOwner(db, hashApiKey(secret))).toBeUndefined();
    expect(await listApiKeys(db, 'ann')).toEqual([]);
  });

  test('do not work while the account is disabled', async () => {
    const { secret } = await createApiKey(db, { userId: 'bob', name: 'one' });
    await updateUser(db, 'bob', { disabled: true });
    expect(await findKeyOwner(db, hashApiKey(secret))).toBeUndefined();
    await updateUser(db, 'bob', { disabled: false });
    expect(await findKeyOwner(db, hashApiKey(secret))).toBeDefined();
  });

  test('can be a secret that is kept elsewhere, made sure of by two servers at once', async () => {
    const machine = { userId: 'ann', name: 'this machine', secret: 'croft_from-a-file' };
    await Promise.all([ensureApiKey(db, machine), ensureApiKey(db, machine)]);
    expect(await listApiKeys(db, 'ann')).toHaveLength(1);
    expect(await findKeyOwner(db, hashApiKey(machine.secret))).toMatchObject({ userId: 'ann' });
  });

  test('have the time of their last use written in one go, and never moved back', async () => {
    const keys = await Promise.all([1, 2].map((n) => createApiKey(db, { userId: 'ann', name: `k${n}` })));
    const touches = createKeyTouches(db, { everyMs: 20 });
    const at = new Date('2030-01-01T00:00:01.000Z');
    for (const { key } of keys) touches.touch(key.id, at);
    touches.touch('unknown');
    const lastUses = async () => (await listApiKeys(db, 'ann')).map((key) => key.lastUsedAt);
    await expect.poll(lastUses).toEqual([at, at]);
    touches.touch((keys[0] as (typeof keys)[0]).key.id, new Date('2029-01-01'));
    await touches.close();
    expect((await listApiKeys(db, 'ann')).map((key) => key.lastUsedAt)).toEqual([at, at]);
  });
});

describe('users', () => {
  test('has one local user, an admin, also when two servers start at once', async () => {
    const [one] = await Promise.all([ensureLocalUser(db), ensureLocalUser(db)]);
    expect(one).toMatchObject({ id: 'local', role: 'admin', disabled: false });
    expect((await listUsers(db)).map((person) => person.id).sort()).toEqual(['ann', 'bob', 'local']);
  });

  test('changes what is given and nothing else, and says nothing of one it does not know', async () => {
    expect(await updateUser(db, 'bob', { role: 'admin' })).toMatchObject({ id: 'bob', name: 'Bob', role: 'admin' });
    expect(await updateUser(db, 'bob', { name: 'Robert' })).toMatchObject({ name: 'Robert', role: 'admin' });
    expect(await updateUser(db, 'nobody', { name: 'x' })).toBeUndefined();
    expect(await getUser(db, 'nobody')).toBeUndefined();
    expect(await findUserByEmail(db, 'Bob@Example.com')).toMatchObject({ id: 'bob' });
    expect(await deleteUser(db, 'nobody')).toBe(false);
  });

  test('signs one who is disabled out everywhere', async () => {
    await db.insert(schema.session).values({ id: 's', token: 't', userId: 'bob', expiresAt: new Date('2040-01-01') });
    await updateUser(db, 'bob', { disabled: true });
    expect(await db.select().from(schema.session)).toEqual([]);
  });

  test('keeps the last admin, also of two who demote each other at once; the local user does not count', async () => {
    await ensureLocalUser(db);
    const refused = { code: 'last_admin' };
    await expect(updateUser(db, 'ann', { role: 'user' })).rejects.toMatchObject(refused);
    await expect(updateUser(db, 'ann', { disabled: true })).rejects.toMatchObject(refused);
    await expect(deleteUser(db, 'ann')).rejects.toMatchObject(refused);
    for (let round = 0; round < 10; round++) {
      await Promise.all(['ann', 'bob'].map((id) => updateUser(db, id, { role: 'admin' })));
      const outcomes = await Promise.allSettled(['ann', 'bob'].map((id) => updateUser(db, id, { role: 'user' })));
      expect(outcomes.filter((outcome) => outcome.status === 'rejected')).toHaveLength(1);
    }
  });
});

test('the library for accounts signs people up and in on these tables, and disables them', async () => {
  const auth = betterAuth({
    database: drizzleAdapter(db, { provider: 'pg', schema, transaction: true }),
    secret: 'a secret of thirty-two characters or more',
    baseURL: 'http://127.0.0.1:7860',
    emailAndPassword: { enabled: true },
    telemetry: { enabled: false },
    plugins: [admin()],
  });
  const made = await auth.api.signUpEmail({
    body: { name: 'Eve', email: 'eve@example.com', password: 'long enough 1' },
  });
  expect(await getUser(db, made.user.id)).toMatchObject({ name: 'Eve', role: 'user', disabled: false });
  const signIn = () => auth.api.signInEmail({ body: { email: 'eve@example.com', password: 'long enough 1' } });
  const { token } = await signIn();
  const [row] = await db.select().from(schema.session).where(eq(schema.session.token, token));
  expect(row?.userId).toBe(made.user.id);
  await updateUser(db, made.user.id, { disabled: true });
  await expect(signIn()).rejects.toThrow(/banned/i);
  expect(await deleteUser(db, made.user.id)).toBe(true);
  expect(await db.select().from(schema.account)).toEqual([]);
});

test('settings come back as they were stored, and go when they are emptied', async () => {
  expect(await readSetting(db, 'local-access')).toBeUndefined();
  for (const value of [{ directory: '/ü' }, [1, null], 'text', false, 0]) {
    await writeSetting(db, 'local-access', value);
    expect(await readSetting(db, 'local-access')).toEqual(value);
  }
  await writeSetting(db, 'local-access', null);
  expect(await readSetting(db, 'local-access')).toBeUndefined();
});
