import { and, eq, lt } from 'drizzle-orm';
import { z } from 'zod';
import type { SecretKeys } from '../secret-key.ts';
import type { Db, Transaction } from '../store/database.ts';
import { account, session, user, verification } from '../store/schema.ts';
import { findSessionUser, type User } from '../store/users.ts';
import { signedToken, withCurrentSignature } from './cookie-signature.ts';

/** The functions of better-auth that the server uses. */
export interface Authentication {
  signIn(email: string, password: string): Promise<{ userId: string; cookies: string[] } | undefined>;
  signOut(cookie: string): Promise<string[]>;
  /** The user of a session that has not expired. Asks the database once, because each request of a page does this. */
  find(cookie: string): Promise<{ user: User; token: string } | undefined>;
  /** Stores the user with role and password, or nothing. @returns the id of the new user */
  createUser(user: { name: string; email: string; password: string; role: 'admin' | 'user' }): Promise<string>;
  /** Also of a user who has no password yet. */
  setPassword(userId: string, password: string): Promise<void>;
  /**
   * Replaces the password `current`. Changes nothing and returns false if it is another one, also if it became another one
   * while it was checked.
   */
  changePassword(userId: string, password: { current: string; next: string }): Promise<boolean>;
}

/** Hashes passwords and compares them with their hashes, as better-auth calls it. */
export interface PasswordHashing {
  hash(password: string): Promise<string>;
  verify(given: { hash: string; password: string }): Promise<boolean>;
}

const SESSION_SECONDS = 30 * 86_400;
/** better-auth needs an address for links, which this server never sends. */
const UNUSED_URL = 'http://localhost';

/**
 * Loads better-auth over the server's tables: e-mail and password, no public sign-up, no telemetry.
 *
 * @param secrets the first key signs cookies; cookies of every key are valid
 * @param passwordHashing scrypt if absent (N 16384, r 16)
 */
export async function createAuthentication(
  db: Db,
  secrets: SecretKeys,
  cookie: { readonly name: string; readonly path: string; readonly secure: boolean },
  passwordHashing?: PasswordHashing,
): Promise<Authentication> {
  const [{ betterAuth }, { drizzleAdapter }, { APIError, createAuthEndpoint }, { setSessionCookie }] =
    await Promise.all([
      import('better-auth/minimal'),
      import('better-auth/adapters/drizzle'),
      import('better-auth/api'),
      import('better-auth/cookies'),
    ]);
  // better-auth's own sign-in refuses an address whose host has no dot, such as `admin@localhost`.
  const signIn = createAuthEndpoint(
    '/croft/sign-in',
    { method: 'POST', body: z.object({ email: z.string(), password: z.string() }) },
    async (ctx) => {
      const { internalAdapter: adapter, password: passwords } = ctx.context;
      const found = await adapter.findUserByEmail(ctx.body.email);
      const credential = found && (await adapter.findCredentialAccount(found.user.id));
      // Hash the password even without an account: the response time must not reveal which accounts exist.
      const isRight = credential?.password
        ? await passwords.verify({ hash: credential.password, password: ctx.body.password })
        : await passwords.hash(ctx.body.password).then(() => false);
      if (!found || !isRight) throw new APIError('UNAUTHORIZED');
      const made = await adapter.createSession(found.user.id);
      // A password that changes meanwhile ends all sessions, but perhaps before this one was stored.
      const latest = await adapter.findCredentialAccount(found.user.id);
      if (latest?.password !== credential?.password) {
        await adapter.deleteSession(made.token);
        throw new APIError('UNAUTHORIZED');
      }
      await setSessionCookie(ctx, { session: made, user: found.user });
      return ctx.json({ userId: found.user.id });
    },
  );
  const auth = betterAuth({
    baseURL: UNUSED_URL,
    secret: secrets[0],
    database: drizzleAdapter(db, { provider: 'pg', schema: { user, session, account, verification } }),
    telemetry: { enabled: false },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: 8,
      maxPasswordLength: 128,
      ...(passwordHashing && { password: passwordHashing }),
    },
    session: { expiresIn: SESSION_SECONDS, disableSessionRefresh: true, cookieCache: { enabled: false } },
    plugins: [{ id: 'croft', endpoints: { croftSignIn: signIn } }],
    // `sign-in-limits.ts` limits attempts before this code runs, by address and by account.
    rateLimit: { enabled: false },
    logger: { disabled: true },
    advanced: {
      useSecureCookies: false,
      defaultCookieAttributes: { httpOnly: true, sameSite: 'strict', path: cookie.path, secure: cookie.secure },
      cookies: { session_token: { name: cookie.name } },
      // The server checks Host, Origin and Sec-Fetch-Site before this code runs.
      disableCSRFCheck: true,
    },
  });
  const context = await auth.$context;
  const { internalAdapter, password: passwords } = context;
  const addCredential = (tx: Transaction, userId: string, hash: string) => {
    const id = String(context.generateId({ model: 'account' }));
    return tx.insert(account).values({ id, userId, accountId: userId, providerId: 'credential', password: hash });
  };
  const headersOf = (given: string) => new Headers({ cookie: withCurrentSignature(given, cookie.name, secrets) });
  return {
    async signIn(email, password) {
      try {
        const { headers, response } = await auth.api.croftSignIn({ body: { email, password }, returnHeaders: true });
        // A browser drops the cookie of an expired session, and a lookup deletes none.
        await db.delete(session).where(and(eq(session.userId, response.userId), lt(session.expiresAt, new Date())));
        return { userId: response.userId, cookies: headers.getSetCookie() };
      } catch (error) {
        if (isRefusal(error)) return undefined;
        throw error;
      }
    },
    async signOut(given) {
      const { headers } = await auth.api.signOut({ headers: headersOf(given), returnHeaders: true });
      // Cookies it never set need no clearing.
      return headers.getSetCookie().filter((line) => line.startsWith(`${cookie.name}=`));
    },
    async find(given) {
      const token = signedToken(given, cookie.name, secrets);
      const found = token === undefined ? undefined : await findSessionUser(db, token);
      return token === undefined || found === undefined ? undefined : { user: found, token };
    },
    // Not by better-auth: it stores user and password one after the other, and sets a password only where there is one.
    async createUser({ name, email, password, role }) {
      const hash = await passwords.hash(password);
      const id = String(context.generateId({ model: 'user' }));
      await db.transaction(async (tx) => {
        await tx.insert(user).values({ id, name, email, emailVerified: true, role });
        await addCredential(tx, id, hash);
      });
      return id;
    },
    async setPassword(userId, password) {
      const hash = await passwords.hash(password);
      await db.transaction(async (tx) => {
        const [found] = await tx.select({ id: user.id }).from(user).where(eq(user.id, userId)).for('update');
        if (found === undefined) return;
        const changed = await tx
          .update(account)
          .set({ password: hash, updatedAt: new Date() })
          .where(and(eq(account.userId, userId), eq(account.providerId, 'credential')))
          .returning({ id: account.id });
        if (changed.length === 0) await addCredential(tx, userId, hash);
      });
    },
    async changePassword(userId, { current, next }) {
      const hash = (await internalAdapter.findCredentialAccount(userId))?.password;
      if (typeof hash !== 'string' || !(await passwords.verify({ hash, password: current }))) return false;
      const changed = await db
        .update(account)
        .set({ password: await passwords.hash(next), updatedAt: new Date() })
        .where(and(eq(account.userId, userId), eq(account.providerId, 'credential'), eq(account.password, hash)))
        .returning({ id: account.id });
      return changed.length > 0;
    },
  };
}

/** Whether better-auth refused the credentials; other errors are failures of the server. */
function isRefusal(error: unknown): boolean {
  const { statusCode } = (error ?? {}) as { statusCode?: unknown };
  return statusCode === 401 || statusCode === 400;
}
