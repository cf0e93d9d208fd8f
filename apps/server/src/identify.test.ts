import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { useSharedDatabase } from '../../../tests/store/use-shared-database.ts';
import { originRule } from './edge/own-origin.ts';
import { identify, type IdentifyOptions, refuseForeignPage } from './identify.ts';
import { LOCAL_USER_ID } from './local-user.ts';
import { createApiKey } from './store/api-keys.ts';
import type { Db } from './store/database.ts';
import { user } from './store/schema.ts';

let db: Db;
let secret: string;
let localSecret: string;
useSharedDatabase(
  async (database) => {
    db = database.db;
    await db
      .insert(user)
      .values({ id: LOCAL_USER_ID, name: 'Local', email: 'local@example.test' })
      .onConflictDoNothing();
    ({ secret } = await createApiKey(db, { userId: 'id-ann', name: 'script' }));
    ({ secret: localSecret } = await createApiKey(db, { userId: LOCAL_USER_ID, name: 'own' }));
  },
  ['id-ann'],
);

const rule = originRule({ host: '127.0.0.1', publicUrl: undefined, allowedOrigins: ['https://allowed.test'] });
const OWN = 'http://127.0.0.1:7860';
const request = (headers: Record<string, string | undefined>, method = 'GET') =>
  ({ method, headers: { host: '127.0.0.1:7860', ...headers } }) as unknown as IncomingMessage;

/** Identifies a request; `touched`: the keys whose use was noted. */
async function who(headers: Record<string, string>, over: Partial<IdentifyOptions> = {}, method = 'GET') {
  const touched: string[] = [];
  const options = {
    autoLogin: false,
    cookieName: 'croft',
    storage: async () => db,
    keyTouches: () => ({ touch: (id: string) => void touched.push(id) }),
    accounts: {
      find: async (cookie: string) =>
        cookie.includes('good') ? { user: { id: 'id-ann', role: 'admin' }, sessionToken: 't' } : undefined,
    },
    localSessions: { isValid: (value: string) => value.startsWith('good') },
    endedSessions: { has: async (value: string) => value.includes('ended') },
    originRule: rule,
    ...over,
  } as unknown as IdentifyOptions;
  return { found: await identify(request(headers, method), options), touched };
}
const bearer = (value: string) => ({ authorization: `Bearer ${value}` });

it('finds the owner of an API key, and notes its use', async () => {
  const { found, touched } = await who(bearer(secret));
  const findAgain = expect.any(Function);
  expect(found).toEqual({ caller: { userId: 'id-ann', role: 'user', via: 'key', key: 'script', findAgain } });
  expect(touched).toHaveLength(1);
});

it('takes an unknown key for an anonymous request, also beside a good cookie', async () => {
  for (const wrong of [`croft_${'x'.repeat(43)}`, 'croft_short', 'other'])
    expect(await who({ ...bearer(wrong), cookie: 'croft=good' })).toEqual({ found: undefined, touched: [] });
  expect((await who({ authorization: 'Basic x', cookie: 'croft=good' })).found).toBeUndefined();
  const broken = { storage: () => Promise.reject(new Error('asked')) };
  expect((await who(bearer('croft_short'), broken)).found).toBeUndefined();
  await expect(who(bearer(secret), broken)).rejects.toThrow('asked');
});

it('takes keys of accounts only with accounts, and those of the local user only without', async () => {
  expect((await who(bearer(secret), { autoLogin: true })).found).toBeUndefined();
  expect((await who(bearer(localSecret))).found).toBeUndefined();
  expect((await who(bearer(localSecret), { autoLogin: true })).found?.caller.userId).toBe(LOCAL_USER_ID);
});

it('finds the session of a person by a cookie of its name', async () => {
  expect((await who({ cookie: 'croft=good' })).found).toEqual({
    caller: { userId: 'id-ann', role: 'admin', via: 'session' },
    sessionToken: 't',
  });
  expect((await who({ cookie: 'croft=bad' })).found).toBeUndefined();
  expect((await who({ cookie: 'other=good' })).found).toBeUndefined();
  expect((await who({})).found).toBeUndefined();
});

it('finds the local user by a value that is valid and has not ended', async () => {
  const local = { autoLogin: true };
  expect((await who({ cookie: 'croft=good' }, local)).found).toEqual({
    caller: { userId: LOCAL_USER_ID, role: 'admin', via: 'local' },
  });
  expect((await who({ cookie: 'croft=bad' }, local)).found).toBeUndefined();
  expect((await who({ cookie: 'croft=good-ended' }, local)).found).toBeUndefined();
});

it('refuses a cookie on a request that a foreign page could have made', async () => {
  const cookie = 'croft=good';
  const foreign = { code: 'cross_site' };
  await expect(who({ cookie, 'sec-fetch-site': 'cross-site' })).rejects.toMatchObject(foreign);
  await expect(who({ cookie, 'sec-fetch-site': 'cross-site' }, { autoLogin: true })).rejects.toMatchObject(foreign);
  await expect(who({ cookie, origin: 'https://allowed.test' })).rejects.toMatchObject(foreign);
  await expect(who({ cookie }, {}, 'POST')).rejects.toMatchObject({
    message: expect.stringContaining('needs the header Origin'),
  });
  expect((await who({ cookie, origin: OWN, 'content-type': 'application/json' }, {}, 'POST')).found).toBeDefined();
});

it('refuses a change that an HTML form could send', () => {
  const may = (headers: Record<string, string>, method: string) => {
    try {
      refuseForeignPage(request({ origin: OWN, ...headers }, method), rule);
      return true;
    } catch (error) {
      expect(error).toMatchObject({ status: 403, code: 'cross_site' });
      return false;
    }
  };
  const body = { 'content-length': '5' };
  expect(may({}, 'POST')).toBe(false);
  expect(may({ ...body, 'content-type': 'text/plain' }, 'POST')).toBe(false);
  expect(may({ ...body, 'content-type': 'application/jsonx' }, 'PUT')).toBe(false);
  expect(may({ 'transfer-encoding': 'chunked' }, 'PUT')).toBe(false);
  expect(may({ ...body, 'content-type': 'application/json; charset=utf-8' }, 'POST')).toBe(true);
  expect(may({ ...body, 'x-croft': '1' }, 'POST')).toBe(true);
  expect([may({}, 'DELETE'), may({ 'content-length': '0' }, 'PUT'), may(body, 'GET'), may(body, 'HEAD')]).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(may({ origin: 'http://evil.test', 'sec-fetch-site': 'cross-site', 'x-croft': '1' }, 'POST')).toBe(false);
});
