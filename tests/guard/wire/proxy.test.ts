import * as http from 'node:http';
import * as net from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import type { GuardProxyOptions } from '../../../packages/guard/src/proxy/proxy.ts';
import { type FakeReply, type GuardedPair, sseOf, startGuarded } from './fake-upstream.ts';

let pair: GuardedPair;
afterEach(() => pair.close());

async function guarded(reply: FakeReply, options?: Partial<GuardProxyOptions>): Promise<void> {
  pair = await startGuarded(options);
  pair.upstream.replies = [reply];
}

interface Got {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

function post(
  path = '/v1/chat/completions',
  body = '{"model":"m","messages":[]}',
  headers: http.OutgoingHttpHeaders = {},
): Promise<Got> {
  return new Promise((resolve, reject) => {
    const request = http.request(
      `${pair.url}${path}`,
      { method: 'POST', headers: { 'content-type': 'application/json', ...headers } },
      (reply) => {
        const chunks: Buffer[] = [];
        reply.on('data', (chunk: Buffer) => chunks.push(chunk));
        reply.on('end', () =>
          resolve({ status: reply.statusCode ?? 0, headers: reply.headers, body: Buffer.concat(chunks).toString() }),
        );
        reply.on('error', reject);
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

const call = (path: string) => ({
  tool_calls: [{ index: 0, id: 'c', type: 'function', function: { name: 'w', arguments: JSON.stringify({ path }) } }],
});
const stream = (delta: object, finish = 'tool_calls') =>
  sseOf([
    { choices: [{ index: 0, delta, finish_reason: null }] },
    { choices: [{ index: 0, delta: {}, finish_reason: finish }] },
    '[DONE]',
  ]);
const SSE = { 'content-type': 'text/event-stream; charset=utf-8' };
const whole = (message: object) => JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'tool_calls' }] });

describe('a request', () => {
  it('goes upstream unchanged: path, query, body, key; only the accepted encoding is narrowed', async () => {
    await guarded({ body: whole({ content: 'x' }), headers: { 'X-Request-Id': 'r1' } });
    const body = '{"model" : "m", "seed":12345678901234567890 }';
    const got = await post('/v1/chat/completions?a=%20b', body, {
      authorization: 'Bearer sk-1',
      'accept-encoding': 'gzip, br',
      'X-Odd': 'odd',
    });
    const [seen] = pair.upstream.requests;
    expect(seen).toMatchObject({ url: '/v1/chat/completions?a=%20b', body });
    expect(seen?.headers).toMatchObject({
      authorization: 'Bearer sk-1',
      'accept-encoding': 'identity',
      'x-odd': 'odd',
      'content-length': String(body.length),
    });
    expect(seen?.headers.host).toBe(new URL(pair.upstream.url).host);
    expect(got).toMatchObject({ status: 200, body: whole({ content: 'x' }) });
    expect(got.headers['x-request-id']).toBe('r1');
  });

  it('for an unknown endpoint is refused', async () => {
    await guarded({ body: '{}' });
    expect((await post('/v1/realtime/sessions')).status).toBe(403);
    expect(pair.upstream.requests).toHaveLength(0);
  });

  it('gets 503 with Retry-After past the limit', async () => {
    await guarded({ body: '{}' }, { limits: { maxOpen: 0 } });
    const got = await post();
    expect([got.status, got.headers['retry-after']]).toEqual([503, '1']);
  });

  it.each([
    [{ host: 'evil.example' }, 'Host not allowed'],
    [{ origin: 'https://evil.example' }, 'Origin not allowed'],
    [{ origin: 'null' }, 'Origin not allowed'],
    [{ origin: 'http://127.0.0.1:1' }, 'Origin not allowed'],
  ])('that a foreign web page could have sent is refused: %o', async (headers, reason) => {
    await guarded({ body: '{}' });
    for (const path of ['/v1/chat/completions', '/v1/embeddings', '/healthz']) {
      const got = await post(path, '{}', { 'content-type': 'text/plain', ...headers });
      expect(got.status).toBe(403);
      expect((JSON.parse(got.body) as { error: { message: string } }).error.message).toContain(reason);
    }
    expect(pair.upstream.requests).toHaveLength(0);
  });

  it('is accepted for the configured host names, and from our own page', async () => {
    await guarded({ body: whole({ content: 'x' }) }, { hostnames: ['guard.lan', '127.0.0.1'] });
    expect((await post(undefined, undefined, { host: 'guard.lan:80' })).status).toBe(200);
    expect((await post(undefined, undefined, { host: 'localhost' })).status).toBe(403);
    expect((await post(undefined, undefined, { origin: pair.url })).status).toBe(200);
  });

  it('for a websocket is refused', async () => {
    await guarded({ body: '{}' });
    const { port } = new URL(pair.url);
    const answer = await new Promise<string>((resolve) => {
      const socket = net.connect(Number(port), '127.0.0.1', () =>
        socket.write('GET /v1/realtime HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'),
      );
      let text = '';
      socket.on('data', (chunk) => (text += chunk.toString()));
      socket.on('close', () => resolve(text));
    });
    expect(answer).toMatch(/^HTTP\/1\.1 426 Upgrade Required\r\nUpgrade: HTTP\/1\.1\r\n/);
  });
});

describe('a reply', () => {
  it('that is an error passes unchanged', async () => {
    await guarded({
      status: 429,
      headers: { 'retry-after': '7' },
      body: '{"error":{"message":"slow down","tool_calls":[1]}}',
    });
    const got = await post();
    expect(got).toMatchObject({ status: 429, body: '{"error":{"message":"slow down","tool_calls":[1]}}' });
    expect(got.headers['retry-after']).toBe('7');
  });

  it.each([
    ['another content type', { headers: { 'content-type': 'application/vnd.amazon.eventstream' }, body: 'x' }],
    ['another charset', { headers: { 'content-type': 'text/event-stream; charset=utf-16' }, body: 'x' }],
    ['an unknown coding', { headers: { 'content-encoding': 'zstd' }, body: 'x' }],
    ['a stream that calls itself JSON', { body: stream(call('/etc/x')).join('') }],
    ['a redirect', { status: 307, headers: { location: 'https://elsewhere/' }, body: '' }],
    ['a call that cannot be read', { body: '{"choices":[{"message":{"tool_calls":[' }],
  ])('with %s is refused', async (_, reply) => {
    await guarded(reply as FakeReply);
    const got = await post();
    expect(got.status).toBe(502);
    expect(JSON.parse(got.body)).toMatchObject({ error: { type: 'croft_guard' } });
  });

  it('that is compressed anyway is decoded, and sent uncompressed', async () => {
    await guarded({ headers: { ...SSE, 'content-encoding': 'gzip' }, body: gzipSync(stream(call('/etc/x')).join('')) });
    const got = await post();
    expect(got.headers['content-encoding']).toBeUndefined();
    expect(got.body).toContain('refused');
    expect(got.body).not.toContain('/etc/x');
  });

  it('with an argument of 100 MB ends with text, and little is buffered', async () => {
    const part =
      sseOf([
        {
          choices: [
            {
              index: 0,
              delta: { tool_calls: [{ index: 0, function: { arguments: 'x'.repeat(1 << 20) } }] },
              finish_reason: null,
            },
          ],
        },
      ])[0] ?? '';
    await guarded({ headers: SSE, body: Array.from({ length: 100 }, () => part) });
    const got = await post();
    expect(got.body).toContain('too large');
    expect(got.body.length).toBeLessThan(4096);
    expect(pair.decisions.map((event) => event.decision.rule)).toEqual(['too-large']);
    const health = (await (await fetch(`${pair.url}/healthz`)).json()) as { held: number; open: number };
    expect(health).toMatchObject({ held: 0, open: 0 });
  });

  it.each([[true], ['stall']] as const)(
    'that stops inside a call (%s) ends with an error and without the call',
    async (cut) => {
      await guarded({ headers: SSE, body: stream(call('src/a.ts'))[0] ?? '', cut }, { limits: { idleMs: 300 } });
      const got = await post();
      expect(got.body).toContain('"type":"croft_guard"');
      expect(got.body).not.toContain('src/a.ts');
    },
  );

  it('that never begins gets 502 after the idle timeout', async () => {
    const deaf = net.createServer(() => {});
    await new Promise<void>((resolve) => void deaf.listen(0, '127.0.0.1', resolve));
    const { port } = deaf.address() as net.AddressInfo;
    const url = new URL(`http://127.0.0.1:${port}`);
    await guarded({ body: '' }, { limits: { idleMs: 300 }, upstreams: [{ prefix: '', url }] });
    expect((await post()).status).toBe(502);
    deaf.close();
  });

  it('from an unreachable upstream is a 502 without the host, and the host is reported to the operator', async () => {
    const told: string[] = [];
    await guarded(
      { body: '' },
      {
        upstreams: [{ prefix: '', url: new URL('http://127.0.0.1:1') }],
        onUnreachable: ({ url }, { code }) => told.push(`${url.host} ${code}`),
      },
    );
    for (const path of ['/v1/chat/completions', '/v1/embeddings']) {
      const got = await post(path);
      expect(got.status).toBe(502);
      expect(got.body).toContain('upstream of this guard');
      expect(got.body).not.toMatch(/127\.0\.0\.1|ECONN/);
    }
    expect(told).toEqual(['127.0.0.1:1 ECONNREFUSED', '127.0.0.1:1 ECONNREFUSED']);
  });

  it('from an upstream unreachable for a retry is reported too, and the refusal becomes text', async () => {
    const told: string[] = [];
    let down: Promise<void> | undefined;
    await guarded(
      { body: whole(call('/etc/x')) },
      {
        onDecision: () => {
          down ??= pair.upstream.close();
        },
        onUnreachable: (_, { code }) => told.push(code ?? ''),
      },
    );
    const got = await post();
    await down;
    expect(got.body).toContain('was refused and not run');
    expect(told).toEqual([expect.stringMatching(/^ECONN(REFUSED|RESET)$/)]);
  });

  it('passes unread where the guard is off', async () => {
    await guarded({ headers: SSE, body: stream(call('/etc/x')) }, { judgeFor: () => undefined });
    expect((await post()).body).toBe(stream(call('/etc/x')).join(''));
  });

  it.each([
    [
      'the judge cannot be made',
      {
        judgeFor: () => {
          throw new Error('no root');
        },
      },
    ],
    [
      'the decision cannot be written down',
      {
        onDecision: () => {
          throw new Error('disk full');
        },
      },
    ],
  ])('holds no call when %s', async (_, options) => {
    await guarded({ headers: SSE, body: stream(call('src/a.ts')) }, options as never);
    const got = await post();
    expect(got.body).not.toContain('src/a.ts');
    expect(got.body).toContain('refused');
  });
});

describe('a client', () => {
  it('that disconnects ends the upstream request', async () => {
    await guarded({ headers: SSE, body: [] });
    let closed: () => void = () => {};
    const gone = new Promise<void>((resolve) => (closed = resolve));
    const endless = http.createServer((req, res) => {
      req.resume();
      res.writeHead(200, SSE);
      const timer = setInterval(() => res.write(': ping\n\n'), 5);
      res.on('close', () => {
        clearInterval(timer);
        closed();
      });
    });
    await new Promise<void>((resolve) => void endless.listen(0, '127.0.0.1', resolve));
    const second = await startGuarded({
      upstreams: [{ prefix: '', url: new URL(`http://127.0.0.1:${(endless.address() as net.AddressInfo).port}`) }],
    });
    const request = http.request(`${second.url}/v1/chat/completions`, { method: 'POST' }, (reply) =>
      reply.once('data', () => request.destroy()),
    );
    request.on('error', () => {});
    request.end('{}');
    await gone;
    await second.close();
    endless.closeAllConnections();
    endless.close();
  });

  it('that reads slowly makes upstream wait', async () => {
    const frame =
      sseOf([{ choices: [{ index: 0, delta: { content: 'x'.repeat(64 * 1024) }, finish_reason: null }] }])[0] ?? '';
    let written = 0;
    const eager = http.createServer((req, res) => {
      req.resume();
      res.writeHead(200, SSE);
      const more = () => {
        while (written < 200_000_000 && res.write(frame)) written += frame.length;
        written += frame.length;
        res.once('drain', more);
      };
      more();
    });
    await new Promise<void>((resolve) => void eager.listen(0, '127.0.0.1', resolve));
    await guarded({ body: '' });
    const second = await startGuarded({
      upstreams: [{ prefix: '', url: new URL(`http://127.0.0.1:${(eager.address() as net.AddressInfo).port}`) }],
    });
    const request = http.request(`${second.url}/v1/chat/completions`, { method: 'POST' }, (reply) => reply.pause());
    request.on('error', () => {});
    request.end('{}');
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(written).toBeLessThan(60_000_000);
    request.destroy();
    await second.close();
    eager.closeAllConnections();
    eager.close();
  });
});
