import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Daemon } from './daemon-options.ts';
import type { PageVerdict } from './confirm-page.ts';
import { openSettings, type PageAccess } from './settings.ts';
import { type DaemonBench, type FakeServer, makeDaemonBench, startFakeServer } from './testing.ts';

let bench: DaemonBench;
let server: FakeServer;

beforeEach(async () => {
  bench = makeDaemonBench(['private.txt = x']);
  server = await startFakeServer('croft');
});

afterEach(async () => {
  await bench.close();
  await server.close();
});

const STRANGER = 'https://stranger.example';

interface Asked {
  readonly method?: string;
  readonly path?: string;
  readonly host?: string;
  readonly origin?: string | undefined;
  readonly headers?: Record<string, string>;
  readonly body?: string | object;
  /** Without one, the request has a connection of its own. */
  readonly agent?: Agent;
}

interface Got {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly text: string;
  readonly body: Record<string, unknown>;
}

/** Sends one request as a browser does, with the given headers. */
function ask(
  daemon: Daemon,
  { method = 'GET', path = '/health', host, origin, headers, body, agent }: Asked,
): Promise<Got> {
  const text = typeof body === 'object' ? JSON.stringify(body) : body;
  return new Promise((resolve, reject) => {
    const req = request(
      {
        host: '127.0.0.1',
        port: daemon.port,
        method,
        path,
        agent: agent ?? false,
        headers: {
          host: host ?? `127.0.0.1:${daemon.port}`,
          ...(origin !== undefined && { origin }),
          ...(text !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
      },
      (res) => {
        let got = '';
        res.on('data', (part: Buffer) => {
          got += part.toString();
        });
        res.on('end', () => {
          const parsed = got.startsWith('{') ? (JSON.parse(got) as Record<string, unknown>) : {};
          resolve({ status: res.statusCode ?? 0, headers: res.headers, text: got, body: parsed });
        });
      },
    );
    req.on('error', reject);
    req.end(text);
  });
}

const post = (daemon: Daemon, path: string, origin: string | undefined, body: object, more: Asked = {}) =>
  ask(daemon, { method: 'POST', path, origin, body, ...more });

const access = (origin: string, mayWrite = false): PageAccess => ({
  origin,
  directory: bench.scratch.workspace,
  mayWrite,
});

/** Asserts the only response that pages without access get. */
function expectNothing(got: Got): void {
  expect(got.status).toBe(403);
  expect(got.text).toBe('{"error":"Forbidden."}');
  expect(Object.keys(got.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  expect(JSON.stringify(got.headers) + got.text).not.toContain(bench.scratch.base);
}

const pair = (daemon: Daemon, origin = server.url) =>
  post(daemon, '/connect', origin, { url: server.url, token: 'gw_token' });

describe('a page of this machine', () => {
  it('sees health and status, pairs, and disconnects', async () => {
    const daemon = await bench.run({ port: 0 });
    const dir = bench.scratch.workspace;
    expect((await ask(daemon, { origin: server.url })).body).toEqual({ status: 'ok', dir, connected: false });
    const paired = await pair(daemon);
    expect(paired).toMatchObject({ status: 200, body: { status: 'connected', dir } });
    expect(paired.headers).toMatchObject({ 'access-control-allow-origin': server.url, vary: 'Origin' });
    await server.until(() => daemon.isConnected);
    expect((await ask(daemon, { path: '/status', origin: server.url })).body).toEqual({
      connected: true,
      dir,
      connectedAt: expect.stringMatching(/^\d{4}-/),
      url: server.url,
    });
    const again = await pair(daemon);
    expect(again).toMatchObject({
      status: 409,
      body: { error: `Already connected to ${server.url}. Disconnect first.` },
    });
    expect((await post(daemon, '/disconnect', server.url, {})).body).toEqual({ status: 'disconnected' });
    await server.until(() => server.seen('/disconnect').length === 1);
    expect((await post(daemon, '/disconnect', server.url, {})).body).toEqual({ status: 'disconnected' });
    server.tokens.add('gw_token');
    expect((await pair(daemon)).status).toBe(200);
  });

  it('gets an error that says what is wrong with its request', async () => {
    const daemon = await bench.run({ port: 0 });
    const origin = server.url;
    const send = async (body: string | object, path = '/connect') => {
      const { status, body: got } = await ask(daemon, { method: 'POST', path, origin, body });
      return [status, got.error];
    };
    expect(await send('{')).toEqual([400, 'Invalid JSON body']);
    expect(await send('[]')).toEqual([400, 'Invalid JSON body']);
    expect(await send({ url: server.url })).toEqual([400, 'Missing required fields: url, token']);
    expect(await send({ url: server.url, token: 7 })).toEqual([400, 'Missing required fields: url, token']);
    for (const url of ['nonsense', 'file:///etc', `http://me:pw@127.0.0.1`, 'ws://127.0.0.1'])
      expect(await send({ url, token: 'gw' })).toEqual([400, 'Invalid URL']);
    expect(await send({ url: server.url, token: 'gw\r\nx: y' })).toEqual([400, 'Invalid URL']);
    expect(await send({ url: server.url, token: 'gw_wrong' })).toEqual([
      500,
      expect.stringContaining('does not take this token'),
    ]);
    expect((await ask(daemon, { path: '/nothing', origin })).body).toEqual({ error: 'Not found' });
    expect((await ask(daemon, { path: '/connect', origin })).status).toBe(405);
  });

  it('follows along on /events', async () => {
    const daemon = await bench.run({ port: 0 });
    const response = await fetch(`http://127.0.0.1:${daemon.port}/events`, { headers: { origin: server.url } });
    const reader = (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader.read()).value).toBe('event: ready\ndata: {}\n\n');
    await pair(daemon);
    expect((await reader.read()).value).toBe('event: connected\ndata: {}\n\n');
    await reader.cancel();
  });

  it('is asked for by an answered preflight, also from a wider network', async () => {
    const daemon = await bench.run({ port: 0 });
    const preflight = (headers: Record<string, string>) =>
      ask(daemon, {
        method: 'OPTIONS',
        path: '/connect',
        origin: server.url,
        headers: { 'access-control-request-method': 'POST', ...headers },
      });
    const plain = await preflight({});
    expect(plain).toMatchObject({
      status: 204,
      headers: {
        'access-control-allow-origin': server.url,
        'access-control-allow-methods': 'GET, POST',
        'access-control-allow-headers': 'content-type',
        vary: 'Origin',
      },
    });
    expect(plain.headers['access-control-allow-private-network']).toBeUndefined();
    expect((await preflight({ 'access-control-request-private-network': 'true' })).headers).toMatchObject({
      'access-control-allow-private-network': 'true',
    });
    expect((await preflight({ 'access-control-request-local-network': 'true' })).headers).toMatchObject({
      'access-control-allow-local-network': 'true',
    });
  });
});

describe('a page that is not allowed learns nothing', () => {
  const everything: Asked[] = ['/health', '/status', '/events', '/connect', '/disconnect', '/x', '/'].flatMap((path) =>
    ['GET', 'POST', 'OPTIONS', 'HEAD', 'DELETE'].map((method) => ({ path, method })),
  );

  it.each([
    ['an unknown origin', STRANGER],
    ['no origin', undefined],
    ['an opaque origin', 'null'],
    ['an origin in another spelling', 'HTTP://LOCALHOST'],
    ['a name that begins as this machine’s', 'http://localhost.stranger.example'],
    ['a name that ends as it', 'http://stranger-127.0.0.1.example'],
  ])('%s', async (_name, origin) => {
    const daemon = await bench.run({ port: 0 });
    // The listener looks for the owner of each new connection.
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (const one of everything) {
      const got = await ask(daemon, { ...one, origin, agent });
      if (one.method === 'HEAD') expect(got).toMatchObject({ status: 403, text: '' });
      else expectNothing(got);
    }
    agent.destroy();
  });

  it('nor one that reaches the listener under another name, whatever its origin (DNS rebinding)', async () => {
    const daemon = await bench.run({ port: 0 });
    const port = daemon.port as number;
    for (const host of [
      'rebound.example',
      `rebound.example:${port}`,
      `127.0.0.1:${port + 1}`,
      '127.0.0.1',
      '127.0.0.2',
    ])
      for (const origin of [server.url, `http://${host}`, undefined])
        expectNothing(await ask(daemon, { host, origin }));
    for (const host of [`localhost:${port}`, `[::1]:${port}`, `LOCALHOST:${port}`])
      expect((await ask(daemon, { host, origin: server.url })).status).toBe(200);
  });

  it('nor one whose deny is remembered, though it is of this machine or of the command line', async () => {
    const settings = openSettings(bench.settingsFile);
    for (const origin of [server.url, STRANGER]) settings.remember(access(origin), 'deny');
    const questions: PageAccess[] = [];
    const daemon = await bench.run({
      port: 0,
      allowOrigins: [STRANGER],
      ask: (question) => {
        questions.push(question);
        return Promise.resolve('allow_once');
      },
    });
    for (const origin of [server.url, STRANGER]) {
      expectNothing(await ask(daemon, { origin }));
      expectNothing(await pair(daemon, origin));
    }
    expect(questions).toEqual([]);
  });

  it('even when the settings break while it listens', async () => {
    const daemon = await bench.run({ port: 0 });
    const { mkdirSync, writeFileSync } = await import('node:fs');
    const { dirname } = await import('node:path');
    mkdirSync(dirname(bench.settingsFile), { recursive: true });
    writeFileSync(bench.settingsFile, '{');
    const got = await ask(daemon, { origin: server.url });
    expect(got).toMatchObject({ status: 500, body: { error: 'Something went wrong here.' } });
    expect(got.headers['access-control-allow-origin']).toBeUndefined();
  });
});

/** Sends a request from a program that runs as another user, also from an IPv6 socket, and returns the response. */
async function askAsOther(daemon: Daemon, host: string, how: 'waits' | 'closes at once'): Promise<string> {
  const body = JSON.stringify({ url: server.url, token: 'gw_token' });
  const text = [
    'POST /connect HTTP/1.1',
    `Host: 127.0.0.1:${daemon.port}`,
    `Origin: ${server.url}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
  const send = `const socket = require('node:net').connect(${daemon.port}, '${host}');
    socket.write(${JSON.stringify(text)}${how === 'waits' ? '' : ', () => process.exit()'});
    socket.on('error', () => {});
    socket.pipe(process.stdout);`;
  const child = spawn(process.execPath, ['-e', send], {
    uid: 65_534,
    gid: 65_534,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let got = '';
  child.stdout.on('data', (part: Buffer) => {
    got += part.toString();
  });
  await once(child, 'close');
  return got;
}

describe.skipIf(process.getuid?.() !== 0 || process.platform !== 'linux')('a program of another user', () => {
  it.each(['127.0.0.1', '::ffff:127.0.0.1'])('cannot connect the daemon to its own server, over %s', async (host) => {
    const daemon = await bench.run({ port: 0, allowOrigins: [server.url] });
    expect(await askAsOther(daemon, host, 'waits')).toBe('');
    expect(await askAsOther(daemon, host, 'closes at once')).toBe('');
    expect(bench.events.filter(({ type }) => type === 'warning')).toEqual([
      { type: 'warning', message: expect.stringContaining('another user of this machine') },
    ]);
    expect((await ask(daemon, { path: '/status', origin: server.url })).body).toMatchObject({ url: null });
    expect(server.requests).toEqual([]);
  });
});

describe('no page can', () => {
  it('have this daemon connect to another server than its own', async () => {
    const daemon = await bench.run({ port: 0, allowOrigins: ['https://good.example'] });
    const port = new URL(server.url).port;
    for (const [origin, url] of [
      ['https://good.example', server.url],
      [server.url, 'https://evil.example'],
      [server.url, `http://localhost:${port}`],
      ['http://localhost:3000', server.url],
    ] as const)
      expect(await post(daemon, '/connect', origin, { url, token: 'gw_token' })).toMatchObject({
        status: 403,
        body: { error: 'Connection rejected.' },
      });
    expect(server.requests).toHaveLength(0);
  });

  it('take over the connection of another server, from another port of this machine', async () => {
    const daemon = await bench.run({ port: 0 });
    await pair(daemon);
    await server.until(() => daemon.isConnected);
    for (const origin of ['http://localhost:3000', `http://localhost:${new URL(server.url).port}`])
      expect(await post(daemon, '/disconnect', origin, {})).toMatchObject({
        status: 403,
        body: { error: 'Another server is connected. Disconnect in its page, or in the terminal.' },
      });
    expect(daemon.isConnected).toBe(true);
    expect(server.seen('/disconnect')).toHaveLength(0);
    expect((await post(daemon, '/disconnect', server.url, {})).status).toBe(200);
    expect((await post(daemon, '/disconnect', 'http://localhost:3000', {})).body).toEqual({ status: 'disconnected' });
  });

  it('send what a browser lets it send without asking first', async () => {
    const daemon = await bench.run({ port: 0 });
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'application/jsonx',
      '',
    ])
      for (const path of ['/connect', '/disconnect']) {
        const body = { url: server.url, token: 'gw_token' };
        const got = await post(daemon, path, server.url, body, { headers: { 'content-type': type } });
        expect(got.status, `${path} ${type}`).toBe(415);
      }
    expect(server.requests).toHaveLength(0);
  });

  it('send more than 64 KB, announced or not', async () => {
    const daemon = await bench.run({ port: 0 });
    const body = JSON.stringify({ url: server.url, token: 'gw_token', filler: 'x'.repeat(65_536) });
    expect((await ask(daemon, { method: 'POST', path: '/connect', origin: server.url, body })).status).toBe(413);
    const chunked = await ask(daemon, {
      method: 'POST',
      path: '/connect',
      origin: server.url,
      body,
      headers: { 'transfer-encoding': 'chunked' },
    });
    expect(chunked.status).toBe(413);
    expect(server.requests).toHaveLength(0);
  });

  it('have the operator’s static key sent to its server', async () => {
    const daemon = await bench.run({ port: 0, staticKey: 'fixed' });
    expect((await pair(daemon)).status).toBe(200);
    expect(server.requests.map(({ headers }) => headers['x-gateway-key'])).not.toContain('fixed');
  });

  it('make two connections at once', async () => {
    const daemon = await bench.run({ port: 0 });
    server.tokens.add('gw_2');
    const answers = await Promise.all(
      ['gw_token', 'gw_2'].map((token) => post(daemon, '/connect', server.url, { url: server.url, token })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(server.seen('/init')).toHaveLength(1);
  });
});

describe('an unknown page that wants to connect', () => {
  /** A daemon whose questions the test answers. */
  async function withPerson(more: Parameters<DaemonBench['run']>[0] = {}) {
    const questions: { question: PageAccess; answer: (verdict: PageVerdict) => void }[] = [];
    const daemon = await bench.run({
      port: 0,
      ask: (question) => new Promise((answer) => questions.push({ question, answer })),
      ...more,
    });
    return { daemon, questions };
  }
  const want = (daemon: Daemon, origin = STRANGER) =>
    ask(daemon, {
      method: 'OPTIONS',
      path: '/connect',
      origin,
      headers: { 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' },
    });
  const said = () => bench.events.filter(({ type }) => type === 'decided');

  it('is asked about once in the terminal, and gets the same 403 as before', async () => {
    const { daemon, questions } = await withPerson();
    expectNothing(await want(daemon));
    expectNothing(await want(daemon));
    expectNothing(await want(daemon, 'https://another.example'));
    expect(questions.map(({ question }) => question)).toEqual([
      { origin: STRANGER, directory: bench.scratch.workspace, mayWrite: false },
    ]);
    expectNothing(await ask(daemon, { origin: STRANGER }));
  });

  it('is asked about only for /connect', async () => {
    const { daemon, questions } = await withPerson();
    for (const path of ['/health', '/status', '/events', '/disconnect'])
      expectNothing(await ask(daemon, { path, origin: STRANGER, method: 'OPTIONS' }));
    expectNothing(await ask(daemon, { path: '/connect', origin: STRANGER }));
    // A question about a body that no browser sends without a preflight, or about another server than the page's own.
    const body = { url: 'https://evil.example', token: 'gw_token' };
    expectNothing(await post(daemon, '/connect', STRANGER, body));
    expectNothing(await post(daemon, '/connect', STRANGER, body, { headers: { 'content-type': 'text/plain' } }));
    expect(questions).toEqual([]);
  });

  it('may, once allowed, for this run and this directory', async () => {
    const { daemon, questions } = await withPerson();
    await want(daemon);
    questions[0]?.answer('allow_once');
    await server.until(() => said().length === 1);
    expect((await ask(daemon, { origin: STRANGER })).status).toBe(200);
    expect((await want(daemon)).status).toBe(204);
    expect(openSettings(bench.settingsFile).decisionFor(access(STRANGER))).toBeUndefined();
  });

  it('may or may not permanently, if the person says so', async () => {
    const { daemon, questions } = await withPerson();
    await want(daemon);
    questions[0]?.answer('allow_always');
    await server.until(() => said().length === 1);
    await want(daemon, 'https://evil.example');
    questions[1]?.answer('deny_always');
    await server.until(() => said().length === 2);
    const settings = openSettings(bench.settingsFile);
    expect(settings.decisionFor(access(STRANGER))).toBe('allow');
    expect(settings.decisionFor(access('https://evil.example'))).toBe('deny');
    expectNothing(await want(daemon, 'https://evil.example'));
    expect(questions).toHaveLength(2);
  });

  it('is not asked about again in this run when the person said no', async () => {
    const { daemon, questions } = await withPerson();
    await want(daemon);
    questions[0]?.answer('deny_once');
    await server.until(() => said().length === 1);
    expectNothing(await want(daemon));
    expect(questions).toHaveLength(1);
  });

  it('is not asked about any more after five others were turned away', async () => {
    const { daemon, questions } = await withPerson();
    for (let i = 0; i < 7; i++) {
      expectNothing(await want(daemon, `https://page${i}.example`));
      questions[i]?.answer('deny_once');
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(questions).toHaveLength(5);
  });

  it('keeps others waiting: one question at a time', async () => {
    const { daemon, questions } = await withPerson();
    await want(daemon);
    expect(await pair(daemon)).toMatchObject({
      status: 409,
      body: { error: 'A connection confirmation is already in progress.' },
    });
    questions[0]?.answer('deny_once');
    await server.until(() => said().length === 1);
    expect((await pair(daemon)).status).toBe(200);
  });

  it('is not asked about while the daemon is connected', async () => {
    const { daemon, questions } = await withPerson();
    await pair(daemon);
    expectNothing(await want(daemon));
    expect(questions).toEqual([]);
  });

  it('is turned away with a sentence where there is no terminal', async () => {
    const daemon = await bench.run({ port: 0 });
    expectNothing(await want(daemon));
    expectNothing(await want(daemon));
    await server.until(() => bench.events.some(({ type }) => type === 'turned_away'));
    expect(bench.events.filter(({ type }) => type === 'turned_away')).toEqual([
      {
        type: 'turned_away',
        origin: STRANGER,
        why: 'there is no terminal to ask on; pass --allow-origin with it, or --auto-confirm',
      },
    ]);
    expectNothing(await want(daemon));
  });

  it('may with --auto-confirm, and is not remembered', async () => {
    const daemon = await bench.run({ port: 0, autoConfirm: true });
    expectNothing(await want(daemon));
    await server.until(() => said().length === 1);
    expect((await want(daemon)).status).toBe(204);
    expect(openSettings(bench.settingsFile).decisionFor(access(STRANGER))).toBeUndefined();
  });
});

it('a port that is taken is an error of the start', async () => {
  const first = await bench.run({ port: 0 });
  await expect(bench.run({ port: first.port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

it('listens on 127.0.0.1 only', async () => {
  const daemon = await bench.run({ port: 0 });
  const refused = await new Promise<boolean>((resolve) => {
    const socket = connect({ host: '127.0.0.2', port: daemon.port as number });
    socket.on('error', () => resolve(true));
    socket.on('connect', () => {
      socket.destroy();
      resolve(false);
    });
  });
  expect(refused).toBe(true);
});
