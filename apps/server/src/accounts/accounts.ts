import { Problem } from '../problem.ts';
import type { SecretKeys } from '../secret-key.ts';
import { announceChange } from '../store/changes.ts';
import type { Db } from '../store/database.ts';
import {
  deleteUser,
  endSessions,
  findUserByEmail,
  getUser,
  LOCAL_USER_ID,
  updateUser,
  type User,
} from '../store/users.ts';
import { type Authentication, createAuthentication } from './authentication.ts';

/** What accounts are made with. */
export interface AccountOptions {
  readonly storage: () => Promise<Db>;
  /** The first signs session cookies, all are believed. */
  readonly secrets: SecretKeys;
  readonly cookie: () => { readonly name: string; readonly path: string; readonly secure: boolean };
  /** Told when sessions of a user end, so that open streams and the connected machine end with them. */
  readonly onCut: (userId: string) => Promise<void>;
}

/** Somebody who is signed in, and with which session. */
export interface SignedIn {
  readonly user: User;
  readonly sessionToken: string;
}

export interface NewUser {
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly role: 'admin' | 'user';
}

export interface UserChanges {
  readonly name?: string | undefined;
  readonly password?: string | undefined;
  readonly role?: 'admin' | 'user' | undefined;
  readonly disabled?: boolean | undefined;
}

/** Users with passwords, and their sessions. */
export type Accounts = ReturnType<typeof createAccounts>;

/**
 * Users and their sessions, by better-auth over the server's own tables. It is loaded when somebody first needs it: a
 * server with auto-login never does.
 */
export function createAccounts({ storage, secrets, cookie, onCut }: AccountOptions) {
  let loading: Promise<Authentication> | undefined;
  const authentication = (): Promise<Authentication> => {
    loading ??= storage()
      .then((db) => createAuthentication(db, secrets, cookie()))
      // A database that came late is no reason never to try again.
      .catch((error: unknown) => {
        loading = undefined;
        throw error;
      });
    return loading;
  };
  const cut = async (userId: string, exceptToken?: string): Promise<void> => {
    await endSessions(await storage(), userId, exceptToken);
    // Also where one session stays: its page opens its streams again, and what was opened by others does not come back.
    await onCut(userId);
  };
  return {
    /** Signs in; `undefined` for a wrong password, an unknown or a disabled user alike. */
    async signIn(login: string, password: string): Promise<{ user: User; cookies: string[] } | undefined> {
      const signed = await (await authentication()).signIn(emailOf(login), password);
      if (signed === undefined) return undefined;
      const user = await getUser(await storage(), signed.userId);
      if (user !== undefined && !user.disabled) return { user, cookies: signed.cookies };
      await cut(signed.userId);
      return undefined;
    },
    /** Ends the session of this cookie; gives the cookies that clear it. */
    async signOut(cookieHeader: string, userId: string): Promise<string[]> {
      const cookies = await (await authentication()).signOut(cookieHeader);
      await announceChange(await storage(), { kind: 'sessions', userId });
      return cookies;
    },
    /** Who this cookie belongs to, as the database says now. */
    async find(cookieHeader: string): Promise<SignedIn | undefined> {
      const session = await (await authentication()).find(cookieHeader);
      if (session === undefined) return undefined;
      const user = await getUser(await storage(), session.userId);
      return user === undefined || user.disabled ? undefined : { user, sessionToken: session.token };
    },
    /** @throws Problem `exists` */
    async create({ name, email, password, role }: NewUser): Promise<User> {
      const db = await storage();
      const address = emailOf(email);
      if (await findUserByEmail(db, address)) throw taken();
      const auth = await authentication();
      const id = await auth.createUser({ name, email: address, password }).catch((error: unknown) => {
        // Two at once: the database lets one in.
        throw isDuplicate(error) ? taken() : error;
      });
      return (await updateUser(db, id, { role })) as User;
    },
    /**
     * Changes a user. A new role, a new password and being disabled end all sessions of that user at once; keys are
     * looked up at every request, so they follow by themselves.
     */
    async update(id: string, changes: UserChanges): Promise<User | undefined> {
      const db = await storage();
      const before = await findAccount(db, id);
      if (before === undefined) return undefined;
      const { name, role, disabled, password } = changes;
      const after = await updateUser(db, id, {
        ...(name !== undefined && { name }),
        ...(role !== undefined && { role }),
        ...(disabled !== undefined && { disabled }),
      });
      if (password !== undefined) await (await authentication()).setPassword(id, password);
      if (password !== undefined || disabled === true || after?.role !== before.role) await cut(id);
      return after;
    },
    /** @throws Problem `wrong_password` */
    async changeOwnPassword(userId: string, token: string, password: { current: string; next: string }): Promise<void> {
      const auth = await authentication();
      if (!(await auth.isPassword(userId, password.current)))
        throw new Problem(403, 'wrong_password', 'The current password is not right.');
      await auth.setPassword(userId, password.next);
      await cut(userId, token);
    },
    /** Removes the user, sessions and keys; the files stay where they are. */
    async remove(id: string): Promise<boolean> {
      const db = await storage();
      if ((await findAccount(db, id)) === undefined || !(await deleteUser(db, id))) return false;
      await onCut(id);
      return true;
    },
  };
}

/** The user of auto-login has no account: nobody signs in as it, and nobody changes it. */
async function findAccount(db: Db, id: string): Promise<User | undefined> {
  return id === LOCAL_USER_ID ? undefined : getUser(db, id);
}

/** A name without a host is one of this server. */
export function emailOf(login: string): string {
  const name = login.trim().toLowerCase();
  return name.includes('@') ? name : `${name}@localhost`;
}

function taken(): Problem {
  return new Problem(409, 'exists', 'There is a user with this e-mail address already.');
}

function isDuplicate(error: unknown): boolean {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: { code?: unknown } };
  return code === '23505' || cause?.code === '23505';
}
