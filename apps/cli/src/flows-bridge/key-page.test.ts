import { request } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type KeyPage, openKeyPage } from './key-page.ts';

let page: KeyPage;
let given: string[];
beforeEach(async () => {
  given = [];
  page = await openKeyPage({
    server: 'https://croft.test/<a>',
    async accepts(key) {
      given.push(key);
      return key === 'good';
    },
  });
});
afterEach(() => page.close());

interface Asked {
  readonly path?: string;
  readonly method?: string;
  readonly host?: string;
  readonly body?: string;
}
function ask({ path, method = 'GET', host, body = '' }: Asked = {}) {
  return new Promise<{ status: number | undefined; headers: object; text: string }>((resolve, reject) => {
    const sent = request(path === undefined ? page.url : new URL(path, page.url), { method }, (answer) => {
      let text = '';
      answer.on('data', (part) => (text += String(part)));
      answer.on('end', () => resolve({ status: answer.statusCode, headers: answer.headers, text }));
    });
    if (host !== undefined) sent.setHeader('Host', host);
    sent.on('error', reject).end(body);
  });
}
const post = (body: string) => ask({ method: 'POST', body });

describe('the page for a key', () => {
  it('is at a random address of loopback', async () => {
    expect(page.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{32}$/);
    const other = await openKeyPage({ server: 's', accepts: async () => true });
    expect(new URL(other.url).pathname).not.toBe(new URL(page.url).pathname);
    other.close();
  });

  it('shows a form, without other origins and without markup of the server name', async () => {
    const { status, headers, text } = await ask();
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
    });
    expect(text).toMatch(/^<!doctype html>.*<title>Sign in to Croft<\/title>.*<\/html>$/);
    expect(text).toContain('asks for your flows on <b>https://croft.test/&#60;a&#62;</b>');
    expect(text).toContain('<a href="https://croft.test/&#60;a&#62;/settings"');
    expect(text).toContain(`<form method="post" action="${new URL(page.url).pathname}">`);
    expect(text).toContain('<input type="password" name="key"');
    expect(text).not.toContain('role="alert"');
  });

  it('is not at other paths or under other names', async () => {
    expect(await ask({ path: '/' })).toMatchObject({ status: 404, text: expect.stringContaining('Not found.') });
    expect(await ask({ host: 'evil.test' })).toMatchObject({ status: 404 });
    expect(await ask({ host: `localhost:${new URL(page.url).port}`, method: 'POST', body: 'key=good' })).toMatchObject({
      status: 404,
    });
    expect(given).toEqual([]);
  });

  it('asks again where the server does not accept the key', async () => {
    expect(await post('key=bad')).toMatchObject({
      status: 400,
      text: expect.stringContaining('<p role="alert">The server does not accept this key. Copy it again.</p>'),
    });
    await post('other=good');
    expect(given).toEqual(['bad', '']);
  });

  it('gives a key that the server accepts, and closes', async () => {
    expect(await post('key=+good%0A')).toMatchObject({
      status: 200,
      text: expect.stringContaining('<p>Signed in. You can close this page.</p>'),
    });
    expect(await page.key).toBe('good');
    await expect(ask()).rejects.toThrow();
  });

  it('does not read a form without an end', async () => {
    expect(await post(`key=${'x'.repeat(4_092)}`)).toMatchObject({ status: 400 });
    await expect(post(`key=${'x'.repeat(4_093)}`)).rejects.toThrow();
  });

  it('gives no key when it is closed, or after ten minutes', async () => {
    page.close();
    expect(await page.key).toBeUndefined();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const late = await openKeyPage({ server: 's', accepts: async () => true });
      let ended = false;
      void late.key.then(() => (ended = true));
      await vi.advanceTimersByTimeAsync(599_999);
      expect(ended).toBe(false);
      await vi.advanceTimersByTimeAsync(1);
      expect(ended).toBe(true);
    } finally {
      vi.useRealTimers();
    }
  });
});
