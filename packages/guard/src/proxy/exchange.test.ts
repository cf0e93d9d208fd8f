import { request as httpRequest } from 'node:http';
import { describe, expect, it, vi } from 'vitest';
import { ALLOW } from '../testing.ts';
import type { DecisionEvent } from './exchange.ts';
import type { GuardProxyOptions } from './proxy.ts';
import { CHAT, completion, openTestProxy as open, sendJson } from './testing.ts';

const HOSTILE = '{"path":"/etc/x"}';
const FINE = '{"path":"a"}';
const messageOf = (body: string) => (JSON.parse(body) as { error: { message: string } }).error.message;

describe('the request', () => {
  it('goes upstream as it is, and asks for a reply without compression', async () => {
    const { send, asked, upstream } = await open((_, response) => sendJson(response, completion()));
    const body = JSON.stringify({ model: 'm', messages: ['é'] });
    await send(`${CHAT}?a=1`, {
      method: 'POST',
      headers: {
        Authorization: 'Bearer k',
        'Accept-Encoding': 'br',
        'X-Croft-Root': '/p',
        Expect: '100-continue',
        Host: 'localhost',
      },
      body,
    });
    expect(asked).toMatchObject([{ method: 'POST', url: `${CHAT}?a=1`, body }]);
    expect(asked[0]?.headers).toMatchObject({
      authorization: 'Bearer k',
      'accept-encoding': 'identity',
      host: upstream.host,
    });
    expect(asked[0]?.headers).not.toHaveProperty('x-croft-root');
    expect(asked[0]?.headers).not.toHaveProperty('expect');
  });

  it('is repeated with the same headers and a length of its own', async () => {
    const { chat, asked } = await open((_, response, count) =>
      sendJson(response, count === 1 ? completion(HOSTILE) : completion()),
    );
    await chat({}, { Authorization: 'Bearer k' });
    expect(asked[0]?.headers['content-length']).toBe(String(Buffer.byteLength(asked[0]?.body ?? '')));
    expect(asked[1]?.headers).toMatchObject({
      authorization: 'Bearer k',
      'content-length': String(Buffer.byteLength(asked[1]?.body ?? '')),
    });
  });

  it('of a protocol with stored responses goes upstream as upstream knows it', async () => {
    const { send, asked } = await open((_, response) => sendJson(response, '{"output":[]}'));
    const post = (input: unknown) =>
      send('/v1/responses', { method: 'POST', body: JSON.stringify({ model: 'm', input }) });
    await post('go');
    expect(asked[0]?.body).toBe('{"model":"m","input":"go"}');
    const id = `msg_croft_0_${Buffer.from('no').toString('base64url')}`;
    await post([{ type: 'item_reference', id }]);
    expect(asked[1]?.body).not.toContain('item_reference');
    expect(asked[1]?.headers['content-length']).toBe(String(asked[1]?.body.length));
  });

  it('of such a protocol goes upstream unchanged if it is too large to keep', async () => {
    const { send, asked } = await open((_, response) => sendJson(response, '{"output":[]}'), {
      limits: { maxKeptRequest: 50 },
    });
    const body = JSON.stringify({ model: 'm', input: 'x'.repeat(500_000) });
    await send('/v1/responses', { method: 'POST', body });
    expect(asked[0]?.body).toBe(body);
  });

  it('ends upstream when the client is gone', async () => {
    const gone = vi.fn();
    const { port, asked } = await open((_, response) => void response.on('close', gone));
    const request = httpRequest({ host: '127.0.0.1', port, path: CHAT, method: 'POST', agent: false });
    request.on('error', () => {});
    request.end('{}');
    await vi.waitFor(() => expect(asked).toHaveLength(1));
    request.destroy();
    await vi.waitFor(() => expect(gone).toHaveBeenCalledTimes(1));
  });
});

describe('a reply', () => {
  it('that redirects is refused', async () => {
    const { chat } = await open((_, response) => response.writeHead(302, { Location: 'http://x/' }).end());
    const got = await chat();
    expect([got.status, got.headers.location]).toEqual([502, undefined]);
    expect(messageOf(got.body)).toBe('The upstream redirects; a client that followed would go round the guard.');
  });

  it('is judged if its status is below 400, because many clients treat it as a success', async () => {
    for (const status of [201, 300, 399]) {
      const { chat } = await open((_, response) =>
        response.writeHead(status, { 'Content-Type': 'application/json' }).end(completion(HOSTILE)),
      );
      expect((await chat()).body).not.toContain('/etc/x');
    }
  });

  it('that switches protocols is an error for the client', async () => {
    const { chat, send } = await open((_, response) => {
      response.socket?.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n');
    });
    expect((await chat()).status).toBe(502);
    expect((await send('/v1/models')).status).toBe(502);
  });

  it('to a retry that switches protocols leaves the refusal as text', async () => {
    const { chat } = await open((_, response, count) => {
      if (count === 1) return sendJson(response, completion(HOSTILE));
      response.socket?.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n');
    });
    expect((await chat()).body).toContain('Croft guard: ');
  });

  it('that is an error passes unread', async () => {
    const { chat } = await open((_, response, count) =>
      response
        .writeHead(count === 1 ? 429 : 304, 'Slow', { 'X-Id': '1', 'Content-Type': 'text/x' })
        .end(count === 1 ? HOSTILE : ''),
    );
    const got = await chat();
    expect([got.status, got.body, got.headers['x-id']]).toEqual([429, HOSTILE, '1']);
    expect((await chat()).status).toBe(304);
  });

  it('passes unread if the guard is off for it', async () => {
    const { chat } = await open((_, response) => sendJson(response, completion(HOSTILE)), {
      judgeFor: () => undefined,
    });
    expect((await chat()).body).toBe(completion(HOSTILE));
  });

  it('in a form that the guard cannot read is refused, unless it is empty or in a dry run', async () => {
    const judgeFor = vi.fn(() => ({ judge: () => ALLOW, enforce: true }));
    const { chat } = await open(
      (_, response, count) => {
        if (count === 2) return response.writeHead(204).end();
        if (count === 3) return response.writeHead(200, { 'Content-Length': '0' }).end();
        if (count === 5) return sendJson(response, 'x', { 'Content-Encoding': 'x' });
        response.writeHead(200, { 'Content-Type': 'text/html' }).end('x');
      },
      { judgeFor },
    );
    const refused = await chat();
    expect([refused.status, messageOf(refused.body)]).toEqual([
      502,
      'The upstream replied in a form in which the guard cannot see tool calls.',
    ]);
    expect([(await chat()).status, (await chat()).status]).toEqual([204, 200]);
    judgeFor.mockReturnValueOnce({ judge: () => ALLOW, enforce: false });
    expect(await chat()).toMatchObject({ status: 200, body: 'x' });
    expect((await chat()).status).toBe(502);
  });

  it('of an upstream that is not reached is an error without its address, and is reported', async () => {
    const lost: string[] = [];
    const { chat, upstream } = await open((_, response) => response.destroy(), {
      onUnreachable: ({ url }, error) => lost.push(`${url.href} ${error.code}`),
    });
    const got = await chat();
    expect([got.status, got.body.includes('127.0.0.1')]).toEqual([502, false]);
    expect(messageOf(got.body)).toMatch(/^The upstream of this guard cannot be reached/);
    expect(lost).toEqual([`${upstream.href} ECONNRESET`]);
  });

  it('of an upstream that is not reached again is reported as well', async () => {
    const lost = vi.fn();
    const { chat } = await open(
      (_, response, count) => (count === 1 ? sendJson(response, completion(HOSTILE)) : response.destroy()),
      { onUnreachable: lost },
    );
    expect((await chat()).body).toContain('refused');
    expect(lost).toHaveBeenCalledTimes(1);
  });
});

describe('the calls of a reply', () => {
  it('are judged and reported with the request', async () => {
    const events: DecisionEvent[] = [];
    const { chat } = await open((_, response) => sendJson(response, completion(HOSTILE, FINE)), {
      onDecision: (event) => events.push(event),
    });
    await chat({ model: 'm1' }, { 'User-Agent': 'agent' });
    expect(events).toMatchObject([
      { call: { name: 'w', arguments: HOSTILE }, decision: { decision: 'block' }, blocked: true, attempt: 0 },
      { call: { name: 'w', arguments: FINE }, decision: { decision: 'allow' }, blocked: false, attempt: 0 },
    ]);
    const [event] = events;
    expect([
      event?.request.wire,
      event?.request.method,
      event?.request.url,
      event?.request.header('user-agent'),
    ]).toEqual(['openai-chat', 'POST', CHAT, 'agent']);
  });

  it('pass in a dry run', async () => {
    const blocked: boolean[] = [];
    const { chat } = await open((_, response) => sendJson(response, completion(HOSTILE)), {
      judgeFor: () => ({ judge: () => ({ ...ALLOW, decision: 'block' }), enforce: false }),
      onDecision: (event) => blocked.push(event.blocked),
    });
    expect((await chat()).body).toBe(completion(HOSTILE));
    expect(blocked).toEqual([false]);
  });

  it.each<[string, Partial<GuardProxyOptions>]>([
    [
      'without a judge',
      {
        judgeFor: () => {
          throw new Error('no');
        },
      },
    ],
    [
      'if they cannot be reported',
      {
        onDecision: () => {
          throw new Error('no');
        },
      },
    ],
  ])('are blocked %s', async (_, options) => {
    const { chat } = await open((__, response) => sendJson(response, completion(FINE)), {
      limits: { maxRetries: 0 },
      ...options,
    });
    const got = await chat();
    expect([got.status, got.body.includes('"path'), got.body.includes('refused')]).toEqual([200, false, true]);
  });
});
