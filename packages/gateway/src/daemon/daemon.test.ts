import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Daemon } from './daemon-options.ts';
import { openSettings } from './settings.ts';
import {
  type DaemonBench,
  type Dialect,
  type FakeServer,
  makeDaemonBench,
  QUICK,
  requestFrame,
  startFakeServer,
} from './testing.ts';

let bench: DaemonBench;
const servers: FakeServer[] = [];

afterEach(async () => {
  await bench.close();
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function fake(dialect: Dialect, port?: number): Promise<FakeServer> {
  const server = await startFakeServer(dialect, port);
  servers.push(server);
  return server;
}

/** A daemon for these files, paired with a server of a dialect. */
async function pair(dialect: Dialect, lines: readonly string[], more: Parameters<DaemonBench['run']>[0] = {}) {
  bench = makeDaemonBench(lines);
  const server = await fake(dialect);
  const daemon = await bench.run({ target: { server: server.url, token: 'gw_token' }, ...more });
  await server.until(() => daemon.isConnected, 'the stream');
  return { server, daemon };
}

const eventsOf = (type: string) => bench.events.filter((event) => event.type === type);
const lastMessage = () => (eventsOf('ended').at(-1) as { message?: string; reason?: string } | undefined) ?? {};

describe('pairing', () => {
  it.each([
    ['seed', '/instance-ai'],
    ['later', '/rest/instance-ai'],
    ['croft', '/rest/instance-ai'],
  ] as const)('works with a server of the %s dialect, below %s', async (dialect, prefix) => {
    const { server } = await pair(dialect, ['src/a.ts = let a', 'notes.md']);
    const [init] = server.seen(`${prefix}/gateway/init`);
    expect(init?.headers['x-gateway-key']).toBe('gw_token');
    expect(init?.body).toMatchObject({
      rootPath: bench.scratch.workspace,
      tree: [
        { path: 'src', type: 'directory' },
        { path: 'notes.md', type: 'file', sizeBytes: 8 },
        { path: 'src/a.ts', type: 'file', sizeBytes: 5 },
      ],
      treeText: 'workspace/\n  src/\n    a.ts\n  notes.md',
      hostIdentifier: hostname(),
      toolCategories: [{ name: 'filesystem', enabled: true, writeAccess: false }],
      croft: { protocol: 1, tools: ['get-file-tree', 'list-files', 'read-file', 'search-files'] },
    });
    expect(init?.body.tools[2]).toMatchObject({
      name: 'read-file',
      inputSchema: { type: 'object', required: ['filePath'] },
      annotations: { readOnlyHint: true, category: 'filesystem' },
    });
    const stream = server.seen(`${prefix}/gateway/events`).at(-1);
    expect(stream?.headers['x-gateway-key']).toMatch(/^sess_/);
    // Only a server that reads the key nowhere else gets it in the URL.
    expect(stream?.query).toBe(dialect === 'seed' ? `?apiKey=${stream?.headers['x-gateway-key']}` : '');
  });

  it('keeps a path in the address of the server', async () => {
    bench = makeDaemonBench();
    const server = await fake('croft');
    server.intercept = (request) => {
      expect(request.path).toMatch(/^\/apps\/croft\//);
      return false;
    };
    const daemon = await bench.run({ target: { server: `${server.url}/apps/croft`, token: 'gw_token' } });
    // The fake server does not know this path, so the daemon explains it in a sentence.
    expect((await daemon.done).message).toMatch(/has no gateway for croft connect/);
    expect(server.requests.map(({ path }) => path)).toEqual([
      '/apps/croft/rest/instance-ai/gateway/init',
      '/apps/croft/instance-ai/gateway/init',
    ]);
  });

  it('ends with how to pair again when the token is used up or wrong', async () => {
    bench = makeDaemonBench();
    const server = await fake('later');
    const daemon = await bench.run({ target: { server: server.url, token: 'gw_old' } });
    const end = await daemon.done;
    expect(end.reason).toBe('unpaired');
    expect(end.message).toBe(
      `${server.url} does not take this token (Invalid API key): a token works once, for five minutes. To pair again, open Connect a folder at ${server.url} and run the command it shows`,
    );
    expect(server.requests).toHaveLength(1);
  });

  it('waits for a server that is not there yet, or is starting', async () => {
    bench = makeDaemonBench();
    const server = await fake('croft');
    let busy = 2;
    server.intercept = (request, res) => {
      if (!request.path.endsWith('/init') || busy-- <= 0) return false;
      res.writeHead(503, { 'content-type': 'application/json' }).end('{"message":"starting"}');
      return true;
    };
    const daemon = await bench.run({ target: { server: server.url, token: 'gw_token' } });
    await server.until(() => daemon.isConnected);
    expect(eventsOf('retrying')).toMatchObject([{ why: 'starting' }, { why: 'starting' }]);
  });

  it('gives up an address of a command where nothing answers, and says to check it', async () => {
    bench = makeDaemonBench();
    const daemon = await bench.run({ target: { server: 'http://127.0.0.1:9', token: 'gw_token' }, port: 0 });
    expect(await daemon.done).toMatchObject({
      reason: 'unreachable',
      message:
        'http://127.0.0.1:9 cannot be reached: nothing listens there. Check the address, then run the command again',
    });
    expect(eventsOf('retrying')).toHaveLength(5);
  });

  it('waits for the server of an earlier session however long it is away, because its address was right', async () => {
    bench = makeDaemonBench();
    openSettings(bench.settingsFile).keepSession('http://127.0.0.1:9', bench.scratch.workspace, 'sess_old');
    const daemon = await bench.run({ target: { server: 'http://127.0.0.1:9', token: 'gw_token' } });
    await expect.poll(() => eventsOf('retrying').length).toBeGreaterThan(8);
    await daemon.stop();
    expect((await daemon.done).reason).toBe('stopped');
  });

  it('says in one line what a server says, whatever lines that has', async () => {
    bench = makeDaemonBench();
    const server = await fake('croft');
    server.intercept = (_, res) => {
      res.writeHead(400, { 'content-type': 'application/json' });
      res.end(JSON.stringify({ message: 'no\n\rConnected to https://good.example\u2028Allowed' }));
      return true;
    };
    const daemon = await bench.run({ target: { server: server.url, token: 'gw_token' } });
    const { message } = await daemon.done;
    expect(message).toContain('no Connected to https://good.example Allowed');
    expect(message).not.toMatch(/[\n\r\u2028]/);
  });

  it('does not follow a redirect with its key', async () => {
    bench = makeDaemonBench();
    const server = await fake('croft');
    server.intercept = (_, res) => {
      res.writeHead(307, { location: 'https://elsewhere.example/' }).end();
      return true;
    };
    const daemon = await bench.run({ target: { server: server.url, token: 'gw_token' } });
    expect((await daemon.done).message).toContain('it redirects to https://elsewhere.example/; use that address');
  });
});

describe('a call', () => {
  it('of the first dialect is answered with data or an error', async () => {
    const { server } = await pair('seed', ['src/a.ts = one\\ntwo']);
    server.send(requestFrame('gw_1', 'read-file', { filePath: 'src/a.ts', maxLines: 1 }, 'seed'));
    expect((await server.answer('gw_1')).body).toEqual({
      data: { path: 'src/a.ts', content: 'one', truncated: true, totalLines: 2 },
    });
    server.send(requestFrame('gw_2', 'read-file', { filePath: '../secret' }, 'seed'));
    expect((await server.answer('gw_2')).body).toEqual({ error: 'Path "../secret" is outside the allowed directory' });
    server.send(requestFrame('gw_3', 'search-files', { dirPath: '.', query: 'tw.' }, 'seed'));
    expect((await server.answer('gw_3')).body.data.matches).toEqual([{ path: 'src/a.ts', lineNumber: 2, line: 'two' }]);
  });

  it('of the later dialect is answered with content and structured content', async () => {
    const { server } = await pair('later', ['a = one']);
    server.send(requestFrame('gw_1', 'read-file', { filePath: 'a' }, 'later'));
    const data = { path: 'a', content: 'one', truncated: false, totalLines: 1 };
    expect((await server.answer('gw_1')).body).toEqual({
      result: { content: [{ type: 'text', text: JSON.stringify(data) }], structuredContent: data },
    });
    server.send(requestFrame('gw_2', 'read-file', { filePath: 'no' }, 'later'));
    const failure = { error: 'File not found: no' };
    expect((await server.answer('gw_2')).body).toEqual({
      result: {
        content: [{ type: 'text', text: JSON.stringify(failure) }],
        structuredContent: failure,
        isError: true,
      },
    });
    server.send(requestFrame('gw_3', 'rm', {}, 'later'));
    expect((await server.answer('gw_3')).body.result.structuredContent.error).toMatch(/^Unknown tool: rm\. Available/);
  });

  it('of Croft’s own server is answered with the result as it is', async () => {
    const { server } = await pair('croft', ['a = one']);
    server.send(requestFrame('gw_1', 'read-file', { filePath: 'a' }, 'croft', { deadlineMs: 30_000 }));
    expect((await server.answer('gw_1')).body).toEqual({
      data: { path: 'a', content: 'one', truncated: false, totalLines: 1 },
    });
    server.send(requestFrame('gw_2', 'read-file', { filePath: 'no' }, 'croft'));
    expect((await server.answer('gw_2')).body).toEqual({
      error: 'File not found: no',
      data: { error: 'File not found: no' },
    });
    await server.until(() => eventsOf('answered').length === 2);
    expect(eventsOf('answered')).toMatchObject([
      { tool: 'read-file', about: 'a', ok: true },
      { tool: 'read-file', about: 'no', ok: false },
    ]);
  });

  it('gets an image as image content where writing is allowed and the tools are all there', async () => {
    bench = makeDaemonBench([], true);
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    writeFileSync(join(bench.scratch.workspace, 'dot.png'), png);
    const server = await fake('later');
    await bench.run({ target: { server: server.url, token: 'gw_token' } });
    await server.until(() => server.streamCount() === 1);
    server.send(requestFrame('gw_1', 'read_media', { path: 'dot.png' }, 'later'));
    const { content } = (await server.answer('gw_1')).body.result;
    expect(content.at(-1)).toEqual({ type: 'image', mimeType: 'image/png', data: png.toString('base64') });
    server.send(requestFrame('gw_2', 'write_file', { path: 'new.txt', content: 'hello' }, 'later'));
    expect((await server.answer('gw_2')).body.result.isError).toBeUndefined();
    expect(readFileSync(join(bench.scratch.workspace, 'new.txt'), 'utf8')).toBe('hello');
  });

  it('cannot change anything without --allow-write, in any dialect', async () => {
    const { server } = await pair('later', ['a = one']);
    for (const [i, name] of ['write_file', 'edit_file', 'delete_path', 'write-file'].entries()) {
      server.send(requestFrame(`gw_${i}`, name, { path: 'a', content: 'x' }, i % 2 ? 'seed' : 'later'));
      expect(JSON.stringify((await server.answer(`gw_${i}`)).body)).toContain('Unknown tool');
    }
    expect(readFileSync(join(bench.scratch.workspace, 'a'), 'utf8')).toBe('one');
  });

  it('cannot read what the deny-list protects, what is outside, or Croft’s own settings', async () => {
    const { server } = await pair('later', ['.env = SECRET', 'leak => $OUT/secret.txt', '../base/x']);
    for (const [i, filePath] of ['.env', 'leak', '../base/connect.json', bench.settingsFile].entries()) {
      server.send(requestFrame(`gw_${i}`, 'read-file', { filePath }, 'later'));
      const { result } = (await server.answer(`gw_${i}`)).body;
      expect(result.isError).toBe(true);
      expect(JSON.stringify(result)).not.toMatch(/SECRET|sess_/);
    }
  });

  it('with invalid arguments, an invalid id, or no name does no harm', async () => {
    const { server } = await pair('later', ['a = one']);
    for (const payload of [null, {}, { requestId: '..', toolCall: { name: 'x' } }, { requestId: 7 }, 'x'])
      server.send({ type: 'filesystem-request', payload });
    server.send({ type: 'filesystem-request', payload: { requestId: '../../disconnect', operation: 'read-file' } });
    server.send({ type: 'something-new' });
    server.send(requestFrame('gw_9', '__proto__', {}, 'later'));
    expect((await server.answer('gw_9')).body.result.isError).toBe(true);
    server.send({ type: 'filesystem-request', payload: { requestId: 'gw_10', toolCall: { name: 'read-file' } } });
    expect((await server.answer('gw_10')).body.result.structuredContent.error).toMatch(/^Invalid arguments: filePath/);
    const ends = server.requests.map(({ path }) => path.replace('/rest/instance-ai/gateway/', ''));
    expect(ends.sort()).toEqual(['events', 'init', 'response/gw_10', 'response/gw_9']);
  });
});

describe('an answer', () => {
  it('is sent again until it arrives, and Retry-After is honoured', async () => {
    const { server } = await pair('croft', ['a = one']);
    const at: number[] = [];
    server.intercept = (request, res) => {
      if (!request.path.includes('/response/')) return false;
      at.push(performance.now());
      if (at.length === 1) res.destroy();
      else if (at.length === 2) res.writeHead(503).end();
      else if (at.length === 3) res.writeHead(429, { 'retry-after': '1' }).end();
      else return false;
      return true;
    };
    server.send(requestFrame('gw_1', 'read-file', { filePath: 'a' }, 'croft'));
    await server.until(() => eventsOf('answered').length === 1);
    expect(at).toHaveLength(4);
    expect((at[3] as number) - (at[2] as number)).toBeGreaterThanOrEqual(990);
  });

  it('is not sent again when it is no longer wanted', async () => {
    const { server } = await pair('later', ['a = one']);
    server.intercept = (request, res) => {
      if (!request.path.includes('/response/')) return false;
      res.writeHead(404, { 'content-type': 'application/json' }).end('{"message":"already resolved"}');
      return true;
    };
    server.send(requestFrame('gw_1', 'read-file', { filePath: 'a' }, 'later'));
    await server.until(() => eventsOf('unanswered').length === 1);
    expect(server.seen('/response/gw_1')).toHaveLength(1);
  });

  it('that is too large for the server becomes a sentence', async () => {
    const { server } = await pair('later', ['a = one']);
    server.intercept = (request, res) => {
      if (!request.path.includes('/response/') || request.body.result.isError) return false;
      res.writeHead(413).end();
      return true;
    };
    server.send(requestFrame('gw_1', 'read-file', { filePath: 'a' }, 'later'));
    await server.answer('gw_1');
    expect((await server.answer('gw_1')).body.result.structuredContent.error).toMatch(/larger than the server accepts/);
  });

  it('to a call that is delivered twice is sent again, and the call is not run again', async () => {
    bench = makeDaemonBench(['log = '], true);
    const server = await fake('later');
    await bench.run({ target: { server: server.url, token: 'gw_token' } });
    await server.until(() => server.streamCount() === 1);
    const frame = requestFrame('gw_1', 'append_file', { path: 'log', content: 'once\n' }, 'later');
    server.send(frame);
    const first = await server.answer('gw_1');
    await server.until(() => eventsOf('answered').length === 1);
    server.send(frame);
    expect((await server.answer('gw_1')).body).toEqual(first.body);
    expect(readFileSync(join(bench.scratch.workspace, 'log'), 'utf8')).toBe('once\n');
    expect(eventsOf('called')).toHaveLength(1);
  });

  it('is not sent for a call that was cancelled or whose time is over', async () => {
    const { server } = await pair('croft', ['a = one']);
    let blocked = true;
    server.intercept = (request, res) => {
      if (!request.path.includes('/response/')) return false;
      if (blocked) res.writeHead(503).end();
      return blocked;
    };
    server.send(requestFrame('gw_1', 'read-file', { filePath: 'a' }, 'croft', { deadlineMs: 30_000 }));
    server.send(requestFrame('gw_2', 'read-file', { filePath: 'a' }, 'croft', { deadlineMs: 60 }));
    await server.until(() => server.seen('/response/gw_1').length > 2);
    server.send({ type: 'filesystem-cancel', payload: { requestId: 'gw_1' } });
    await server.until(() => eventsOf('unanswered').length === 2);
    // A pending delivery may still arrive. The next one would be accepted, and reported as an event.
    blocked = false;
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(eventsOf('answered')).toEqual([]);
  });
});

describe('a connection that breaks', () => {
  it('is made again with the same key and the id of the last event, without another init', async () => {
    const { server } = await pair('croft', ['a = one']);
    server.send(requestFrame('gw_1', 'read-file', { filePath: 'a' }, 'croft'), 'e7');
    await server.answer('gw_1');
    server.cut();
    await server.until(() => server.seen('/events').length === 2 && server.streamCount() === 1);
    expect(server.seen('/events')[1]?.headers).toMatchObject({ 'last-event-id': 'e7', 'x-gateway-key': 'sess_1' });
    expect(server.seen('/init')).toHaveLength(1);
    await server.until(() => eventsOf('connected').length === 2);
    expect(eventsOf('connected')).toMatchObject([{ again: false }, { again: true }]);
  });

  it('is taken for dead when nothing comes for two and a half pings', async () => {
    const { server } = await pair('croft', [], { timing: { ...QUICK, pingMs: 40 } });
    await server.until(() => server.seen('/events').length >= 2);
    expect(eventsOf('retrying')[0]).toMatchObject({ why: expect.stringMatching(/^the server sent nothing for/) });
  });

  it('lives as long as pings come, though they are comments', async () => {
    const { server } = await pair('croft', [], { timing: { ...QUICK, pingMs: 400 } });
    for (let i = 0; i < 15; i++) {
      server.ping();
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(server.seen('/events')).toHaveLength(1);
  });

  it.each([401, 403, 404])('restarts with the session key after %i, and continues', async (status) => {
    const { server } = await pair('croft', []);
    let refuse = 1;
    server.intercept = (request, res) => {
      if (!request.path.endsWith('/events') || refuse-- <= 0) return false;
      res.writeHead(status, { 'content-type': 'application/json' }).end('{"message":"not initialized"}');
      return true;
    };
    server.cut();
    await server.until(() => server.seen('/init').length === 2 && server.streamCount() === 1);
    expect(server.seen('/init')[1]?.headers['x-gateway-key']).toBe('sess_1');
    expect(server.seen('/events').at(-1)?.query).toBe('');
  });

  it('ends with how to pair again when the server no longer knows the key, which is forgotten', async () => {
    const { server, daemon } = await pair('croft', []);
    expect(openSettings(bench.settingsFile).sessionFor(server.url, bench.scratch.workspace)).toBe('sess_1');
    server.keys.clear();
    server.cut();
    expect(await daemon.done).toMatchObject({
      reason: 'unpaired',
      message: expect.stringContaining('no longer knows this connection (Invalid API key). To pair again, open'),
    });
    expect(openSettings(bench.settingsFile).sessionFor(server.url, bench.scratch.workspace)).toBeUndefined();
  });

  it.each([
    [302, 'text/html'],
    [200, 'text/html'],
    [403, 'text/html'],
    [404, 'text/html'],
    [409, 'application/json'],
  ])(
    'waits for its server where something on the way answers %i (%s) instead, and keeps its key',
    async (status, type) => {
      const { server, daemon } = await pair('croft', ['a = one']);
      let answered = 0;
      server.intercept = (_request, res) => {
        if (answered >= 3) return false;
        answered++;
        res.writeHead(status, { 'content-type': type, ...(status === 302 && { location: 'http://portal.example/' }) });
        res.end(type === 'text/html' ? '<h1>Please log in</h1>' : '{"message":"busy"}');
        return true;
      };
      server.cut();
      await server.until(() => answered === 3 && daemon.isConnected && server.streamCount() === 1);
      expect(openSettings(bench.settingsFile).sessionFor(server.url, bench.scratch.workspace)).toBe('sess_1');
      server.send(requestFrame('gw_1', 'read-file', { filePath: 'a' }, 'croft'));
      expect((await server.answer('gw_1')).body.data.content).toBe('one');
    },
  );

  it('gives up a server that takes each init and refuses each stream', async () => {
    bench = makeDaemonBench();
    const server = await fake('croft');
    server.intercept = (request, res) => {
      if (request.path.endsWith('/events')) res.writeHead(403).end('{"message":"no"}');
      return request.path.endsWith('/events');
    };
    const daemon = await bench.run({ target: { server: server.url, token: 'gw_token' } });
    expect((await daemon.done).reason).toBe('unpaired');
    expect(server.seen('/init').length).toBeLessThanOrEqual(5);
  });

  it('survives the server: it comes back on its port and knows the key', async () => {
    const { server, daemon } = await pair('croft', ['a = one']);
    const port = Number(new URL(server.url).port);
    await server.close();
    await server.until(() => eventsOf('retrying').length > 0);
    const next = await fake('croft', port);
    next.keys.add('sess_1');
    await next.until(() => daemon.isConnected && next.streamCount() === 1);
    next.send(requestFrame('gw_1', 'read-file', { filePath: 'a' }, 'croft'));
    expect((await next.answer('gw_1')).body.data.content).toBe('one');
  });
});

describe('the server’s last word', () => {
  it('is heard also where the stream ends with it', async () => {
    const { server, daemon } = await pair('croft', []);
    server.send({ type: 'gateway-disconnect', payload: { reason: 'superseded' } });
    server.cut('end');
    expect((await daemon.done).reason).toBe('superseded');
  });

  it('superseded: it stops, says so, and does not come back', async () => {
    const { server, daemon } = await pair('croft', []);
    server.send({ type: 'gateway-disconnect', payload: { reason: 'superseded' } });
    expect(await daemon.done).toEqual({
      reason: 'superseded',
      message: `Another croft connect took over the connection to ${server.url}; this one stops`,
    });
    await new Promise((resolve) => setTimeout(resolve, 80));
    expect(server.seen('/events')).toHaveLength(1);
    expect(server.seen('/disconnect')).toHaveLength(0);
  });

  it.each([{ type: 'gateway-disconnect', payload: { reason: 'disconnected' } }, { type: 'gateway-disconnect' }])(
    'disconnected (%j): it ends and keeps no key',
    async (frame) => {
      const { server, daemon } = await pair('later', []);
      server.send(frame);
      expect((await daemon.done).reason).toBe('disconnected');
      expect(openSettings(bench.settingsFile).lastServer(bench.scratch.workspace)).toBeUndefined();
      expect(lastMessage().reason).toBe('disconnected');
    },
  );
});

describe('stopping', () => {
  it('tells the server and forgets the key', async () => {
    const { server, daemon } = await pair('croft', []);
    await daemon.stop();
    expect(server.seen('/disconnect')[0]?.headers['x-gateway-key']).toBe('sess_1');
    expect(readFileSync(bench.settingsFile, 'utf8')).not.toContain('sess_');
    expect((await daemon.done).reason).toBe('stopped');
  });

  it('waits no longer than its limit for a server that does not respond', async () => {
    const { server, daemon } = await pair('croft', [], { timing: { ...QUICK, leaveMs: 50 } });
    server.intercept = (request) => request.path.endsWith('/disconnect');
    // The server never responds: without a limit, this would wait until the timeout of the test.
    await daemon.stop();
    expect((await daemon.done).reason).toBe('stopped');
  });

  it('leaves an earlier session alone where this one was never let in', async () => {
    bench = makeDaemonBench();
    const settings = openSettings(bench.settingsFile);
    settings.keepSession('http://127.0.0.1:9', bench.scratch.workspace, 'sess_old');
    const daemon = await bench.run({ target: { server: 'http://127.0.0.1:9', token: 'gw_token' } });
    while (eventsOf('retrying').length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await daemon.stop();
    expect(settings.sessionFor('http://127.0.0.1:9', bench.scratch.workspace)).toBe('sess_old');
  });

  it('ends a wait between tries at once', async () => {
    bench = makeDaemonBench();
    const daemon: Daemon = await bench.run({
      target: { server: 'http://127.0.0.1:9', token: 'gw_token' },
      timing: { reconnect: { minMs: 60_000, maxMs: 60_000 } },
    });
    while (eventsOf('retrying').length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await daemon.stop();
    expect((await daemon.done).reason).toBe('stopped');
  });
});

describe('a daemon that was killed', () => {
  it('comes back with the session of its directory and no token', async () => {
    bench = makeDaemonBench(['a = one']);
    const server = await fake('croft');
    server.keys.add('sess_old');
    openSettings(bench.settingsFile).keepSession(server.url, bench.scratch.workspace, 'sess_old');
    const daemon = await bench.run();
    await server.until(() => daemon.isConnected);
    expect(server.seen('/init')[0]?.headers['x-gateway-key']).toBe('sess_old');
  });

  it('comes back with the very command it was started with, whose token is used up', async () => {
    bench = makeDaemonBench();
    const server = await fake('croft');
    server.keys.add('sess_old');
    openSettings(bench.settingsFile).keepSession(server.url, bench.scratch.workspace, 'sess_old');
    const daemon = await bench.run({ target: { server: server.url, token: 'gw_used' } });
    await server.until(() => daemon.isConnected);
    expect(server.seen('/init').map(({ headers }) => headers['x-gateway-key'])).toEqual(['gw_used', 'sess_old']);
  });

  it('does not use the session of another directory or server', async () => {
    bench = makeDaemonBench();
    const server = await fake('croft');
    openSettings(bench.settingsFile).keepSession(server.url, '/elsewhere', 'sess_other');
    await expect(bench.run({ target: { server: server.url } })).rejects.toThrow(
      /no earlier connection of this directory/,
    );
    expect(server.requests).toHaveLength(0);
  });
});

it('a static key is used as it is, and never written down', async () => {
  bench = makeDaemonBench();
  const server = await fake('croft');
  server.keys.add('fixed');
  const daemon = await bench.run({ staticKey: 'fixed', target: { server: server.url } });
  await server.until(() => daemon.isConnected);
  expect(server.seen('/init')[0]?.headers['x-gateway-key']).toBe('fixed');
  await daemon.stop();
  expect(existsSync(bench.settingsFile)).toBe(false);
});

describe('a server that had enough for a moment', () => {
  const busy = { code: 'too_often', message: 'This machine sent too much in a short time. Try again in 1 s' };

  it('gets the next init at the requested time, and the person gets a message', async () => {
    const { server } = await pair('croft', []);
    const at: number[] = [];
    server.intercept = (request, res) => {
      if (request.path.endsWith('/events') && at.length === 0) {
        res.writeHead(403, { 'content-type': 'application/json' }).end('{"message":"Local gateway not initialized"}');
        return true;
      }
      if (!request.path.endsWith('/init')) return false;
      at.push(performance.now());
      if (at.length > 1) return false;
      res.writeHead(429, { 'content-type': 'application/json', 'retry-after': '1' }).end(JSON.stringify(busy));
      return true;
    };
    server.cut();
    await server.until(() => at.length === 2 && server.streamCount() === 1);
    expect((at[1] as number) - (at[0] as number)).toBeGreaterThanOrEqual(990);
    expect(eventsOf('retrying').at(-1)).toMatchObject({ inMs: 1_000, why: busy.message });
  });
});

describe('a fresh tree', () => {
  it('is sent to Croft’s own servers when something changed, and not when nothing did', async () => {
    const { server } = await pair('croft', ['src/a.ts']);
    writeFileSync(join(bench.scratch.workspace, 'src/new.ts'), 'x');
    await server.until(() => server.seen('/gateway/tree').length > 0);
    const { body, headers } = server.seen('/gateway/tree').at(-1) as ReturnType<FakeServer['seen']>[number];
    expect(headers['x-gateway-key']).toBe('sess_1');
    expect(body.tree).toContainEqual({ path: 'src/new.ts', type: 'file', sizeBytes: expect.any(Number) });
    expect(body.treeText).toContain('    new.ts');
    expect(Object.keys(body)).toEqual(['rootPath', 'tree', 'treeText']);
  });

  it('is not sent to others', async () => {
    const { server } = await pair('later', ['src/a.ts']);
    writeFileSync(join(bench.scratch.workspace, 'src/new.ts'), 'x');
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(server.seen('/tree')).toHaveLength(0);
  });
});
