import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { createLocalSessions } from '../local-session.ts';
import type { Overview } from '../pages/home.ts';
import { composeMcpOnly, type McpOnlyOptions } from './compose-mcp-only.ts';

const TOKEN = `croft_${'t'.repeat(43)}`;
const SECRET = 'of this start';
const DAY_MS = 86_400_000;
const HOST = { host: '127.0.0.1:7860' };

const overview: Overview = {
  url: 'http://127.0.0.1:7860',
  token: TOKEN,
  roots: ['/home/me/project'],
  tools: ['read_file'],
  toolset: 'full',
  readOnly: false,
  resolver: 'openat2',
  secondWall: 'on (Landlock)',
  version: '1.2.3',
  recent: [],
  advice: [{ log: 'croft log --dir /home/me/project', undo: 'croft undo --dir /home/me/project' }],
};

const closers: (() => void)[] = [];

afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** The server behind a socket of its own, with an endpoint that notes requests instead of serving tools. */
function makeApp(options: Partial<McpOnlyOptions> = {}) {
  const reached: Request[] = [];
  const clock = { aheadMs: 0 };
  const sessions = createLocalSessions([SECRET], { lastsMs: DAY_MS, now: () => Date.now() + clock.aheadMs });
  const server = createServer(
    composeMcpOnly({
      endpoint: {
        fetch: async (request) => {
          reached.push(request);
          return Response.json({ reached: true });
        },
        close: async () => {},
      },
      host: '127.0.0.1',
      token: TOKEN,
      sessions,
      version: '1.2.3',
      overview: () => overview,
      ...options,
    }),
  );
  const listening = new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => server.close());
  // Not fetch: it sets the Host header itself.
  const get = async (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> => {
    await listening;
    const { port } = server.address() as AddressInfo;
    const message = await new Promise<IncomingMessage>((resolve, reject) => {
      request({ port, path, method, agent: false, headers: { ...HOST, ...headers } }, resolve)
        .on('error', reject)
        .end();
    });
    const text = await readText(message);
    const sent = Object.entries(message.headers).map(([name, value]): [string, string] => [name, String(value)]);
    return new Response(text === '' ? null : text, { status: message.statusCode ?? 0, headers: sent });
  };
  return { reached, sessions, clock, get };
}

const pageKey = (secret = SECRET, now = Date.now()) =>
  createLocalSessions([secret], { lastsMs: DAY_MS, now: () => now }).issue();
const key = (value = pageKey()) => ({ 'x-croft-key': value });

describe('/mcp', () => {
  it('wants the bearer, and says so without naming it', async () => {
    const { get, reached } = makeApp();
    const wrong = [
      {},
      { authorization: TOKEN },
      { authorization: 'Bearer' },
      { authorization: 'Bearer x' },
      { authorization: `Bearer ${TOKEN}x` },
      { authorization: `Bearer ${TOKEN.slice(0, -1)}` },
      { authorization: `Basic ${TOKEN}` },
    ];
    for (const headers of wrong) {
      const answer = await get('/mcp', headers as Record<string, string>, 'POST');
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
      expect(await answer.text()).not.toContain(TOKEN);
    }
    expect(reached).toEqual([]);
    expect((await get('/mcp', { authorization: `Bearer ${TOKEN}` }, 'POST')).status).toBe(200);
    expect((await get('/mcp', { authorization: `bearer  ${TOKEN}` }, 'POST')).status).toBe(200);
  });

  it('never accepts the key of the page, nor the token as a query', async () => {
    const { get, reached } = makeApp();
    for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS']) {
      const answer = await get(`/mcp?token=${TOKEN}&access_token=${TOKEN}`, key(), method);
      expect(answer.status, method).toBe(401);
    }
    expect(reached).toEqual([]);
  });

  it('is open without a token, still to our own Host and Origin alone', async () => {
    const { get, reached } = makeApp({ token: undefined });
    expect((await get('/mcp', {}, 'POST')).status).toBe(200);
    expect((await get('/mcp', { host: 'evil.com' }, 'POST')).status).toBe(403);
    expect((await get('/mcp', { origin: 'http://evil.com' }, 'POST')).status).toBe(403);
    expect(reached).toHaveLength(1);
  });

  it('gives no page of another origin a right to read', async () => {
    const { get } = makeApp();
    for (const [path, method] of [
      ['/mcp', 'OPTIONS'],
      ['/activity', 'GET'],
      ['/', 'GET'],
      ['/page', 'GET'],
      ['/page', 'OPTIONS'],
      ['/healthz', 'GET'],
    ] as const) {
      const answer = await get(path, { ...key(), origin: 'http://127.0.0.1:3000' }, method);
      expect(answer.headers.get('access-control-allow-origin'), path).toBeNull();
    }
  });
});

describe('the one-time address', () => {
  it('gives the key to the storage of this address and port, never to a cookie, and works once', async () => {
    const { get, sessions } = makeApp();
    const code = sessions.makeCode();
    const answer = await get(`/open?code=${code}`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('set-cookie')).toBeNull();
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const body = await answer.text();
    expect(body).not.toContain(TOKEN);
    const [, given] = /localStorage\.setItem\('croft',"([\w.-]+)"\)/.exec(body) ?? [];
    const page = await get('/page', key(given));
    expect(page.status).toBe(200);
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(await page.text()).toContain(TOKEN);
    const again = await get(`/open?code=${code}`);
    expect(again.status).toBe(403);
    const refused = await again.text();
    expect(refused).toContain('used before');
    expect(refused).not.toContain('localStorage');
  });

  it('is not used up by a wrong code or by the preview of a link', async () => {
    const { get, sessions } = makeApp();
    const code = sessions.makeCode();
    for (const path of ['/open', '/open?code=', '/open?code=wrong']) expect((await get(path)).status).toBe(403);
    expect((await get(`/open?code=${code}`, {}, 'HEAD')).status).toBe(403);
    expect((await get(`/open?code=${code}`)).status).toBe(200);
  });

  it('ends after ten minutes', async () => {
    const { clock, get, sessions } = makeApp();
    const code = sessions.makeCode();
    clock.aheadMs = 600_001;
    expect((await get(`/open?code=${code}`)).status).toBe(403);
  });
});

describe('the page', () => {
  it('is empty without a key, with a forged one and with one that is too old', async () => {
    const { get } = makeApp();
    const old = pageKey(SECRET, Date.now() - DAY_MS - 60_000);
    for (const value of [undefined, 'x', 'x.y', old, pageKey('other'), pageKey(TOKEN), `${pageKey()}x`]) {
      const headers: Record<string, string> =
        value === undefined ? {} : { ...key(value), cookie: `croft=${pageKey()}` };
      for (const path of ['/', '/page', '/activity']) {
        const answer = await get(path, headers);
        expect(answer.status, `${path} ${value}`).toBe(path === '/' ? 200 : 401);
        const body = await answer.text();
        for (const secret of [TOKEN, '/home/me/project', 'read_file']) expect(body).not.toContain(secret);
      }
    }
  });

  it('has a policy under which nothing but its own script and style runs', async () => {
    const { get, sessions } = makeApp();
    const code = sessions.makeCode();
    for (const path of ['/', `/open?code=${code}`, '/open']) {
      const answer = await get(path);
      const policy = answer.headers.get('content-security-policy') ?? '';
      const nonce = /script-src 'nonce-([\w+/=]+)'/.exec(policy)?.[1] as string;
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toContain('unsafe');
      const body = await answer.text();
      for (const tag of body.match(/<(script|style)\b[^>]*>/g) ?? []) expect(tag).toContain(`nonce="${nonce}"`);
      expect(body).not.toMatch(/\son\w+=|\sstyle=|javascript:/);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('x-frame-options')).toBe('DENY');
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    }
    const [one, two] = await Promise.all([get('/'), get('/')]);
    expect(one.headers.get('content-security-policy')).not.toBe(two.headers.get('content-security-policy'));
  });

  it('says how to see and take back what was done, with the directory it is about', async () => {
    const body = await (await makeApp().get('/page', key())).text();
    for (const command of ['log', 'undo'])
      expect(body).toContain(`<code>croft ${command} --dir /home/me/project</code>`);
  });

  it('shows hostile names as text', async () => {
    const evil = `</code><img src=x onerror="alert(1)">'&`;
    const hostile = {
      ...overview,
      roots: [evil],
      tools: [evil],
      toolset: evil,
      version: evil,
      secondWall: evil,
      resolver: evil,
      advice: [{ log: evil, undo: evil }],
      recent: [{ time: evil, tool: evil, outcome: evil, what: evil }],
    };
    const { get } = makeApp({ overview: () => hostile });
    for (const path of ['/page', '/activity']) {
      const body = await (await get(path, key())).text();
      expect(body).not.toContain('<img');
      expect(body).toContain('&#60;img src=x onerror=&#34;alert(1)&#34;&#62;');
    }
  });
});

describe('the rest', () => {
  it('promises no https where it speaks http', async () => {
    const { get } = makeApp();
    for (const path of ['/', '/healthz', '/open', '/mcp'])
      expect((await get(path)).headers.get('strict-transport-security'), path).toBeNull();
  });

  it('answers /healthz without a key on this machine, with the version only', async () => {
    const { get } = makeApp();
    const answer = await get('/healthz');
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ status: 'ok', version: '1.2.3' });
    expect((await get('/healthz', { host: 'evil.com' })).status).toBe(403);
  });

  it('answers 404 to what is not there', async () => {
    const { get } = makeApp();
    for (const path of ['/nope', '/mcp/x', '/.env', '/open/x', '/index.html', '//evil.com']) {
      const answer = await get(path, key());
      expect(answer.status, path).toBe(404);
      expect(await answer.json()).toEqual({ error: 'Not found' });
    }
    expect((await get('/', {}, 'POST')).status).toBe(404);
  });

  it('answers a failure of its own without saying what failed', async () => {
    const errors: Error[] = [];
    const { get } = makeApp({
      onError: (error) => errors.push(error),
      overview: () => {
        throw new Error(`secret ${TOKEN}`);
      },
    });
    const answer = await get('/page', key());
    expect(answer.status).toBe(500);
    expect(await answer.text()).not.toContain('secret');
    expect(errors).toHaveLength(1);
  });
});
