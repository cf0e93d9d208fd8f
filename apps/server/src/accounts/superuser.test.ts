import { eq } from 'drizzle-orm';
import { beforeEach, expect, it } from 'vitest';
import { useSharedDatabase } from '../../../../tests/store/use-shared-database.ts';
import { LOCAL_USER_ID } from '../local-user.ts';
import type { Log } from '../log.ts';
import type { Db } from '../store/database.ts';
import { user } from '../store/schema.ts';
import { readSetting, writeSetting } from '../store/settings.ts';
import type { Accounts } from './accounts.ts';
import { ensureSuperuser } from './superuser.ts';

let db: Db;
useSharedDatabase((database) => void (db = database.db));
const NAME = 'su-boss@example.test';
beforeEach(async () => {
  await db.delete(user).where(eq(user.email, NAME));
  await writeSetting(db, 'superuser', undefined);
});

/** Ensures the admin, and tells what was done. */
async function ensure(
  password: string | undefined,
  keys: readonly [string, ...string[]] = ['key'],
  name: string | null = NAME,
) {
  const did: string[] = [];
  const accounts = {
    create: async (made: { name: string; email: string; password: string; role: 'admin' }) => {
      did.push(`create ${made.email} as ${made.role} with ${made.password}`);
      await db.insert(user).values({ id: 'su-boss', name: made.name, email: made.email, role: made.role });
      return { id: 'su-boss' };
    },
    update: async (id: string, change: { role?: 'admin'; disabled?: boolean }) => {
      did.push(`update ${id} ${JSON.stringify(change)}`);
      if (change.role) await db.update(user).set({ role: change.role, banned: false }).where(eq(user.id, id));
    },
  } as unknown as Accounts;
  const log = {
    info: ({ userId }: { userId: string }, text: string) => void did.push(`${userId}: ${text}`),
    warn: (text: string) => void did.push(`warn ${text}`),
  } as unknown as Log;
  await ensureSuperuser(
    db,
    accounts,
    { superuser: name ?? undefined, superuserPassword: password } as never,
    keys,
    log,
  );
  return did;
}

const SET = 'su-boss: the password of the admin was set from the environment';

it('creates the configured admin once', async () => {
  expect(await ensure('first', ['key'], NAME.toUpperCase())).toEqual([
    `create ${NAME} as admin with first`,
    'su-boss: the admin account was created',
  ]);
  expect(await ensure('first')).toEqual([]);
});

it('sets the password again only where the configured one changed, and stores no password', async () => {
  await ensure('first');
  expect(await ensure('second')).toEqual(['update su-boss {"password":"second"}', SET]);
  expect(await ensure('second')).toEqual([]);
  expect(JSON.stringify(await readSetting(db, 'superuser'))).not.toContain('second');
});

it('makes the configured user an admin again, and leaves the password', async () => {
  await ensure('first');
  await db.update(user).set({ role: 'user', banned: true }).where(eq(user.id, 'su-boss'));
  const again = ['update su-boss {"role":"admin","disabled":false}', 'su-boss: the configured admin is an admin again'];
  expect(await ensure('first')).toEqual(again);
  expect(await ensure('first')).toEqual([]);
  await db.update(user).set({ banned: true }).where(eq(user.id, 'su-boss'));
  expect(await ensure('first')).toEqual(again);
  await db.update(user).set({ role: 'user' }).where(eq(user.id, 'su-boss'));
  expect(await ensure('second')).toEqual(['update su-boss {"role":"admin","disabled":false,"password":"second"}', SET]);
});

it('does not take a new secret key for a new password', async () => {
  await ensure('first', ['old']);
  const before = await readSetting(db, 'superuser');
  expect(await ensure('first', ['new', 'old'])).toEqual([]);
  expect(await readSetting(db, 'superuser')).not.toBe(before);
  expect(await ensure('first', ['new'])).toEqual([]);
  expect(await ensure('first', ['other'])).toEqual(['update su-boss {"password":"first"}', SET]);
});

it('creates no account without a password, and says so where no admin can sign in', async () => {
  const none =
    'warn there is no account to sign in with: set CROFT_SUPERUSER and CROFT_SUPERUSER_PASSWORD, and start again';
  const admins = await db.select({ id: user.id }).from(user).where(eq(user.role, 'admin'));
  for (const { id } of admins) await db.update(user).set({ role: 'user' }).where(eq(user.id, id));
  try {
    expect(await ensure(undefined)).toEqual([none]);
    expect(await ensure('first', ['key'], null)).toEqual([none]);
    const email = 'su-other@example.test';
    await db.insert(user).values({ id: 'su-other', name: 'Other', email, role: 'user' });
    const other = (change: Partial<typeof user.$inferInsert>) =>
      db.update(user).set(change).where(eq(user.email, email));
    expect(await ensure(undefined)).toEqual([none]);
    await other({ role: 'admin' });
    expect(await ensure(undefined)).toEqual([]);
    await other({ banned: true });
    expect(await ensure(undefined)).toEqual([none]);
    const local = { id: LOCAL_USER_ID, name: 'Local', email: 'su-local@example.test', role: 'admin' };
    const made = await db.insert(user).values(local).onConflictDoNothing().returning({ id: user.id });
    await db.update(user).set({ role: 'admin' }).where(eq(user.id, LOCAL_USER_ID));
    expect(await ensure(undefined)).toEqual([none]);
    if (made.length > 0) await db.delete(user).where(eq(user.id, LOCAL_USER_ID));
    else await db.update(user).set({ role: 'user' }).where(eq(user.id, LOCAL_USER_ID));
    await db.delete(user).where(eq(user.email, email));
  } finally {
    for (const { id } of admins) await db.update(user).set({ role: 'admin' }).where(eq(user.id, id));
  }
  expect(await db.select().from(user).where(eq(user.email, NAME))).toEqual([]);
});
