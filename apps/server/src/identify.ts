import type { IncomingMessage } from 'node:http';
import type { Accounts } from './accounts/accounts.ts';
import { bearerOf } from './edge/bearer.ts';
import { cookieOf } from './edge/cookies.ts';
import type { OriginRule } from './edge/own-origin.ts';
import type { EndedSessions } from './ended-sessions.ts';
import type { Caller } from './identity.ts';
import type { LocalSessions } from './local-session.ts';
import { Problem } from './problem.ts';
import { findKeyOwner, hashApiKey } from './store/api-keys.ts';
import type { Db } from './store/database.ts';
import type { Touches } from './store/touches.ts';
import { isOfThisMode, LOCAL_USER_ID } from './local-user.ts';

/** A caller, and what some routes need to know about the sign-in. */
export interface Identified {
  readonly caller: Caller;
  /** The session of a person who signed in. */
  readonly sessionToken?: string;
}

/** Dependencies of {@link identify}. */
export interface IdentifyOptions {
  readonly autoLogin: boolean;
  readonly cookieName: string;
  readonly storage: () => Promise<Db>;
  readonly keyTouches: () => Pick<Touches, 'touch'>;
  readonly accounts: Accounts;
  readonly localSessions: LocalSessions;
  readonly endedSessions: EndedSessions;
  readonly originRule: OriginRule;
}

/**
 * Authenticates a request: by its bearer token if it has an `Authorization` header, otherwise by its cookie. Returns
 * `undefined` for an anonymous request.
 *
 * A browser adds the cookie to requests that any page causes. So a request with a cookie must not come from a foreign
 * page. One that changes something needs our Origin (or `Sec-Fetch-Site: same-origin`), and must be one that an HTML
 * form cannot send: by its content type, by the header `X-Croft`, or by its method if it has no body.
 *
 * @throws Problem `cross_site`, for a cookie on a request that a foreign page could have made
 */
export async function identify(request: IncomingMessage, options: IdentifyOptions): Promise<Identified | undefined> {
  const { authorization, cookie } = request.headers;
  if (authorization !== undefined) {
    const secret = bearerOf(authorization);
    const caller = secret === undefined ? undefined : await ownerOfKey(secret, options);
    return caller && { caller };
  }
  if (cookie === undefined || cookieOf(cookie, options.cookieName) === undefined) return undefined;
  refuseForeignPage(request, options.originRule);
  if (options.autoLogin) return findLocal(cookieOf(cookie, options.cookieName), options);
  const signedIn = await options.accounts.find(cookie);
  if (signedIn === undefined) return undefined;
  const { user, sessionToken } = signedIn;
  return { caller: { userId: user.id, role: user.role, via: 'session' }, sessionToken };
}

async function findLocal(value: string | undefined, options: IdentifyOptions): Promise<Identified | undefined> {
  if (value === undefined || !options.localSessions.isValid(value)) return undefined;
  if (await options.endedSessions.has(value)) return undefined;
  return { caller: { userId: LOCAL_USER_ID, role: 'admin', via: 'local' } };
}

/** The user of an API key; `undefined` for an unknown key. */
export async function ownerOfKey(secret: string, options: IdentifyOptions): Promise<Caller | undefined> {
  // Text that cannot be a key does not cause a query.
  if (!/^croft_[\w-]{20,100}$/.test(secret)) return undefined;
  const hash = hashApiKey(secret);
  const owner = await findKeyOwner(await options.storage(), hash);
  if (owner === undefined || !isOfThisMode(owner.userId, options)) return undefined;
  options.keyTouches().touch(owner.keyId);
  const findAgain = async () => findKeyOwner(await options.storage(), hash);
  return { userId: owner.userId, role: owner.role, via: 'key', key: owner.keyName, findAgain };
}

/** @throws Problem `cross_site` */
export function refuseForeignPage(request: IncomingMessage, rule: OriginRule): void {
  const { method, headers } = request;
  const isReading = method === 'GET' || method === 'HEAD';
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  const noFormSends =
    headers['x-croft'] !== undefined || /^application\/json *(;|$)/i.test(headers['content-type'] ?? '');
  // An HTML form cannot send this either: it has no body, and its method is not POST.
  const isPlain = !hasBody && method !== 'POST';
  if (rule.isOwnPage(request) && (isReading || noFormSends || isPlain)) return;
  if (headers.origin === undefined && headers['sec-fetch-site'] === undefined)
    throw new Problem(
      403,
      'cross_site',
      'A sign-in, or a change with a cookie, needs the header Origin with the address of this server. Browsers send it. Other programs set it, or use an API key.',
    );
  throw new Problem(
    403,
    'cross_site',
    'This request may come from another site. Send it from a page of this server, as application/json or with the header X-Croft: 1; programs use an API key.',
  );
}
