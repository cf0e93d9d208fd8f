import type { Audit } from '../audit.ts';
import { type Accounts, emailOf } from '../accounts/accounts.ts';
import { KNOWN_BROWSER_SECONDS, type KnownBrowsers } from '../accounts/known-browsers.ts';
import type { SignInLimits } from '../accounts/sign-in-limits.ts';
import type { Settings } from '../config/settings.ts';
import { accountRoutes } from '../contract/account-routes.ts';
import type { TrustedProxies } from '../edge/addresses.ts';
import { type CookieScope, cookieOf, setOwnCookie } from '../edge/cookies.ts';
import type { EndedSessions } from '../ended-sessions.ts';
import type { EventStreams } from '../events.ts';
import { notSignedIn } from '../problem.ts';
import type { Db } from '../store/database.ts';
import { getUser, type User, updateUser } from '../store/users.ts';
import { toProblem } from '../to-problem.ts';
import { type RawHttp, type Route, route } from './route.ts';

export interface AccountRouteOptions {
  readonly accounts: Accounts;
  readonly basePath: string;
  readonly cookie: CookieScope;
  readonly endedSessions: Pick<EndedSessions, 'add'>;
  readonly events: Pick<EventStreams, 'endFor'>;
  readonly knownBrowsers: KnownBrowsers;
  readonly limits: SignInLimits;
  readonly audit: Audit;
  readonly proxies: TrustedProxies;
  /** @throws Problem `cross_site` */
  readonly requireOwnPage: (request: RawHttp['incoming']) => void;
  readonly settings: Pick<Settings, 'autoLogin' | 'publicUrl'>;
  readonly storage: () => Promise<Db>;
  readonly version: string;
}

/** Users as they see themselves. */
export function shownUser({ id, name, email, role }: User) {
  return { id, name, email, role };
}

/** The caller's own account, and signing in and out. */
export function makeAccountRoutes(options: AccountRouteOptions): Route[] {
  const { accounts, limits, settings, storage } = options;
  return [
    route(accountRoutes.getMe, async ({ caller }) => {
      const user = caller && (await getUser(await storage(), caller.userId));
      return {
        user: user ? shownUser(user) : null,
        autoLogin: settings.autoLogin,
        version: options.version,
        publicUrl: settings.publicUrl ?? null,
        basePath: options.basePath,
        features: { gateway: true },
      };
    }),
    makeSignIn(options),
    makeSignOut(options),
    route(accountRoutes.updateMe, async ({ body, caller, identified, incoming, problem }) => {
      if (body.password !== undefined) {
        if (identified.sessionToken === undefined) throw problem('auto_login', 'The local user has no password.');
        const { address } = options.proxies.originOf(incoming);
        const wasRight = await limits.take({ address, account: `user ${caller.userId}` });
        await accounts.changeOwnPassword(caller.userId, identified.sessionToken, body.password);
        await wasRight();
      }
      const db = await storage();
      const user =
        body.name === undefined
          ? await getUser(db, caller.userId)
          : await updateUser(db, caller.userId, { name: body.name });
      if (user === undefined) throw notSignedIn();
      return { user: shownUser(user) };
    }),
  ];
}

function makeSignIn(options: AccountRouteOptions): Route {
  const { accounts, cookie, knownBrowsers, limits } = options;
  return route(accountRoutes.signIn, async ({ body, context, incoming, problem }) => {
    if (options.settings.autoLogin)
      throw problem('auto_login', 'This server has one local user and no passwords. Run croft open.');
    options.requireOwnPage(incoming);
    const { address } = options.proxies.originOf(incoming);
    // One count for all spellings of a name: with a count for each, an attacker would have more attempts.
    const account = emailOf(body.login);
    const marked = cookieOf(context.req.header('cookie') ?? '', browserCookieName(cookie));
    const tried = { address, account, browser: knownBrowsers.find(marked, account) };
    const record = (outcome: string, userId?: string): void =>
      options.audit(incoming, { action: 'signIn', outcome, ...(userId && { caller: { userId, via: 'session' } }) });
    const wasRight = await limits.take(tried).catch((error: unknown) => {
      record(toProblem(error)?.code ?? 'internal');
      throw error;
    });
    const signed = await accounts.signIn(body.login, body.password);
    if (signed === undefined) {
      record('wrong_credentials');
      throw problem('wrong_credentials', 'The name or the password is not right.');
    }
    record('ok', signed.user.id);
    await wasRight();
    for (const line of signed.cookies) context.header('Set-Cookie', line, { append: true });
    // It stays after sign-out: it says only that this browser once had the right password.
    setOwnCookie(context, cookie, {
      name: browserCookieName(cookie),
      value: knownBrowsers.issue(account),
      maxAge: KNOWN_BROWSER_SECONDS,
    });
    return { user: shownUser(signed.user) };
  });
}

function makeSignOut({ accounts, cookie, endedSessions, events }: AccountRouteOptions): Route {
  return route(accountRoutes.signOut, async ({ caller, context }) => {
    const sent = context.req.header('cookie') ?? '';
    if (caller.via === 'local') {
      await endedSessions.add(cookieOf(sent, cookie.name) ?? '');
      setOwnCookie(context, cookie, { name: cookie.name, value: '', maxAge: 0 });
    } else {
      for (const line of await accounts.signOut(sent, caller.userId))
        context.header('Set-Cookie', line, { append: true });
    }
    // Pages of the user's other sessions open their streams again.
    events.endFor(caller.userId);
    return {};
  });
}

function browserCookieName({ name }: CookieScope): string {
  return `${name}_known`;
}
