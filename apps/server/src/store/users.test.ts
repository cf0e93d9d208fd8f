import { betterAuth } from 'better-auth';
import { drizzleAdapter } from 'better-auth/adapters/drizzle';
import { admin } from 'better-auth/plugins';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { useTestDatabase } from '../../../../tests/store/use-test-database.ts';
import type { Database, Db } from './database.ts';
import * as schema from './schema.ts';
import {
  deleteUser,
  endSessions,
  ensureLocalUser,
  findUserByEmail,
  getUser,
  hasAdmin,
  isLocalUser,
  listUsers,
  updateUser,
  withAdminLock,
} from './users.ts';

let db: Db;
let pool: Database['pool'];
useTestDatabase(({ database }) => void ({ db, pool } = database));
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

const until = new Date('2040-01-01');
const connect = (id: string) =>
  db
    .insert(schema.session)
    .values([`${id}-1`, `${id}-2`].map((each) => ({ id: each, token: each, userId: id, expiresAt: until })));

describe('the users that an administrator sees', () => {
  test('are the oldest first, and those of the same moment by id', async () => {
    const createdAt = new Date('2020-01-01');
    await db
      .insert(schema.user)
      .values(['zoe', 'yan'].map((id) => ({ id, name: id, email: `${id}@example.com`, role: 'other', createdAt })));
    const users = await listUsers(db);
    expect(users.slice(0, 2)).toEqual(
      ['yan', 'zoe'].map((id) => ({
        id,
        name: id,
        email: `${id}@example.com`,
        role: 'user',
        disabled: false,
        createdAt,
      })),
    );
    expect(users).toHaveLength(4);
    expect(await findUserByEmail(db, 'none@example.com')).toBeUndefined();
  });

  test('include one who can administer: the local user with auto-login alone', async () => {
    const both = () => Promise.all([hasAdmin(db, { autoLogin: true }), hasAdmin(db, { autoLogin: false })]);
    expect(await both()).toEqual([false, true]);
    expect(await ensureLocalUser(db)).toMatchObject({ name: 'Local user', email: 'local@localhost', role: 'admin' });
    expect(await both()).toEqual([true, true]);
    await db.update(schema.user).set({ banned: true });
    expect(await both()).toEqual([false, false]);
    await db.update(schema.user).set({ banned: false, role: 'user' });
    expect(await both()).toEqual([false, false]);
    expect([isLocalUser('local'), isLocalUser('ann')]).toEqual([true, false]);
  });
});

describe('sessions', () => {
  const tokens = async () => (await db.select().from(schema.session)).map(({ token }) => token).sort();

  test('end for one user, but for the given one', async () => {
    await connect('ann');
    await connect('bob');
    await endSessions(db, 'bob', 'bob-2');
    expect(await tokens()).toEqual(['ann-1', 'ann-2', 'bob-2']);
    await endSessions(db, 'bob');
    expect(await tokens()).toEqual(['ann-1', 'ann-2']);
  });

  test('stay where a user is renamed or enabled', async () => {
    await connect('bob');
    await updateUser(db, 'bob', { name: 'Robert' });
    await updateUser(db, 'bob', { disabled: false });
    expect(await tokens()).toEqual(['bob-1', 'bob-2']);
    expect(await updateUser(db, 'bob', { disabled: true })).toMatchObject({ name: 'Robert', disabled: true });
    expect(await tokens()).toEqual([]);
    expect(await updateUser(db, 'bob', { disabled: false })).toMatchObject({ disabled: false });
  });
});

test('removes an administrator who is disabled, or not the last one, and refuses the last one with advice', async () => {
  await expect(deleteUser(db, 'ann')).rejects.toThrow('This is the last admin: make another user an admin first.');
  await db
    .insert(schema.user)
    .values({ id: 'off', name: 'Off', email: 'off@example.com', role: 'admin', banned: true });
  await expect(deleteUser(db, 'ann')).rejects.toMatchObject({ code: 'last_admin' });
  expect([await deleteUser(db, 'off'), await deleteUser(db, 'bob')]).toEqual([true, true]);
  expect((await listUsers(db)).map(({ id }) => id)).toEqual(['ann']);
});

test('removing a user searches no table without an index but that of the few commands', async () => {
  const { rows } = await pool.query<{ column: string }>(
    `SELECT conrelid::regclass || '.' || attname AS column FROM pg_constraint
     JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1]
     WHERE contype = 'f' AND confrelid = '"user"'::regclass
       AND NOT EXISTS (SELECT FROM pg_index WHERE indrelid = conrelid AND indkey[0] = conkey[1])`,
  );
  expect(rows.map(({ column }) => column)).toEqual(['flow_command.added_by']);
});

test('changes of the configured admin wait for each other', async () => {
  const order: string[] = [];
  const change = (name: string) =>
    withAdminLock(db, async () => {
      order.push(`${name} begins`);
      await listUsers(db);
      order.push(`${name} ends`);
    });
  await Promise.all([change('one'), change('two')]);
  const [first = ''] = order.map((each) => each.slice(0, 3));
  const second = first === 'one' ? 'two' : 'one';
  expect(order).toEqual([`${first} begins`, `${first} ends`, `${second} begins`, `${second} ends`]);
});

test('tells every process to cut off a user who is disabled, deleted or signed out', async () => {
  const client = await pool.connect();
  const heard: unknown[] = [];
  client.on('notification', ({ payload = '' }) => heard.push(JSON.parse(payload)));
  await client.query('LISTEN croft_changes');
  await updateUser(db, 'bob', { name: 'Robert' });
  await deleteUser(db, 'none');
  await updateUser(db, 'bob', { disabled: true });
  await endSessions(db, 'ann');
  await deleteUser(db, 'bob');
  const cut = (userId: string) => expect.objectContaining({ kind: 'cut', userId });
  await expect.poll(() => heard).toEqual([cut('bob'), cut('ann'), cut('bob')]);
  await client.query('UNLISTEN croft_changes');
  client.removeAllListeners('notification');
  client.release();
});

test('keeps the time of the last change of a user', async () => {
  const old = new Date('2020-01-01');
  await db.update(schema.user).set({ updatedAt: old });
  await updateUser(db, 'bob', { name: 'Robert' });
  const times = await db.select({ id: schema.user.id, at: schema.user.updatedAt }).from(schema.user);
  expect(times.filter(({ at }) => at.getTime() === old.getTime()).map(({ id }) => id)).toEqual(['ann']);
});
