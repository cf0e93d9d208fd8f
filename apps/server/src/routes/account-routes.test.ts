import { beforeEach, describe, expect, it } from 'vitest';
import { useSharedDatabase } from '../../../../tests/store/use-shared-database.ts';
import { routeCaller, TEST_CALLER } from '../../../../tests/support/route-caller.ts';
import { Problem } from '../problem.ts';
import type { Db } from '../store/database.ts';
import { type AccountRouteOptions, makeAccountRoutes } from './account-routes.ts';

let db: Db;
const userId = 'ar-ann';
useSharedDatabase((database) => void (db = database.db), [userId]);

const USER = { id: userId, name: 'Ann', email: 'a@test', role: 'user', disabled: false } as const;
let events: unknown[][];
let settings: AccountRouteOptions['settings'];
let sessionToken: string | undefined;
let isKnownPassword: boolean;
let limit: Error | undefined;
const note = (...what: unknown[]) => void events.push(what);
beforeEach(() => {
  events = [];
  settings = { autoLogin: false, publicUrl: 'https://p.test' };
  sessionToken = 'token';
  isKnownPassword = true;
  limit = undefined;
});

const options = (): AccountRouteOptions =>
  ({
    accounts: {
      async signIn(login: string, password: string) {
        note('signIn', login, password);
        return isKnownPassword ? { user: USER, cookies: ['s=1', 't=2'] } : undefined;
      },
      async signOut(cookie: string, user: string) {
        note('signOut', cookie, user);
        return ['s=; Max-Age=0'];
      },
      changeOwnPassword: async (...args: unknown[]) => note('changeOwnPassword', ...args),
    },
    basePath: '/base',
    cookie: { name: 'croft', path: '/', secure: false },
    endedSessions: { add: async (token: string) => note('ended', token) },
    events: { endFor: (user: string) => note('endFor', user) },
    knownBrowsers: {
      find: (mark: string | undefined, account: string) => `browser ${mark} of ${account}`,
      issue: (account: string) => `mark-of-${account.replace(/\W/g, '-')}`,
    },
    limits: {
      async take(tried: object) {
        note('take', tried);
        if (limit) throw limit;
        return async () => note('wasRight');
      },
    },
    audit: (_: unknown, about: object) => note('audit', about),
    proxies: { originOf: () => ({ address: '10.0.0.1' }) },
    requireOwnPage: () => note('requireOwnPage'),
    settings,
    storage: async () => db,
    version: '1.2.3',
  }) as unknown as AccountRouteOptions;
const caller = { ...TEST_CALLER, userId };
const call = (target: string, ask: object = {}) =>
  routeCaller(makeAccountRoutes(options()), {
    identify: async () =>
      ({ caller: { ...caller, ...ask }, ...(sessionToken !== undefined && { sessionToken }) }) as never,
  })(target, ask);

describe('GET /api/v1/me', () => {
  const facts = { version: '1.2.3', basePath: '/base', features: { gateway: true } };

  it('gives the user and facts about the server', async () => {
    expect((await call('GET /api/v1/me')).body).toEqual({
      user: { id: userId, name: userId, email: `${userId}@example.test`, role: 'user' },
      autoLogin: false,
      publicUrl: 'https://p.test',
      ...facts,
    });
  });

  it('gives no user to others', async () => {
    settings = { autoLogin: true, publicUrl: undefined };
    const anonymous = routeCaller(makeAccountRoutes(options()));
    expect((await anonymous('GET /api/v1/me', { caller: 'nobody' })).body).toEqual({
      user: null,
      autoLogin: true,
      publicUrl: null,
      ...facts,
    });
  });
});

describe('POST /api/v1/session', () => {
  const signIn = (headers = {}) =>
    call('POST /api/v1/session', { json: { login: ' A@Test ', password: 'pw' }, headers });

  it('signs in, counts a right password as no attempt, and marks the browser', async () => {
    const { status, body, headers } = await signIn({ cookie: 'x=1; croft_known=old' });
    expect([status, body]).toEqual([200, { user: { id: userId, name: 'Ann', email: 'a@test', role: 'user' } }]);
    const { account } = (events[1] ?? [])[1] as { account: string };
    expect(events).toEqual([
      ['requireOwnPage'],
      ['take', { address: '10.0.0.1', account, browser: `browser old of ${account}` }],
      ['signIn', ' A@Test ', 'pw'],
      ['audit', { action: 'signIn', outcome: 'ok', caller: { userId, via: 'session' } }],
      ['wasRight'],
    ]);
    expect(account).toMatch(/^a@test/);
    expect(headers.getSetCookie().slice(0, 2)).toEqual(['s=1', 't=2']);
    expect(headers.getSetCookie()[2]).toMatch(/^croft_known=mark-of-a-test.*Max-Age=\d{6,}/);
  });

  it('records a wrong password', async () => {
    isKnownPassword = false;
    const { status, body } = await signIn();
    expect([status, body.error]).toEqual([
      401,
      { code: 'wrong_credentials', message: 'The name or the password is not right.' },
    ]);
    expect(events.at(-1)).toEqual(['audit', { action: 'signIn', outcome: 'wrong_credentials' }]);
  });

  it('records an attempt over the limit, without looking at the password', async () => {
    limit = new Problem(429, 'too_many_attempts', 'Wait.');
    expect((await signIn()).status).toBe(429);
    expect(events.at(-1)).toEqual(['audit', { action: 'signIn', outcome: 'too_many_attempts' }]);
    expect(events.some(([what]) => what === 'signIn')).toBe(false);
  });

  it('records a failure of the database as such', async () => {
    limit = new Problem(503, 'database_down', 'Wait.');
    expect((await signIn()).status).toBe(503);
    expect(events.at(-1)).toEqual(['audit', { action: 'signIn', outcome: 'database_down' }]);
  });

  it('is not for a server without accounts', async () => {
    settings = { autoLogin: true, publicUrl: undefined };
    expect((await signIn()).body.error).toEqual({
      code: 'auto_login',
      message: 'This server has one local user and no passwords. Run croft open.',
    });
    expect(events).toEqual([]);
  });
});

describe('DELETE /api/v1/session', () => {
  it('ends the session and the streams of the user', async () => {
    const { body, headers } = await call('DELETE /api/v1/session', { headers: { cookie: 'croft=c' } });
    expect(body).toEqual({});
    expect(headers.getSetCookie()).toEqual(['s=; Max-Age=0']);
    expect(events).toEqual([
      ['signOut', 'croft=c', userId],
      ['endFor', userId],
    ]);
  });

  it('ends the session of the local user, which has no account', async () => {
    const { headers } = await call('DELETE /api/v1/session', { headers: { cookie: 'croft=c' }, via: 'local' });
    expect(events).toEqual([
      ['ended', 'c'],
      ['endFor', userId],
    ]);
    expect(headers.getSetCookie()[0]).toMatch(/^croft=;.*Max-Age=0/);
  });
});

describe('PATCH /api/v1/me', () => {
  const change = (json: object) => call('PATCH /api/v1/me', { json });
  const password = { current: 'old password', next: 'a new password' };

  it('changes the name', async () => {
    expect((await change({ name: 'Ann B' })).body.user).toMatchObject({ id: userId, name: 'Ann B' });
    expect((await change({})).body.user).toMatchObject({ name: 'Ann B' });
    await change({ name: userId });
    expect(events).toEqual([]);
  });

  it('changes the password after a count of the attempt', async () => {
    expect((await change({ password })).status).toBe(200);
    expect(events).toEqual([
      ['take', { address: '10.0.0.1', account: `user ${userId}` }],
      ['changeOwnPassword', userId, 'token', password],
      ['wasRight'],
    ]);
    limit = new Problem(429, 'too_many_attempts', 'Wait.');
    expect((await change({ password })).status).toBe(429);
  });

  it('has no password of the local user', async () => {
    sessionToken = undefined;
    expect((await change({ password })).body.error).toEqual({
      code: 'auto_login',
      message: 'The local user has no password.',
    });
    expect(events).toEqual([]);
  });
});
