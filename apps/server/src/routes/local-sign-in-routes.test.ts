import { expect, it } from 'vitest';
import { routeCaller } from '../../../../tests/support/route-caller.ts';
import { createLocalSessions } from '../local-session.ts';
import { makeLocalSignInRoutes } from './local-sign-in-routes.ts';

const sessions = createLocalSessions(['key']);
const start = (machineToken: string | undefined = 'machine token') =>
  routeCaller(
    makeLocalSignInRoutes({
      basePath: '/base/',
      cookie: { name: 'croft', path: '/base/', secure: true },
      localSessions: sessions,
      machineToken,
      url: () => 'http://127.0.0.1:7860',
    }),
  );
const open = (code: string, method = 'GET') => start()(`${method} /open?code=${code}`, { caller: 'nobody' });

it('gives a browser a session for a code, once', async () => {
  const code = sessions.makeCode();
  const first = await open(code);
  expect([first.status, first.headers.get('location'), first.headers.get('cache-control')]).toEqual([
    303,
    '/base/',
    'no-store',
  ]);
  const cookie = first.headers.get('set-cookie') ?? '';
  expect(cookie).toMatch(/^croft=[^;]+; Max-Age=2592000; Path=\/base\/; HttpOnly; Secure; SameSite=Strict$/);
  expect(sessions.isValid(/^croft=([^;]+)/.exec(cookie)?.[1])).toBe(true);
  for (const again of [await open(code), await open('wrong'), await open('')])
    expect([again.status, again.headers.get('set-cookie')]).toEqual([303, null]);
});

it('does not use up the code for the preview of a link', async () => {
  const code = sessions.makeCode();
  expect((await open(code, 'HEAD')).headers.get('set-cookie')).toBeNull();
  expect((await open(code)).headers.get('set-cookie')).not.toBeNull();
});

it('makes a one-time address only for the token of the machine', async () => {
  const ask = (authorization?: string, token?: string) =>
    start(token)('POST /api/v1/one-time-url', {
      caller: 'nobody',
      json: {},
      ...(authorization && { headers: { authorization } }),
    });
  const { status, body } = await ask('Bearer machine token'.replace(' token', '-token'), 'machine-token');
  expect(status).toBe(200);
  const code = /^http:\/\/127\.0\.0\.1:7860\/open\?code=(.+)$/.exec(body.url)?.[1] ?? '';
  expect(sessions.redeem(code)).toBe(true);
  for (const wrong of ['Bearer other', 'machine-token', undefined])
    expect((await ask(wrong, 'machine-token')).status).toBe(401);
});
