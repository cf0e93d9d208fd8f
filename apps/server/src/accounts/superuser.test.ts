import { eq } from 'drizzle-orm';
import { beforeEach, expect, it } from 'vitest';
import { useSharedDatabase } from '../../../../tests/store/use-shared-database.ts';
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
  name: string | undefined = NAME,
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
  const log = { info: () => {}, warn: (text: string) => void did.push(`warn ${text.slice(0, 40)}`) } as unknown as Log;
  await ensureSuperuser(db, accounts, { superuser: name, superuserPassword: password } as never, keys, log);
  return did;
}

it('creates the configured admin once', async () => {
  expect(await ensure('first')).toEqual([`create ${NAME} as admin with first`]);
  expect(await ensure('first')).toEqual([]);
});

it('sets the password again only where the configured one changed, and stores no password', async () => {
  await ensure('first');
  expect(await ensure('second')).toEqual(['update su-boss {"password":"second"}']);
  expect(await ensure('second')).toEqual([]);
  expect(JSON.stringify(await readSetting(db, 'superuser'))).not.toContain('second');
});

it('makes the configured user an admin again, and leaves the password', async () => {
  await ensure('first');
  await db.update(user).set({ role: 'user', banned: true }).where(eq(user.id, 'su-boss'));
  expect(await ensure('first')).toEqual(['update su-boss {"role":"admin","disabled":false}']);
  expect(await ensure('first')).toEqual([]);
});

it('does not take a new secret key for a new password', async () => {
  await ensure('first', ['old']);
  const before = await readSetting(db, 'superuser');
  expect(await ensure('first', ['new', 'old'])).toEqual([]);
  expect(await readSetting(db, 'superuser')).not.toBe(before);
  expect(await ensure('first', ['new'])).toEqual([]);
  expect(await ensure('first', ['other'])).toEqual(['update su-boss {"password":"first"}']);
});

it('creates no account without a password', async () => {
  expect((await ensure(undefined)).filter((line) => !line.startsWith('warn there is no account'))).toEqual([]);
  expect(await db.select().from(user).where(eq(user.email, NAME))).toEqual([]);
});
