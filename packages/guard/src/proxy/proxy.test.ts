import { connect } from 'node:net';
import type { ServerResponse } from 'node:http';
import { describe, expect, it, vi } from 'vitest';
import { createGuardProxy, type GuardProxyOptions, WIRES } from './proxy.ts';
import { CHAT, completion, openTestProxy, sendJson } from './testing.ts';

const open = (
  answer: Parameters<typeof openTestProxy>[0] = (_, response) => sendJson(response, completion()),
  options: Parameters<typeof openTestProxy>[1] = {},
) => openTestProxy(answer, options);
const errorOf = ({ status, body }: { status: number; body: string }) => {
  const { error } = JSON.parse(body) as { error: { type: string; message: string; code: string } };
  return [status, error.message, error.code, error.type];
};
const refusal = (status: number, message: string) => [status, message, `croft_guard_${status}`, 'croft_guard'];

it('reads four protocols', () => {
  expect(WIRES.map(({ name }) => name)).toEqual(['openai-chat', 'openai-responses', 'anthropic', 'gemini']);
});

describe('a request', () => {
  it('that a web page could have caused is refused', async () => {
    const { send, asked } = await open();
    expect(errorOf(await send('/healthz', { headers: { Host: 'evil.example' } }))).toEqual(
      refusal(403, 'Host not allowed: the guard takes requests of programs, sent to 127.0.0.1, localhost, [::1].'),
    );
    expect(
      errorOf(await send(CHAT, { method: 'POST', headers: { Origin: 'http://evil.example' }, body: '{}' }))[0],
    ).toBe(403);
    expect(asked).toEqual([]);
  });

  it('may name the host that the options name', async () => {
    const { send } = await open(undefined, { hostnames: ['guard.local'] });
    expect((await send('/healthz', { headers: { Host: 'guard.local:1' } })).status).toBe(200);
    expect((await send('/healthz')).status).toBe(403);
  });

  it('goes to the own handler first, and to an upstream if that does not take it', async () => {
    const own = vi.fn((request: { url?: string }, response: ServerResponse) => {
      if (request.url !== '/mine') return false;
      response.end('mine');
      return true;
    });
    const { send, asked } = await open(undefined, { own: own as never });
    expect((await send('/mine')).body).toBe('mine');
    await send('/v1/models');
    expect(asked.map(({ url }) => url)).toEqual(['/v1/models']);
  });

  it('for the health of the guard gets its counts and further facts', async () => {
    const { send } = await open(undefined, { health: () => ({ version: '1' }) });
    const { status, headers, body } = await send('/healthz');
    expect([status, headers['content-type'], JSON.parse(body)]).toEqual([
      200,
      'application/json',
      { status: 'ok', open: 0, held: 0, version: '1' },
    ]);
  });

  it('without a judged reply passes in both directions', async () => {
    const { send, asked } = await open((_, response) =>
      response.writeHead(201, 'Made', { 'X-Id': '1', 'Content-Type': 'text/x' }).end('got'),
    );
    const got = await send('/v1/embeddings', {
      method: 'POST',
      headers: { 'X-A': 'b', 'X-Croft-Root': '/p' },
      body: 'in',
    });
    expect([got.status, got.body, got.headers['x-id']]).toEqual([201, 'got', '1']);
    expect(asked).toMatchObject([{ method: 'POST', url: '/v1/embeddings', body: 'in', headers: { 'x-a': 'b' } }]);
    expect(asked[0]?.headers).not.toHaveProperty('x-croft-root');
  });

  it('that passes reports an upstream that is not reached', async () => {
    const lost = vi.fn();
    const { send } = await open((_, response) => response.destroy(), { onUnreachable: lost });
    expect(errorOf(await send('/v1/models'))[0]).toBe(502);
    expect(lost).toHaveBeenCalledTimes(1);
  });

  it('whose reply the guard does not know is refused, unless the options let it pass', async () => {
    const onRefused = vi.fn();
    const { send, asked } = await open(undefined, { passPaths: [/^\/v1\/fine$/], onRefused });
    expect(errorOf(await send('/v1/unknown', { method: 'POST' }))).toEqual(
      refusal(
        403,
        'The guard does not pass this request on: its replies may hold tool calls that the guard does not judge. The operator of the guard can let this path pass.',
      ),
    );
    const reason = 'its replies may hold tool calls that the guard does not judge';
    expect(onRefused.mock.calls).toEqual([[{ method: 'POST', path: '/v1/unknown', reason, pattern: '^/v1/unknown$' }]]);
    expect(asked).toEqual([]);
    expect((await send('/v1/fine', { method: 'POST' })).status).toBe(200);
    expect((await send('/v1/unknown', { method: 'PUT' })).status).toBe(403);
    onRefused.mockClear();
    expect(errorOf(await send('/v1/x;y', { method: 'POST' }))).toEqual(
      refusal(403, 'The guard does not pass this request on: its path can be read in more than one way.'),
    );
    expect(onRefused).not.toHaveBeenCalled();
  });

  it('is refused with too many open ones, and counted until its end', async () => {
    const waiting: ServerResponse[] = [];
    const { chat, health } = await open((_, response) => waiting.push(response), { limits: { maxOpen: 1 } });
    const first = chat();
    await vi.waitFor(() => expect(waiting).toHaveLength(1));
    expect(await health()).toMatchObject({ open: 1 });
    const second = await chat();
    expect(errorOf(second)).toEqual(refusal(503, 'The guard is at its limit; try again shortly.'));
    expect(second.headers['retry-after']).toBe('1');
    sendJson(waiting[0] as ServerResponse, completion());
    expect((await first).status).toBe(200);
    await vi.waitFor(async () => expect(await health()).toMatchObject({ open: 0 }));
  });
});

describe('the upstream of a request', () => {
  const withUpstreams = (upstreams: (url: URL) => GuardProxyOptions['upstreams']) =>
    open(undefined, { server: (url) => createGuardProxy({ upstreams: upstreams(url), judgeFor: () => undefined }) });

  it('is found by the prefix of its path, which is removed', async () => {
    const { send, asked } = await withUpstreams((url) => [{ prefix: '/a', url: new URL('/base', url) }]);
    await send('/a/v1/models');
    expect(asked.map(({ url }) => url)).toEqual(['/base/v1/models']);
    expect(errorOf(await send('/b/v1/models'))).toEqual(refusal(404, 'No upstream is configured for this path.'));
  });

  it('is found by the model, and judged by the path below the prefix', async () => {
    const { send, chat, asked } = await withUpstreams((url) => [
      { prefix: '', url: new URL('/one', url), model: /^one$/ },
      { prefix: '', url: new URL('/two', url), model: /^two$/ },
    ]);
    await chat({ model: 'two' });
    expect(asked.map(({ url, body }) => [url, JSON.parse(body)])).toEqual([
      [`/two${CHAT}`, { model: 'two', messages: [] }],
    ]);
    expect(errorOf(await chat({ model: 'three' }))).toEqual(refusal(404, 'No upstream is configured for this model.'));
    await send('/v1/models');
    expect(asked[1]?.url).toBe('/one/v1/models');
  });
});

it('does not pass websockets on', async () => {
  const { port, asked } = await open();
  const answer = (head: string) =>
    new Promise<string>((resolve) => {
      let text = '';
      const socket = connect(port, '127.0.0.1', () => socket.write(head));
      socket.on('data', (chunk: Buffer) => (text += chunk.toString())).on('close', () => resolve(text));
    });
  const host = `Host: 127.0.0.1:${port}\r\n`;
  const upgraded = await answer(
    `GET /v1/responses HTTP/1.1\r\n${host}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
  );
  expect(upgraded).toMatch(/^HTTP\/1\.1 426 Upgrade Required\r\nUpgrade: HTTP\/1\.1\r\n/);
  const [head, body = ''] = upgraded.split('\r\n\r\n');
  expect(head).toContain(`Content-Length: ${body.length}\r\nConnection: close, Upgrade`);
  expect(body).toContain('The guard does not pass websockets on: it could not see tool calls. Use HTTP.');
  expect(await answer(`CONNECT x:1 HTTP/1.1\r\n${host}\r\n`)).toMatch(/^HTTP\/1\.1 426 /);
  expect(asked).toEqual([]);
});

it('refuses a websocket that another server hands over', async () => {
  const { send } = await open(undefined, {
    server: (url) => {
      const guard = createGuardProxy({ upstreams: [{ prefix: '', url }], judgeFor: () => undefined });
      guard.removeAllListeners('upgrade');
      return guard;
    },
  });
  const got = await send('/v1/responses', { headers: { Connection: 'Upgrade', Upgrade: 'WebSocket' } });
  expect([got.status, got.headers.upgrade]).toEqual([426, 'HTTP/1.1']);
});
