import { PATHS } from '@croft/gateway';
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  Client,
  discoverOAuthServerInfo,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { memoryDir } from '@croft/workspace/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase } from '../../../tests/store/test-database.ts';
import { refuseExposure } from './exposure.ts';
import type { Settings } from './config/settings.ts';
import { ROUTES } from './contract/contract.ts';
import type { RouteDefinition } from './contract/define-route.ts';
import { createReadiness } from './readiness.ts';
import { ADMIN, cookiesOf, startTestServer, type TestServer, type Visitor } from './testing.ts';
import { withMcp } from './testing-mcp.ts';
import { useTestServer } from './use-test-server.ts';

describe('a server without sign-in', () => {
  let server: TestServer;
  useTestServer({ autoLogin: true }, async (started) => {
    server = started;
  });

  it('opens its page once by the address it prints, and then knows the browser', async () => {
    const url = server.running.oneTimeUrl ?? '';
    expect((await fetch(url, { method: 'HEAD', redirect: 'manual' })).headers.getSetCookie()).toEqual([]);
    const answer = await fetch(url, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/']);
    const [cookie = ''] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Strict$/);
    const page = server.withCookie(cookiesOf(answer));
    expect((await page.json('/api/v1/me')).body).toMatchObject({
      user: { id: 'local', role: 'admin' },
      autoLogin: true,
    });
    expect((await fetch(url, { redirect: 'manual' })).headers.getSetCookie()).toEqual([]);
  });

  it('keeps out a visitor who only found the port', async () => {
    expect((await server.stranger.json('/api/v1/me')).body).toMatchObject({ user: null, autoLogin: true });
    for (const path of ['/api/v1/files', '/api/v1/keys', '/api/openapi.json', '/api/docs', '/api/v1/events'])
      expect((await server.stranger.request(path)).status).toBe(401);
    const name = `croft_session_${new URL(server.url).port}`;
    const now = Date.now().toString(36);
    for (const value of ['abc.def', `${now}-abc.def`, `${now}.${'a'.repeat(43)}`, now, `${now}.`]) {
      const forged = server.withCookie(`${name}=${value}`);
      expect((await forged.json('/api/v1/me')).body.user).toBeNull();
    }
    const signIn = await server.stranger.json('/api/v1/session', { method: 'POST', json: ADMIN });
    expect(signIn.body).toMatchObject({ error: { code: 'auto_login' } });
  });

  it('makes a new one-time address for who has the token of this machine', async () => {
    const token = readFileSync(join(server.baseDir, 'mcp-token'), 'utf8').trim();
    const ask = (visitor: Visitor) => visitor.json<{ url: string }>('/api/v1/one-time-url', { method: 'POST' });
    expect((await ask(server.stranger)).status).toBe(401);
    const page = await server.openPage().catch(() => server.stranger);
    expect((await ask(page)).status).toBe(401);
    expect((await ask(server.withKey('croft_wrong'))).status).toBe(401);
    const { body } = await ask(server.withKey(token));
    expect((await fetch(body.url, { redirect: 'manual' })).headers.getSetCookie()).toHaveLength(1);
  });

  it('keeps its secrets in files only their owner may read', () => {
    for (const name of ['secret-key', 'mcp-token'])
      expect(statSync(join(server.baseDir, name)).mode & 0o777).toBe(0o600);
  });

  it('refuses a cookie after sign-out, also after a restart, and ends its streams', async () => {
    const baseDir = mkdtempSync(join(memoryDir(), 'croft-signed-out-'));
    const start = () => startTestServer({ autoLogin: true, baseDir });
    let own = await start();
    try {
      await own.running.ready;
      const [one, other] = [await own.openPage(), await renewed(own)];
      const events = await one.request('/api/v1/events');
      expect((await one.json('/api/v1/session', { method: 'DELETE' })).status).toBe(200);
      await events.text();
      expect((await one.json('/api/v1/keys')).status).toBe(401);
      expect((await other.json('/api/v1/keys')).status).toBe(200);
      await own.stop();
      own = await start();
      await own.running.ready;
      // Its name has the port, which is another one now.
      const again = ({ cookie = '' }: Visitor) =>
        own.withCookie(cookie.replace(/_\d+=/, `_${new URL(own.url).port}=`)).json('/api/v1/keys');
      expect((await again(one)).status).toBe(401);
      expect((await again(other)).status).toBe(200);
    } finally {
      await own.stop();
      rmSync(baseDir, { recursive: true, force: true });
    }
  });

  it('serves MCP over the shared files by the token of this machine', async () => {
    const token = readFileSync(join(server.baseDir, 'mcp-token'), 'utf8').trim();
    await withMcp(server, token, (client) =>
      client.callTool({ name: 'write_file', arguments: { path: 'a.txt', content: 'x' } }),
    );
    expect(existsSync(join(server.baseDir, 'workspaces/shared/a.txt'))).toBe(true);
    expect((await server.withKey(token).json('/api/v1/files')).body).toMatchObject({
      entries: [{ name: 'a.txt' }],
    });
  });

  it('describes every endpoint of the documentation, and shows it as a page', async () => {
    const page = await renewed(server);
    const { body } = await page.json<{ openapi: string; paths: Record<string, object> }>('/api/openapi.json');
    expect(body.openapi).toBe('3.1.0');
    const described = Object.entries(body.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
    const isOfTool = (route: string) => route.startsWith('post /api/v1/tools/');
    const isOfGateway = (route: string) => /^\w+ (\/rest)?\/instance-ai\//.test(route);
    const isOther = (route: string) => !isOfTool(route) && !isOfGateway(route) && !route.endsWith('/shared-mount');
    // Every definition is served and described, but the guard, which is off, and the mount, which needs accounts.
    const expected = Object.values(ROUTES as Readonly<Record<string, RouteDefinition>>)
      .filter(({ isHidden, servedBy }) => isHidden !== true && servedBy !== 'guard')
      .map(({ route }) => route.replace(/^[A-Z]+/, (method) => method.toLowerCase()));
    expect(expected.length).toBeGreaterThan(50);
    const others = described.filter(isOther);
    expect(others.sort()).toEqual(expected.filter(isOther).sort());
    expect(described.filter(isOfTool)).toContain('post /api/v1/tools/explore/search-files');
    const gateway = Object.values(PATHS).flatMap((path) => [`/instance-ai${path}`, `/rest/instance-ai${path}`]);
    expect(described.filter(isOfGateway).map((route) => route.split(' ')[1]?.replace('/{requestId}', ''))).toEqual(
      expect.arrayContaining(gateway),
    );
    const docs = await (await page.request('/api/docs')).text();
    expect(docs).toContain('/api/v1/files/content');
    expect(docs).not.toMatch(/https?:\/\/(?!127\.0\.0\.1|localhost)/);
    // The policy of pages refuses inline scripts.
    expect(docs.match(/<script[^>]*>/g)).toEqual(['<script type="module" src="docs.js">']);
  });

  it('calls tools over REST with the results of a tool call', async () => {
    const page = await renewed(server);
    const call = (path: string, json: object) => page.json(path, { method: 'POST', json });
    expect(await call('/api/v1/tools/full/write_file', { path: 'r.txt', content: 'y' })).toMatchObject({
      status: 200,
      body: { ok: true },
    });
    expect(await call('/api/v1/tools/basic/read_file', { path: 'none.txt' })).toMatchObject({
      status: 200,
      body: { ok: false },
    });
    expect((await call('/api/v1/tools/full/nothing', {})).status).toBe(404);
    expect((await call('/api/v1/tools/constructor/read_file', {})).status).toBe(404);
    expect(
      (
        await page.json('/api/v1/tools/full/read_file', {
          method: 'POST',
          body: '{',
          headers: { 'content-type': 'application/json' },
        })
      ).status,
    ).toBe(400);
    expect(await call('/api/v1/gateway/tools/read-file', {})).toMatchObject({
      status: 409,
      body: { error: { code: 'not_connected' } },
    });
  });

  it('answers a program that looks for metrics with 404, not with a page', async () => {
    expect(await server.stranger.json('/metrics')).toMatchObject({
      status: 404,
      body: { error: { code: 'not_found' } },
    });
  });

  it('answers clients that look for OAuth metadata with 404, so that a key is what they need', async () => {
    for (const path of [
      'oauth-protected-resource',
      'oauth-protected-resource/mcp',
      'oauth-authorization-server',
      'openid-configuration',
      'anything',
    ]) {
      const { status, body } = await server.stranger.json(`/.well-known/${path}`);
      expect([path, status, body]).toMatchObject([path, 404, { error: { code: 'not_found' } }]);
    }
    expect((await server.stranger.json('/mcp/.well-known/openid-configuration')).status).toBe(404);
    const transport = (url: string) => new URL(`${url}/mcp`);
    expect(await discoverOAuthServerInfo(transport(server.url))).toMatchObject({
      authorizationServerMetadata: undefined,
    });
    const seen: string[] = [];
    const client = new Client({ name: 'test', version: '1' });
    const attempt = client.connect(
      new StreamableHTTPClientTransport(transport(server.url), {
        authProvider: oauthClient(),
        fetch: (url, init) => {
          seen.push(new URL(url).pathname);
          return fetch(url, init);
        },
      }),
    );
    await expect(attempt).rejects.toThrow(/404/);
    expect(seen).toContain('/.well-known/oauth-protected-resource/mcp');
  });

  it('gives the command that connects a folder for the address the page was opened at', async () => {
    const page = await renewed(server);
    const { port } = new URL(server.url);
    const opened = `http://localhost:${port}`;
    const answer = await new Promise<{ status: number; text: string }>((resolve, reject) => {
      const ask = request(
        `${server.url}/instance-ai/gateway/create-link`,
        {
          method: 'POST',
          headers: {
            host: `localhost:${port}`,
            origin: opened,
            cookie: page.cookie ?? '',
            'content-type': 'application/json',
          },
        },
        (response) => {
          let text = '';
          response.on('data', (chunk: Buffer) => (text += chunk.toString()));
          response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
        },
      );
      ask.on('error', reject).end('{}');
    });
    expect(answer.status).toBe(200);
    const { command, token } = JSON.parse(answer.text) as { command: string; token: string };
    expect(command).toBe(`npx -y --fetch-retries=0 ${opened}/dl/croft.tgz connect ${opened} ${token}`);
    const bare = await page.json('/instance-ai/gateway/create-link', { method: 'POST' });
    expect([bare.status, bare.body.code]).toEqual([403, 'cross_site']);
    expect(bare.body.message).toContain('X-Croft: 1');
  });

  it('hands out its command line, packed so that npm takes it', async () => {
    const packed = await startTestServer({ autoLogin: true }, { cliDir: join(import.meta.dirname, '../../cli') });
    try {
      const answer = await fetch(`${packed.url}/dl/croft.tgz`);
      expect(answer.headers.get('content-type')).toBe('application/gzip');
      const file = join(packed.baseDir, 'croft.tgz');
      writeFileSync(file, Buffer.from(await answer.arrayBuffer()));
      const { stdout } = spawnSync('tar', ['-tzf', file], { encoding: 'utf8' });
      expect(stdout.split('\n')).toContain('package/package.json');
      expect(stdout).toContain('package/dist/croft.cjs');
      const shown = spawnSync('tar', ['-xzOf', file, 'package/package.json'], { encoding: 'utf8' }).stdout;
      expect(JSON.parse(shown)).toMatchObject({ name: 'croft', bin: { croft: './dist/croft.cjs' } });
      expect(shown).not.toContain('devDependencies');
      await packed.running.ready;
      const page = await packed.openPage();
      const link = await page.json<{ command: string; token: string }>('/instance-ai/gateway/create-link', {
        method: 'POST',
        json: {},
      });
      expect(link.body.command).toBe(
        `npx -y --fetch-retries=0 ${packed.url}/dl/croft.tgz connect ${packed.url} ${link.body.token}`,
      );
    } finally {
      await packed.stop();
    }
  });

  it('lets agents read its own disk only where a person said so', async () => {
    const local = await startTestServer({ autoLogin: true }, { isContainer: false });
    const dir = mkdtempSync(join(tmpdir(), 'croft-picked-'));
    writeFileSync(join(dir, 'seen.txt'), 'seen');
    writeFileSync(join(dir, '.env'), 'KEY=1');
    try {
      await local.running.ready;
      const page = await local.openPage();
      const state = await page.json('/api/v1/local-access');
      expect(state.body).toEqual({ state: 'setup', directory: null, canChange: true });
      const read = (filePath: string) =>
        page.json('/api/v1/gateway/tools/read-file', { method: 'POST', json: { filePath } });
      expect((await read('seen.txt')).status).toBe(409);
      const put = (directory: string | null) =>
        page.json('/api/v1/local-access', { method: 'PUT', json: { directory } });
      expect((await put('relative')).status).toBe(400);
      expect((await put(join(dir, 'missing'))).status).toBe(400);
      expect((await put(local.baseDir)).status).toBe(400);
      expect((await put(dir)).body).toMatchObject({ state: 'on', directory: dir });
      expect((await read('seen.txt')).body).toMatchObject({ ok: true });
      expect((await read('.env')).body).toMatchObject({ ok: false });
      expect((await read('/etc/passwd')).body).toMatchObject({ ok: false });
      expect((await put(null)).body).toMatchObject({ state: 'setup' });
      expect((await read('seen.txt')).status).toBe(409);
    } finally {
      await local.stop();
      rmSync(dir, { recursive: true });
    }
  });
});

/** Another browser of the local user. */
async function renewed(server: TestServer): Promise<Visitor> {
  const token = readFileSync(join(server.baseDir, 'mcp-token'), 'utf8').trim();
  const { body } = await server.withKey(token).json<{ url: string }>('/api/v1/one-time-url', { method: 'POST' });
  return server.withCookie(cookiesOf(await fetch(body.url, { redirect: 'manual' })));
}

/** Whether a file below the workspaces begins with this text, temporary files included. */
function holdsText(baseDir: string, text: string): boolean {
  return readdirSync(join(baseDir, 'workspaces'), { recursive: true, withFileTypes: true }).some(
    (entry) => entry.isFile() && readFileSync(join(entry.parentPath, entry.name), 'utf8').startsWith(text),
  );
}

const isListening = (url: string) =>
  fetch(`${url}/healthz`).then(
    () => true,
    () => false,
  );

describe('who may be reached without sign-in', () => {
  const plain = { autoLogin: true, host: '127.0.0.1', publicUrl: undefined } as unknown as Settings;
  it.each([
    ['every address', { host: '0.0.0.0' }],
    ['every address of IPv6', { host: '::' }],
    ['an address of the network', { host: '192.168.1.7' }],
    ['a public address through a proxy', { publicUrl: 'https://croft.example/' }],
  ])('is refused on %s, unless that is said to be meant', (_, more) => {
    const settings = { ...plain, ...more };
    expect(() => refuseExposure(settings, false)).toThrow('--allow-open-auto-login');
    expect(() => refuseExposure(settings, true)).not.toThrow();
    expect(() => refuseExposure({ ...settings, autoLogin: false }, false)).not.toThrow();
  });

  it.each([{ host: '127.0.0.1' }, { host: 'localhost' }, { host: '::1' }, { publicUrl: 'http://localhost:8080/x' }])(
    'is fine on %j',
    (more) => expect(() => refuseExposure({ ...plain, ...more }, false)).not.toThrow(),
  );

  it('needs name and password of the admin together', () => {
    expect(() => refuseExposure({ ...plain, superuser: 'admin' }, false)).toThrow('needed together');
  });
});

describe('a server whose database is not there yet', () => {
  let server: TestServer | undefined;
  afterEach(() => server?.stop());

  it('shows its page and says that it waits; a request that needs it waits too', async () => {
    server = await startTestServer({ autoLogin: true });
    const { stranger } = server;
    const [health, page, ready] = await Promise.all(['/healthz', '/', '/readyz'].map((path) => stranger.request(path)));
    expect([health?.status, page?.status]).toEqual([200, 200]);
    expect(ready?.status).toBe(503);
    expect(await ready?.json()).toMatchObject({ status: 'not_ready', waitingFor: 'database' });
    const opened = await server.openPage();
    // On a machine that is busy with other things it may take longer than a request waits.
    for (let status = 0; status !== 200; ) {
      const asked = Date.now();
      ({ status } = await opened.json('/api/v1/keys'));
      if (status !== 200) expect({ status, waited: Date.now() - asked > 9_000 }).toEqual({ status: 503, waited: true });
    }
    await server.running.ready;
    expect((await server.stranger.request('/readyz')).status).toBe(200);
  });

  it('tells requests to come again when that takes too long', async () => {
    const never = { db: {}, isUp: () => false } as unknown as Parameters<typeof createReadiness>[0];
    const waiting = createReadiness(never, new Promise(() => {}), 50);
    await expect(waiting.storage()).rejects.toMatchObject({ status: 503, headers: { 'Retry-After': '5' } });
    expect(waiting.isReady()).toBe(false);
    const failed = createReadiness(never, Promise.reject(new Error('a secret of the operator')), 50);
    await expect(failed.storage()).rejects.toMatchObject({ status: 503, code: 'starting' });
  });
});

describe('a server behind a proxy', () => {
  let server: TestServer;
  let proxy: Server;
  let publicUrl: string;
  let cookie: string;
  let via: Visitor;
  const studioDir = mkdtempSync(join(tmpdir(), 'croft-pages-'));

  beforeAll(async () => {
    mkdirSync(join(studioDir, 'assets'));
    writeFileSync(join(studioDir, 'index.html'), '<html><head><base href="/"><title>Pages</title></head></html>');
    writeFileSync(join(studioDir, 'assets/index-AbC12_xy.js'), 'export {};');
    let target = 0;
    // A plain reverse proxy: what nginx does with `proxy_pass http://127.0.0.1:PORT;` below a path.
    proxy = createServer((incoming, outgoing) => {
      const headers = {
        ...incoming.headers,
        'x-forwarded-for': `${incoming.headers['x-forwarded-for'] ?? ''}, 198.51.100.7`,
        'x-forwarded-proto': 'https',
      };
      const { method, url } = incoming;
      const forwarded = request({ host: '127.0.0.1', port: target, method, path: url, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      });
      forwarded.on('error', () => outgoing.destroy());
      incoming.pipe(forwarded);
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    publicUrl = `https://localhost:${(proxy.address() as AddressInfo).port}/team/croft/`;
    server = await startTestServer({ publicUrl, trustedProxies: ['127.0.0.1'] }, { studioDir });
    target = Number(server.running.boundTo.split(':')[1]);
    await server.running.ready;
    const url = publicUrl.replace('https:', 'http:').replace(/\/$/, '');
    const page = { origin: new URL(publicUrl).origin, 'sec-fetch-site': 'same-origin' };
    const answer = await fetch(`${url}/api/v1/session`, {
      method: 'POST',
      headers: { ...page, 'content-type': 'application/json' },
      body: JSON.stringify(ADMIN),
    });
    expect(answer.status).toBe(200);
    [cookie = ''] = answer.headers.getSetCookie();
    const request_ = (path: string) => fetch(`${url}${path}`, { headers: { ...page, cookie: cookiesOf(answer) } });
    via = { request: request_, json: async () => ({}) as never, cookie: undefined };
  });
  afterAll(async () => {
    rmSync(studioDir, { recursive: true });
    proxy?.close();
    await server?.stop();
  });

  it('sends its cookie over https only, and only below its path', () => {
    expect(cookie).toMatch(/; Path=\/team\/croft\/(;|$)/);
    expect(cookie).toMatch(/; Secure(;|$)/);
  });

  it('answers below its public path, with and without the prefix', async () => {
    expect(await (await via.request('/api/v1/me')).json()).toMatchObject({
      user: { role: 'admin' },
      basePath: '/team/croft/',
      publicUrl,
    });
    for (const path of ['/', '/files/shared/some%20folder', '/index.html']) {
      const page = await via.request(path);
      expect(await page.text()).toBe('<html><head><base href="/team/croft/"><title>Pages</title></head></html>');
      expect(page.headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; script-src 'self'; .*; connect-src 'self' http:/,
      );
      expect(page.headers.get('cache-control')).toBe('no-cache');
    }
    const script = await via.request('/assets/index-AbC12_xy.js');
    expect(script.headers.get('cache-control')).toContain('immutable');
    expect(script.headers.get('content-type')).toContain('javascript');
    for (const path of [
      '/assets/none-12345678.js',
      '/api/v1/nothing',
      '/assets/..%2findex.html',
      '/assets/%2e%2e%2f%2e%2e%2fetc/passwd',
    ])
      expect((await via.request(path)).status).toBe(404);
    const direct = `http://${server.running.boundTo}`;
    expect((await fetch(`${direct}/healthz`)).status).toBe(200);
    expect((await fetch(`${direct}/team/croft/healthz`)).status).toBe(200);
    expect(
      (await fetch(`${direct}/team/croftx/api/v1/me`, { redirect: 'manual' })).headers.get('content-type'),
    ).toContain('html');
  });

  it('streams events at once, and asks the proxy not to gather them', async () => {
    const stop = new AbortController();
    const answer = await via.request('/api/v1/events');
    expect(answer.headers.get('x-accel-buffering')).toBe('no');
    const reader = answer.body?.getReader();
    const first = await reader?.read();
    expect(new TextDecoder().decode(first?.value)).toContain('event: gateway');
    await reader?.cancel();
    stop.abort();
  });

  it('counts tries to sign in by the address the proxy saw, not the one a client wrote', async () => {
    const url = publicUrl.replace('https:', 'http:').replace(/\/$/, '');
    const attempt = (i: number) =>
      fetch(`${url}/api/v1/session`, {
        method: 'POST',
        headers: {
          origin: new URL(publicUrl).origin,
          'content-type': 'application/json',
          'x-forwarded-for': `203.0.113.${i}`,
        },
        body: JSON.stringify({ login: `guess-${i}`, password: 'x' }),
      }).then((answer) => answer.status);
    const statuses = [];
    for (let i = 0; i < 31; i++) statuses.push(await attempt(i));
    expect(statuses.at(-1)).toBe(429);
    expect(server.lines.join('')).toContain('198.51.100.7');
    expect(server.lines.join('')).not.toContain('203.0.113.');
  });
});

describe('stopping', () => {
  it('ends streams, finishes answers, and puts everything away', async () => {
    const server = await startTestServer({ autoLogin: true });
    await server.running.ready;
    const page = await server.openPage();
    const events = await page.request('/api/v1/events');
    const stopped = server.running.close();
    // Rejects for a stream that was cut off instead of ended.
    await events.text();
    await stopped;
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow();
    // Its base directory is free again: the next one starts.
    const next = await startTestServer({ autoLogin: true, baseDir: server.baseDir });
    await next.running.ready;
    await next.stop();
    rmSync(server.baseDir, { recursive: true, force: true });
  });

  it('lets an answer that is under way come to its end', async () => {
    const server = await startTestServer({ autoLogin: true });
    await server.running.ready;
    const page = await server.openPage();
    let send = (): void => {};
    const slow = new ReadableStream({
      start(controller) {
        controller.enqueue(Buffer.from('first '));
        send = () => {
          controller.enqueue(Buffer.from('last'));
          controller.close();
        };
      },
    });
    const path = '/api/v1/files/content?path=slow.txt';
    const answer = page.json(path, { method: 'PUT', body: slow, headers: { 'x-croft': '1' } });
    await expect.poll(() => holdsText(server.baseDir, 'first ')).toBe(true);
    const stopped = server.stop();
    await expect.poll(() => isListening(server.url), { interval: 5 }).toBe(false);
    send();
    expect(await answer).toMatchObject({ status: 201, body: { size: 10 } });
    await stopped;
  });

  it('a second server of the same base directory refuses with a sentence', async () => {
    const server = await startTestServer({ autoLogin: true });
    await server.running.ready;
    const second = await startTestServer({ autoLogin: true, baseDir: server.baseDir });
    await expect(second.running.ready).rejects.toThrow(/in use|another/i);
    await second.stop();
    await server.stop();
  });

  it('a second server of the same base directory refuses also with a database elsewhere', async () => {
    const own = await openTestDatabase();
    const { host } = own.database.connection();
    const databaseUrl = `postgresql://croft@localhost/croft?host=${encodeURIComponent(String(host))}`;
    const server = await startTestServer({ databaseUrl });
    try {
      await server.running.ready;
      const second = await startTestServer({ databaseUrl, baseDir: server.baseDir });
      await expect(second.running.ready).rejects.toMatchObject({ code: 'base_in_use' });
      await second.stop();
    } finally {
      await server.stop();
      await own.close();
    }
  });
});

describe('a page of an allowed origin', () => {
  it('uses an API key and reads the answer, and has no use of a cookie', async () => {
    const origin = 'https://app.example';
    const server = await startTestServer({ autoLogin: true, allowedOrigins: [origin] });
    try {
      await server.running.ready;
      const token = readFileSync(join(server.baseDir, 'mcp-token'), 'utf8').trim();
      const preflight = await fetch(`${server.url}/mcp`, { method: 'OPTIONS', headers: { origin } });
      expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, origin]);
      expect(preflight.headers.get('access-control-allow-credentials')).toBeNull();
      const read = await server.withKey(token).request('/api/v1/me', { headers: { origin } });
      expect([read.status, read.headers.get('access-control-allow-origin')]).toEqual([200, origin]);
      const page = await server.openPage();
      const byCookie = await page.request('/api/v1/keys', { headers: { origin, 'sec-fetch-site': undefined } });
      expect(byCookie.status).toBe(403);
      const foreign = { origin: 'https://evil.example' };
      const other = await fetch(`${server.url}/mcp`, { method: 'OPTIONS', headers: foreign });
      expect([other.status, other.headers.get('access-control-allow-origin')]).toEqual([403, null]);
    } finally {
      await server.stop();
    }
  });
});

describe('the two modes', () => {
  it('share no keys and no cookies: what opened a server without accounts opens none with them', async () => {
    const baseDir = mkdtempSync(join(memoryDir(), 'croft-modes-'));
    try {
      const local = await startTestServer({ autoLogin: true, baseDir });
      await local.running.ready;
      const token = readFileSync(join(baseDir, 'mcp-token'), 'utf8').trim();
      const { cookie = '' } = await local.openPage();
      expect((await local.withKey(token).json('/api/v1/me')).body.user).not.toBeNull();
      await local.stop();
      const accounts = await startTestServer({ baseDir });
      await accounts.running.ready;
      const name = `croft_session_${new URL(accounts.url).port}`;
      for (const visitor of [accounts.withKey(token), accounts.withCookie(cookie.replace(/^[^=]+/, name))])
        expect((await visitor.json('/api/v1/me')).body.user).toBeNull();
      expect((await accounts.withKey(token).json('/api/v1/one-time-url', { method: 'POST' })).status).toBe(404);
      await accounts.stop();
    } finally {
      rmSync(baseDir, { recursive: true, force: true });
    }
  });
});

describe('the configured admin', () => {
  it('gets a password changed in the environment, and keeps one changed on the page', async () => {
    const baseDir = mkdtempSync(join(memoryDir(), 'croft-admin-'));
    const start = async (superuserPassword: string) => {
      const server = await startTestServer({ baseDir, superuserPassword });
      await server.running.ready;
      return server;
    };
    try {
      const first = await start('password number one');
      const page = await first.signIn('admin', 'password number one');
      const password = { current: 'password number one', next: 'changed on the page' };
      expect((await page.json('/api/v1/me', { method: 'PATCH', json: { password } })).status).toBe(200);
      await first.stop();
      const second = await start('password number one');
      await second.signIn('admin', 'changed on the page');
      await second.stop();
      const third = await start('password number two');
      await expect(third.signIn('admin', 'changed on the page')).rejects.toThrow('401');
      await third.signIn('admin', 'password number two');
      await third.stop();
    } finally {
      rmSync(baseDir, { recursive: true, force: true });
    }
  });
});

/** A client that would sign in through OAuth, if the server offered it. */
function oauthClient(): OAuthClientProvider {
  return {
    redirectUrl: 'http://127.0.0.1/callback',
    clientMetadata: { redirect_uris: ['http://127.0.0.1/callback'] },
    clientInformation: () => undefined,
    saveClientInformation: () => undefined,
    tokens: () => undefined,
    saveTokens: () => undefined,
    redirectToAuthorization: () => undefined,
    saveCodeVerifier: () => undefined,
    codeVerifier: () => '',
  };
}
