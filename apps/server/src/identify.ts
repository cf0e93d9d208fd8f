import type { IncomingMessage } from 'node:http';
import type { Accounts } from './accounts/accounts.ts';
import { cookieOf } from './edge/cookies.ts';
import type { OriginRule } from './edge/own-origin.ts';
import type { EndedSessions } from './ended-sessions.ts';
import type { Caller } from './identity.ts';
import type { LocalSessions } from './local-session.ts';
import { Problem } from './problem.ts';
import { findKeyOwner, hashApiKey, type KeyTouches } from './store/api-keys.ts';
import type { Db } from './store/database.ts';
import { LOCAL_USER_ID } from './store/users.ts';

/** A caller, and what some routes need to know of how they came. */
export interface Identified {
  readonly caller: Caller;
  /** The session of a person who signed in. */
  readonly sessionToken?: string;
}

/** What telling callers apart takes. */
export interface IdentifyOptions {
  readonly autoLogin: boolean;
  readonly cookieName: string;
  readonly storage: () => Promise<Db>;
  readonly keyTouches: () => KeyTouches;
  readonly accounts: Accounts;
  readonly localSessions: LocalSessions;
  readonly endedSessions: EndedSessions;
  readonly originRule: OriginRule;
}

/**
 * Who is asking: a bearer where there is one, and then nothing else counts; else the cookie, when a page of ours sent
 * it. `undefined` for nobody.
 *
 * A cookie is sent along by any page that can make a browser ask. So a request that changes something needs besides the
 * Origin of ours (or `Sec-Fetch-Site: same-origin`) a content type no form can send, or the header `X-Croft`.
 *
 * @throws Problem `cross_site`, for a cookie on a request that a foreign page could have made
 */
export async function identify(request: IncomingMessage, options: IdentifyOptions): Promise<Identified | undefined> {
  const { authorization, cookie } = request.headers;
  if (authorization !== undefined) {
    const secret = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
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

/** Who an API key speaks for; `undefined` for nobody. */
export async function ownerOfKey(secret: string, options: IdentifyOptions): Promise<Caller | undefined> {
  // What cannot be a key is not asked for: the database is for those who have one.
  if (!/^croft_[\w-]{20,100}$/.test(secret)) return undefined;
  const owner = await findKeyOwner(await options.storage(), hashApiKey(secret));
  if (owner === undefined || !isOfThisMode(owner.userId, options)) return undefined;
  options.keyTouches().touch(owner.keyId);
  return { userId: owner.userId, role: owner.role, via: 'key' };
}

/** Keys made without accounts open nothing once there are accounts, and the other way round. */
function isOfThisMode(userId: string, { autoLogin }: IdentifyOptions): boolean {
  return autoLogin === (userId === LOCAL_USER_ID);
}

/** @throws Problem `cross_site` */
export function refuseForeignPage(request: IncomingMessage, rule: OriginRule): void {
  const { method, headers } = request;
  const isReading = method === 'GET' || method === 'HEAD';
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  const noFormSends =
    headers['x-croft'] !== undefined || /^application\/json *(;|$)/i.test(headers['content-type'] ?? '');
  // What bears no body and is no POST cannot be sent by a form either.
  const isPlain = !hasBody && method !== 'POST';
  if (rule.isOwnPage(request) && (isReading || noFormSends || isPlain)) return;
  throw new Problem(
    403,
    'cross_site',
    'This request may come from another site. Send it from a page of this server, as application/json or with the header X-Croft: 1; programs use an API key.',
  );
}
