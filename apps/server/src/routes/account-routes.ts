import { z } from 'zod';
import { emailOf } from '../accounts/accounts.ts';
import { KNOWN_BROWSER_SECONDS } from '../accounts/known-browsers.ts';
import { cookieOf } from '../edge/cookies.ts';
import { LOCAL_SESSION_SECONDS } from '../local-session.ts';
import { sameSecret } from '../local/token-file.ts';
import type { Parts } from '../parts.ts';
import { notFound, notSignedIn, Problem } from '../problem.ts';
import { createApiKey, listApiKeys, revokeApiKey } from '../store/api-keys.ts';
import { getUser, LOCAL_USER_ID, type User, updateUser } from '../store/users.ts';
import type { Endpoints } from './endpoint.ts';

const userAnswer = z.object({ id: z.string(), name: z.string(), email: z.string(), role: z.enum(['admin', 'user']) });
const keyAnswer = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z.string(),
  createdAt: z.string(),
  lastUsedAt: z.string().nullable(),
});
const name = z.string().trim().min(1, 'give a name').max(100, 'at most 100 characters');
/** What a sign-in may try; a new one has to be longer. */
const anyPassword = z.string().min(1, 'give the password').max(1_000);
/** The length is what counts. */
export const newPassword = z.string().min(8, 'at least 8 characters').max(128, 'at most 128 characters');

/** A user as they see themselves. */
export function shownUser({ id, name: called, email, role }: User): z.infer<typeof userAnswer> {
  return { id, name: called, email, role };
}

/** Who one is, signing in and out, one's own keys. */
export function addAccountRoutes(endpoints: Endpoints, parts: Parts): void {
  addSessionRoutes(endpoints, parts);
  addKeyRoutes(endpoints, parts);
}

function addSessionRoutes(endpoints: Endpoints, parts: Parts): void {
  const { accounts, limits, settings } = parts;
  endpoints.add(
    {
      method: 'get',
      path: '/api/v1/me',
      summary: 'Who is asking, and what this server is',
      access: 'anyone',
      answer: z.object({
        user: userAnswer.nullable(),
        autoLogin: z.boolean(),
        version: z.string(),
        publicUrl: z.string().nullable(),
        basePath: z.string(),
        features: z.object({ gateway: z.boolean() }),
      }),
    },
    async ({ identified }) => {
      const user = identified && (await getUser(await parts.storage(), identified.caller.userId));
      return {
        user: user ? shownUser(user) : null,
        autoLogin: settings.autoLogin,
        version: parts.version,
        publicUrl: settings.publicUrl ?? null,
        basePath: parts.basePath,
        features: { gateway: true },
      };
    },
  );
  endpoints.add(
    {
      method: 'post',
      path: '/api/v1/session',
      summary: 'Sign in with name or e-mail address and password',
      access: 'anyone',
      body: z.object({ login: z.string().min(1, 'give a name or an e-mail address').max(320), password: anyPassword }),
      answer: z.object({ user: userAnswer }),
    },
    async ({ body, context }) => {
      if (settings.autoLogin)
        throw new Problem(409, 'auto_login', 'This server has one local user and no passwords. Run croft open.');
      parts.requireOwnPage(context.env.incoming);
      const { address } = parts.proxies.originOf(context.env.incoming);
      // One count for all the ways to write a name, or each would have tries of its own.
      const account = emailOf(body.login);
      const marked = cookieOf(context.req.header('cookie') ?? '', browserCookieName(parts));
      const tried = { address, account, browser: parts.knownBrowsers.find(marked, account) };
      const wasRight = await limits.take(tried);
      const signed = await accounts.signIn(body.login, body.password);
      if (signed === undefined) {
        parts.log.warn({ address }, 'a sign-in was refused');
        throw new Problem(401, 'wrong_credentials', 'The name or the password is not right.');
      }
      await wasRight();
      return withCookies({ user: shownUser(signed.user) }, [...signed.cookies, browserCookie(parts, account)]);
    },
  );
  endpoints.add(
    { method: 'delete', path: '/api/v1/session', summary: 'Sign out', access: 'session', answer: z.object({}) },
    async ({ context, caller }) => {
      const given = context.req.header('cookie') ?? '';
      const isLocal = caller.via === 'local';
      if (isLocal) await parts.endedSessions.add(cookieOf(given, parts.cookie.name) ?? '');
      const cookies = isLocal ? [localCookie(parts, '', 0)] : await accounts.signOut(given, caller.userId);
      // Pages of other sessions open theirs again.
      parts.events.endFor(caller.userId);
      return withCookies({}, cookies);
    },
  );
  endpoints.add(
    {
      method: 'patch',
      path: '/api/v1/me',
      summary: "Change one's own name or password; a new password ends one's other sessions",
      access: 'session',
      body: z.object({
        name: name.optional(),
        password: z.object({ current: anyPassword, next: newPassword }).optional(),
      }),
      answer: z.object({ user: userAnswer }),
    },
    async ({ body, caller, identified, context }) => {
      if (body.password !== undefined) {
        if (identified?.sessionToken === undefined)
          throw new Problem(409, 'auto_login', 'The local user has no password.');
        const { address } = parts.proxies.originOf(context.env.incoming);
        await limits.take({ address, account: `user ${caller.userId}` });
        await accounts.changeOwnPassword(caller.userId, identified.sessionToken, body.password);
      }
      const db = await parts.storage();
      const user =
        body.name === undefined
          ? await getUser(db, caller.userId)
          : await updateUser(db, caller.userId, { name: body.name });
      if (user === undefined) throw notSignedIn();
      return { user: shownUser(user) };
    },
  );
}

function addKeyRoutes(endpoints: Endpoints, parts: Parts): void {
  endpoints.add(
    {
      method: 'get',
      path: '/api/v1/keys',
      summary: "One's own API keys, without the keys themselves",
      access: 'session',
      answer: z.object({ keys: z.array(keyAnswer) }),
    },
    async ({ caller }) => ({ keys: await listApiKeys(await parts.storage(), caller.userId) }),
  );
  endpoints.add(
    {
      method: 'post',
      path: '/api/v1/keys',
      summary: 'Make an API key; the answer holds it once',
      access: 'session',
      body: z.object({ name }),
      answer: z.object({ key: keyAnswer, secret: z.string() }),
      status: 201,
    },
    async ({ caller, body }) => createApiKey(await parts.storage(), { userId: caller.userId, name: body.name }),
  );
  endpoints.add(
    {
      method: 'delete',
      path: '/api/v1/keys/:id',
      summary: 'End an API key',
      access: 'session',
      answer: z.object({ id: z.string() }),
    },
    async ({ caller, param }) => {
      const id = param('id');
      if (!(await revokeApiKey(await parts.storage(), caller.userId, id))) throw notFound('You have no such key.');
      return { id };
    },
  );
}

/** The local user's way in: a one-time address for a browser. */
export function addLocalRoutes(endpoints: Endpoints, parts: Parts): void {
  const { localSessions, settings, basePath } = parts;
  if (!settings.autoLogin) return;
  endpoints.add(
    { method: 'get', path: '/open', summary: 'Open the page once', access: 'anyone', isHidden: true },
    ({ context }) => {
      // A HEAD is a link preview, not a person: it must not use the code up.
      const isRight = context.env.incoming.method === 'GET' && localSessions.redeem(context.req.query('code') ?? '');
      const headers = new Headers({ Location: basePath, 'Cache-Control': 'no-store' });
      if (isRight) headers.append('Set-Cookie', localCookie(parts, localSessions.issue(), LOCAL_SESSION_SECONDS));
      // Without a session the page itself says how to get one.
      return new Response(null, { status: 303, headers });
    },
  );
  endpoints.add(
    {
      method: 'post',
      path: '/api/v1/one-time-url',
      summary: "A new one-time address of the page, for this machine's own programs",
      access: 'anyone',
      isHidden: true,
    },
    ({ context }) => {
      const given = /^Bearer +(\S+)$/i.exec(context.req.header('authorization') ?? '')?.[1];
      if (given === undefined || parts.machineToken === undefined || !sameSecret(given, parts.machineToken))
        throw notSignedIn();
      return { url: `${parts.url()}/open?code=${localSessions.makeCode()}` };
    },
  );
}

/** The id of the one user of auto-login, and nobody else's. */
export const isLocalUser = (userId: string): boolean => userId === LOCAL_USER_ID;

function localCookie(parts: Parts, value: string, maxAgeSeconds: number): string {
  return cookieLine(parts, parts.cookie.name, value, maxAgeSeconds);
}

/** Stays after signing out: it only says that somebody who knew the password was here. */
function browserCookie(parts: Parts, account: string): string {
  return cookieLine(parts, browserCookieName(parts), parts.knownBrowsers.issue(account), KNOWN_BROWSER_SECONDS);
}

function browserCookieName({ cookie }: Parts): string {
  return `${cookie.name}_known`;
}

function cookieLine({ cookie }: Parts, called: string, value: string, maxAgeSeconds: number): string {
  const secure = cookie.secure ? '; Secure' : '';
  return `${called}=${value}; Path=${cookie.path}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`;
}

function withCookies(answer: object, cookies: readonly string[]): Response {
  const response = Response.json(answer, { headers: { 'Cache-Control': 'no-store' } });
  for (const cookie of cookies) response.headers.append('Set-Cookie', cookie);
  return response;
}
