import { Problem } from '../problem.ts';
import type { SecretKeys } from '../secret-key.ts';
import { LOCAL_USER_ID } from '../local-user.ts';
import { announceChange } from '../store/changes.ts';
import type { Db } from '../store/database.ts';
import { isDuplicate } from '../store/is-duplicate.ts';
import { deleteUser, endSessions, findUserByEmail, getUser, updateUser, type User } from '../store/users.ts';
import { type Authentication, createAuthentication, type PasswordHashing } from './authentication.ts';

/** Dependencies of {@link createAccounts}. */
export interface AccountOptions {
  readonly storage: () => Promise<Db>;
  /** The first key signs session cookies; cookies of every key are valid. */
  readonly secrets: SecretKeys;
  readonly cookie: () => { readonly name: string; readonly path: string; readonly secure: boolean };
  /** better-auth's own if absent. */
  readonly passwordHashing?: PasswordHashing | undefined;
  /** Called when sessions of a user end, so that open streams and the connected machine end with them. */
  readonly onCut: (userId: string) => Promise<void>;
}

/** A signed-in user, and the token of their session. */
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
 * Keeps users and their sessions with better-auth, in the server's own tables. Loads better-auth on first use, because
 * a server with auto-login never needs it.
 */
export function createAccounts({ storage, secrets, cookie, passwordHashing, onCut }: AccountOptions) {
  let loading: Promise<Authentication> | undefined;
  const authentication = (): Promise<Authentication> => {
    loading ??= storage()
      .then((db) => createAuthentication(db, secrets, cookie(), passwordHashing))
      // Do not cache a failure: the database may come up later.
      .catch((error: unknown) => {
        loading = undefined;
        throw error;
      });
    return loading;
  };
  const cut = async (userId: string, exceptToken?: string): Promise<void> => {
    await endSessions(await storage(), userId, exceptToken);
    // Also if one session stays: its page reopens its streams, and streams of ended sessions cannot be reopened.
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
    /** The user of this cookie, read from the database; `undefined` for an ended session or a disabled user. */
    async find(cookieHeader: string): Promise<SignedIn | undefined> {
      const session = await (await authentication()).find(cookieHeader);
      return session === undefined || session.user.disabled
        ? undefined
        : { user: session.user, sessionToken: session.token };
    },
    /** @throws Problem `exists` */
    async create({ name, email, password, role }: NewUser): Promise<User> {
      const db = await storage();
      const address = emailOf(email);
      if (await findUserByEmail(db, address)) throw taken();
      const auth = await authentication();
      const id = await auth.createUser({ name, email: address, password, role }).catch((error: unknown) => {
        // A race of two requests: the unique index of the database refuses the second.
        throw isDuplicate(error) ? taken() : error;
      });
      return (await getUser(db, id)) as User;
    },
    /**
     * Changes a user. A new role, a new password or disabling ends all sessions of the user at once. Keys need no
     * change, because every request with a key reads its user.
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
      if (!(await auth.changePassword(userId, password)))
        throw new Problem(403, 'wrong_password', 'The current password is not right.');
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

/** The user of auto-login has no account: it cannot sign in, and the API cannot change it. */
async function findAccount(db: Db, id: string): Promise<User | undefined> {
  return id === LOCAL_USER_ID ? undefined : getUser(db, id);
}

/** Completes a sign-in name without a host by `@localhost`. */
export function emailOf(login: string): string {
  const name = login.trim().toLowerCase();
  return name.includes('@') ? name : `${name}@localhost`;
}

function taken(): Problem {
  return new Problem(409, 'exists', 'There is a user with this e-mail address already.');
}
