import { betterAuth } from 'better-auth';
import { drizzleAdapter } from 'better-auth/adapters/drizzle';
import { admin } from 'better-auth/plugins';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { useTestDatabase } from '../../../../tests/store/use-test-database.ts';
import type { Db } from './database.ts';
import * as schema from './schema.ts';
import { deleteUser, ensureLocalUser, findUserByEmail, getUser, listUsers, updateUser } from './users.ts';

let db: Db;
useTestDatabase(({ database }) => void ({ db } = database));
beforeEach(async () => {
  await db.delete(schema.user);
  await db.insert(schema.user).values([
    { id: 'ann', name: 'Ann', email: 'ann@example.com', role: 'admin' },
    { id: 'bob', name: 'Bob', email: 'bob@example.com' },
  ]);
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
