import { and, asc, count, eq, gt, ne, sql } from 'drizzle-orm';
import { LOCAL_USER_ID } from '../local-user.ts';
import { announceChange } from './changes.ts';
import type { Db, Transaction } from './database.ts';
import { gatewayPairing, gatewaySession, session, user } from './schema.ts';
import { StoreError } from './store-error.ts';

/** Whether an id is that of the one user of auto-login. */
export const isLocalUser = (userId: string): boolean => userId === LOCAL_USER_ID;
/** Serializes changes of who is an admin. */
const ADMINS_LOCK_ID = 7_860_018_005;
/** Serializes the creation of the configured admin by processes that start at the same time. */
const CONFIGURED_ADMIN_LOCK_ID = 7_860_018_006;

/** A user as an admin sees them. */
export interface User {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: 'admin' | 'user';
  readonly disabled: boolean;
  readonly createdAt: Date;
}

const SHOWN = {
  id: user.id,
  name: user.name,
  email: user.email,
  role: user.role,
  disabled: user.banned,
  createdAt: user.createdAt,
} as const;

type Row = Omit<User, 'role'> & { role: string };
const toUser = (row: Row): User => ({ ...row, role: row.role === 'admin' ? 'admin' : 'user' });

/** All users, the oldest first. */
export async function listUsers(db: Db): Promise<User[]> {
  return (await db.select(SHOWN).from(user).orderBy(asc(user.createdAt), asc(user.id))).map(toUser);
}

/** Finds a user by id. */
export async function getUser(db: Db, id: string): Promise<User | undefined> {
  const [row] = await db.select(SHOWN).from(user).where(eq(user.id, id));
  return row && toUser(row);
}

/** Finds the user of a session that has not expired. */
export async function findSessionUser(db: Db, token: string): Promise<User | undefined> {
  const [row] = await db
    .select(SHOWN)
    .from(session)
    .innerJoin(user, eq(user.id, session.userId))
    .where(and(eq(session.token, token), gt(session.expiresAt, new Date())));
  return row && toUser(row);
}

/** Finds a user by e-mail address, in any case. */
export async function findUserByEmail(db: Db, email: string): Promise<User | undefined> {
  const [row] = await db.select(SHOWN).from(user).where(eq(user.email, email.toLowerCase()));
  return row && toUser(row);
}

/** Whether the database has an admin who can sign in. The local user counts only with auto-login. */
export async function hasAdmin(db: Db, { autoLogin }: { autoLogin: boolean }): Promise<boolean> {
  const ofThisMode = autoLogin ? eq(user.id, LOCAL_USER_ID) : ne(user.id, LOCAL_USER_ID);
  const rows = await db
    .select({ id: user.id })
    .from(user)
    .where(and(eq(user.role, 'admin'), eq(user.banned, false), ofThisMode))
    .limit(1);
  return rows.length > 0;
}

/** Makes the user `local`, an admin without a password, if it is missing. Safe to repeat and to run concurrently. */
export async function ensureLocalUser(db: Db): Promise<User> {
  await db
    .insert(user)
    .values({ id: LOCAL_USER_ID, name: 'Local user', email: 'local@localhost', emailVerified: true, role: 'admin' })
    .onConflictDoNothing();
  return (await getUser(db, LOCAL_USER_ID)) as User;
}

/**
 * Changes a user's name, role or disabled state. Disabling ends all sessions and connections of the user. Returns
 * `undefined` if the user does not exist.
 *
 * @throws StoreError `last_admin`
 */
export async function updateUser(
  db: Db,
  id: string,
  change: { name?: string; role?: 'admin' | 'user'; disabled?: boolean },
): Promise<User | undefined> {
  return await db.transaction(async (tx) => {
    if (change.role === 'user' || change.disabled === true) await keepAnAdmin(tx, id);
    const { name, role, disabled } = change;
    const [row] = await tx
      .update(user)
      .set({
        ...(name === undefined ? {} : { name }),
        ...(role === undefined ? {} : { role }),
        ...(disabled === undefined ? {} : { banned: disabled, banReason: null, banExpires: null }),
        updatedAt: new Date(),
      })
      .where(eq(user.id, id))
      .returning(SHOWN);
    if (row && disabled) {
      await tx.delete(session).where(eq(session.userId, id));
      await tx.delete(gatewaySession).where(eq(gatewaySession.userId, id));
      await tx.delete(gatewayPairing).where(eq(gatewayPairing.userId, id));
      await announceChange(tx, { kind: 'cut', userId: id });
    }
    return row && toUser(row);
  });
}

/**
 * Removes a user with their sessions, keys and machine, but not their files. Returns false if the user does not exist.
 *
 * @throws StoreError `last_admin`
 */
export async function deleteUser(db: Db, id: string): Promise<boolean> {
  return await db.transaction(async (tx) => {
    await keepAnAdmin(tx, id);
    const rows = await tx.delete(user).where(eq(user.id, id)).returning({ id: user.id });
    if (rows.length > 0) await announceChange(tx, { kind: 'cut', userId: id });
    return rows.length > 0;
  });
}

/** Ends a user's sessions but one, the connected machine and an unused pairing token, in every process. */
export async function endSessions(db: Db, userId: string, exceptToken?: string): Promise<void> {
  await db.transaction(async (tx) => {
    const ofUser = eq(session.userId, userId);
    await tx.delete(session).where(exceptToken === undefined ? ofUser : and(ofUser, ne(session.token, exceptToken)));
    await tx.delete(gatewaySession).where(eq(gatewaySession.userId, userId));
    await tx.delete(gatewayPairing).where(eq(gatewayPairing.userId, userId));
    await announceChange(tx, { kind: 'cut', userId });
  });
}

/**
 * Runs `work` while no other process on this database creates or changes the configured admin. `work` uses connections of
 * its own; the lock ends with this transaction, so it holds behind a pooler too.
 */
export async function withAdminLock(db: Db, work: () => Promise<void>): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`SELECT pg_advisory_xact_lock(${CONFIGURED_ADMIN_LOCK_ID})`);
    await work();
  });
}

/** The local user does not count: without auto-login it cannot sign in. */
async function keepAnAdmin(tx: Transaction, id: string): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(${ADMINS_LOCK_ID})`);
  const [person] = await tx.select(SHOWN).from(user).where(eq(user.id, id));
  if (person?.role !== 'admin' || person.disabled) return;
  const [others] = await tx
    .select({ count: count() })
    .from(user)
    .where(and(eq(user.role, 'admin'), eq(user.banned, false), ne(user.id, id), ne(user.id, LOCAL_USER_ID)));
  if (others?.count === 0)
    throw new StoreError('last_admin', 'This is the last admin: make another user an admin first.');
}
