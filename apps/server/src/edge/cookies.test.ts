import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { bearerOf } from './bearer.ts';
import { cookieOf, setOwnCookie } from './cookies.ts';

describe('a cookie of a request', () => {
  it.each([
    ['sid=a', 'a'],
    ['other=1; sid=a=b; more=2', 'a=b'],
    ['xsid=a; sid-2=b', undefined],
    ['', undefined],
    // Another site of the same domain may add a second one.
    ['sid=a; sid=b', undefined],
    ['sid=a; sid=a', undefined],
  ])('%j gives %j', (header, value) => expect(cookieOf(header, 'sid')).toBe(value));
});

it('a cookie of this server is for requests of its own pages alone', async () => {
  const app = new Hono().get('/', (context) => {
    setOwnCookie(context, { name: 'sid', path: '/croft/', secure: true }, { name: 'sid', value: 'v', maxAge: 60 });
    return context.body(null);
  });
  const header = (await app.request('/')).headers.get('set-cookie') ?? '';
  for (const part of ['sid=v', 'Path=/croft/', 'HttpOnly', 'SameSite=Strict', 'Secure', 'Max-Age=60'])
    expect(header).toContain(part);
});

it('a bearer token is one word after its scheme', () => {
  expect(bearerOf('Bearer abc')).toBe('abc');
  expect(bearerOf('bearer   abc')).toBe('abc');
  for (const header of [undefined, '', 'Bearer', 'Bearer a b', 'Basic abc', 'xBearer abc', 'Bearerabc'])
    expect(bearerOf(header), header).toBeUndefined();
});
