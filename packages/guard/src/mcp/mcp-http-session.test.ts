import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { PassThrough, Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { collectGarbage } from '../../../../tests/support/collect-garbage.ts';
import { McpHttpSession } from './mcp-http-session.ts';
import { type Asked, openEndpoint } from './testing.ts';

let endpoint: Awaited<ReturnType<typeof openEndpoint>>;
let asked: Asked[];
let answer: (one: Asked, response: ServerResponse) => void;
let session: McpHttpSession;
let said: string;
let errors: string[];

beforeEach(async () => {
  [asked, said, errors] = [[], '', []];
  endpoint = await openEndpoint((one, response) => {
    asked.push(one);
    answer(one, response);
  });
  open();
});
afterEach(() => {
  session.abort();
  endpoint.close();
});

function open(maxBytes = 10_000, headers: Record<string, string> = {}): void {
  const output = new PassThrough();
  output.on('data', (chunk: Buffer) => (said += chunk.toString()));
  session = new McpHttpSession(
    { url: endpoint.url, headers, output, onError: ({ message }) => errors.push(message) },
    maxBytes,
  );
}
const json = (response: ServerResponse, value: unknown, status = 200, headers = {}): void => {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(value));
};
async function post(message: object | string): Promise<void> {
  session.post(Buffer.from(typeof message === 'string' ? message : JSON.stringify(message)));
  await session.settled();
}
const messages = () =>
  said
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, any>);
const INITIALIZE = { jsonrpc: '2.0', id: 1, method: 'initialize' };
const list = (id: number | string = 2) => ({ jsonrpc: '2.0', id, method: 'tools/list' });

describe('a request', () => {
  it('is posted with the given headers, and its result is written on one line', async () => {
    open(10_000, { Authorization: 'Bearer k' });
    answer = (_, response) =>
      response
        .writeHead(200, { 'Content-Type': 'application/json; charset=utf-8' })
        .end('{"jsonrpc":"2.0",\r\n"id":2,"result":{}}\n');
    await post(list());
    expect(asked).toMatchObject([{ method: 'POST', body: JSON.stringify(list()) }]);
    expect(asked[0]?.headers).toMatchObject({
      authorization: 'Bearer k',
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    });
    expect(said).toBe('{"jsonrpc":"2.0", "id":2,"result":{}}\n');
  });

  it('that is empty is not sent', async () => {
    session.post(Buffer.from(' \n'));
    await session.settled();
    expect(asked).toEqual([]);
  });

  it('gets every message of a list, and of a stream', async () => {
    answer = (_, response) =>
      json(response, [
        { jsonrpc: '2.0', method: 'x' },
        { jsonrpc: '2.0', id: 2, result: 1 },
      ]);
    await post(list());
    expect(messages()).toEqual([
      { jsonrpc: '2.0', method: 'x' },
      { jsonrpc: '2.0', id: 2, result: 1 },
    ]);
    said = '';
    answer = (_, response) =>
      response
        .writeHead(200, { 'Content-Type': 'text/event-stream' })
        .end('event: ping\ndata: {"a":1}\n\ndata: \n\nevent: message\ndata: {"id":3,"result":2}\n\ndata: {"b":2}\n\n');
    await post(list(3));
    expect(messages()).toEqual([{ id: 3, result: 2 }, { b: 2 }]);
  });

  it('keeps the session and the version that the server gave', async () => {
    answer = (_, response) =>
      json(response, { id: 1, result: { protocolVersion: '2025-06-18' } }, 200, { 'Mcp-Session-Id': 's1' });
    await post(INITIALIZE);
    answer = (_, response) => json(response, { id: 2, result: {} });
    await post(list());
    expect(asked[0]?.headers).not.toHaveProperty('mcp-session-id');
    expect(asked[1]?.headers).toMatchObject({ 'mcp-session-id': 's1', 'mcp-protocol-version': '2025-06-18' });
    await post(INITIALIZE);
    expect(asked[2]?.headers).not.toHaveProperty('mcp-session-id');
  });

  it('of the newer protocol repeats its method and its name in headers', async () => {
    answer = (_, response) => json(response, { id: 2, result: {} });
    const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
    const headersOf = async (method: string, params: object) => {
      await post({ id: 2, method, params: { _meta: meta, ...params } });
      const { headers } = asked.at(-1) as Asked;
      return [headers['mcp-protocol-version'], headers['mcp-method'], headers['mcp-name']];
    };
    expect(await headersOf('tools/call', { name: 'w', uri: 'u' })).toEqual(['2026-07-28', 'tools/call', 'w']);
    expect(await headersOf('resources/read', { name: 'w', uri: 'u' })).toEqual(['2026-07-28', 'resources/read', 'u']);
    expect(await headersOf('prompts/get', { name: 'é' })).toEqual([
      '2026-07-28',
      'prompts/get',
      `=?base64?${Buffer.from('é').toString('base64')}?=`,
    ]);
    expect((await headersOf('tools/call', { name: '=?base64?x?=' }))[2]).toMatch(/^=\?base64\?PT9/);
    expect((await headersOf('tools/call', { name: ' a' }))[2]).toMatch(/^=\?base64\?/);
    expect(await headersOf('tools/list', { name: 'w' })).toEqual(['2026-07-28', 'tools/list', undefined]);
  });
});

it('closes the streams of its responses when it is aborted, also after a garbage collection', async () => {
  const begun = new Promise<ServerResponse>((resolve) => {
    answer = (_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('data: {"method":"x"}\n\n');
      resolve(response);
    };
  });
  session.post(Buffer.from(JSON.stringify(list())));
  const closed = once(await begun, 'close');
  await expect.poll(messages).toEqual([{ method: 'x' }]);
  collectGarbage();
  session.abort();
  await closed;
});

describe('a failure', () => {
  it.each<[string, (response: ServerResponse) => void, string]>([
    ['a status', (response) => response.writeHead(500).end('x'), 'The server answered with status 500'],
    [
      'a status and another message',
      (response) => json(response, { id: 9, error: {} }, 400),
      'The server answered with status 400',
    ],
    ['no result', (response) => json(response, { method: 'x' }), 'The server ended its answer without a result'],
    [
      'another type',
      (response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('x'),
      'The server ended its answer without a result',
    ],
    [
      'a redirect',
      (response) => response.writeHead(302, { Location: '/x' }).end(),
      'The server answered with status 302',
    ],
    [
      'a redirect that has a result',
      (response) => json(response, { id: 2, result: {} }, 307, { Location: '/x' }),
      'The server answered with status 307',
    ],
    [
      'too much',
      (response) => json(response, { id: 2, result: 'x'.repeat(11_000) }),
      'The server said more at once than is kept',
    ],
    [
      'too much in one event',
      (response) => response.writeHead(200, { 'Content-Type': 'text/event-stream' }).end(`data: ${'x'.repeat(11_000)}`),
      'The server said more at once than is kept',
    ],
  ])('with %s is an error for the request', async (_, fail, message) => {
    answer = (__, response) => fail(response);
    await post(list());
    expect(messages().at(-1)).toEqual({ jsonrpc: '2.0', id: 2, error: { code: -32_000, message } });
    expect(errors).toEqual([]);
  });

  it('may be a protocol error with an error status', async () => {
    answer = (_, response) => json(response, { id: 2, error: { code: 1 } }, 400);
    await post(list());
    expect(messages()).toEqual([{ id: 2, error: { code: 1 } }]);
  });

  it('of a message without a response is reported', async () => {
    answer = (_, response) => response.writeHead(500).end();
    await post({ method: 'notifications/x' });
    await post({ id: 4, result: {} });
    expect([said, errors]).toEqual(['', Array.from({ length: 2 }, () => 'The server answered with status 500')]);
  });

  it('after the end is silent', async () => {
    answer = () => session.abort();
    await post(list());
    expect([said, errors]).toEqual(['', []]);
  });
});

it('listens after the client is ready, to messages that the server begins', async () => {
  answer = (one, response) => {
    if (one.method === 'POST') return response.writeHead(202).end();
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('data: {"method":"x"}\n\n');
  };
  await post({ method: 'notifications/initialized' });
  await expect.poll(() => messages()).toEqual([{ method: 'x' }]);
  expect(asked.at(-1)).toMatchObject({ method: 'GET', headers: { accept: 'text/event-stream' } });
  await post({ method: 'notifications/initialized' });
  expect(asked.filter(({ method }) => method === 'GET')).toHaveLength(1);
});

it('listens again after a redirect, which it does not follow', async () => {
  const addresses: (string | undefined)[] = [];
  answer = (one, response) => {
    if (one.method === 'POST') return response.writeHead(202).end();
    addresses.push(response.req.url);
    if (addresses.length === 1) return response.writeHead(302, { Location: '/x' }).end();
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('data: {"method":"x"}\n\n');
  };
  await post({ method: 'notifications/initialized' });
  await expect.poll(() => messages()).toEqual([{ method: 'x' }]);
  expect(new Set(addresses).size).toBe(1);
});

it('ends the session after the requests in progress', async () => {
  answer = (_, response) => json(response, { id: 1, result: {} }, 200, { 'Mcp-Session-Id': 's1' });
  session.post(Buffer.from(JSON.stringify(INITIALIZE)));
  await session.end();
  expect(asked.map(({ method, headers }) => [method, headers['mcp-session-id']])).toEqual([
    ['POST', undefined],
    ['DELETE', 's1'],
  ]);
  open();
  asked = [];
  await session.end();
  expect(asked).toEqual([]);
});

it('sends a request after the server has accepted the messages that open the session', async () => {
  const bodies = () => asked.map(({ body }) => (JSON.parse(body || '{}') as { method?: string }).method);
  const waiting: (() => void)[] = [];
  answer = ({ method }, response) => {
    if (method === 'GET') return response.writeHead(405).end();
    const id = asked.length;
    waiting.push(() => json(response, { id, result: {} }, 200, { 'Mcp-Session-Id': 's1' }));
  };
  for (const message of [INITIALIZE, { method: 'notifications/initialized' }, list(3), list(4)])
    session.post(Buffer.from(JSON.stringify(message)));
  await expect.poll(bodies).toEqual(['initialize']);
  session.post(Buffer.from('{"id":9,"result":{}}'));
  await expect.poll(bodies).toEqual(['initialize', undefined]);
  waiting[0]?.();
  await expect.poll(bodies).toEqual(['initialize', undefined, 'notifications/initialized']);
  expect(asked[2]?.headers).toMatchObject({ 'mcp-session-id': 's1' });
  waiting[2]?.();
  await expect.poll(() => bodies().filter((method) => method === 'tools/list')).toHaveLength(2);
});

describe('a session that the server ended', () => {
  /** A server that knows only its newest session, and creates one for each `initialize` while it is up. */
  const serve = (state: { newest: number; isUp: boolean }) => {
    answer = ({ method, headers, body }, response) => {
      const { id, method: called } = (body === '' ? {} : JSON.parse(body)) as { id?: number; method?: string };
      if (called === 'initialize' && state.isUp)
        return json(response, { id, result: {} }, 200, { 'Mcp-Session-Id': `s${++state.newest}` });
      if (headers['mcp-session-id'] !== `s${state.newest}` || method === 'GET')
        return void response.writeHead(404).end();
      if (id === undefined) return void response.writeHead(202).end();
      json(response, { id, result: { by: headers['mcp-session-id'] } });
    };
    return state;
  };

  it('is opened again for the messages that find out, and the client gets only their results', async () => {
    const state = serve({ newest: 0, isUp: true });
    await post(INITIALIZE);
    await post({ method: 'notifications/initialized' });
    state.newest = 7;
    asked.splice(0);
    for (const id of [2, 3]) session.post(Buffer.from(JSON.stringify(list(id))));
    await session.end();
    expect(messages().slice(1)).toEqual(expect.arrayContaining([2, 3].map((id) => ({ id, result: { by: 's8' } }))));
    const posted = asked.filter(({ method }) => method === 'POST').map(({ body }) => JSON.parse(body).method);
    expect(posted.filter((method) => method !== 'tools/list')).toEqual(['initialize', 'notifications/initialized']);
    expect([messages().length, errors]).toEqual([3, []]);
  });

  it('is reported where the server opens no other one', async () => {
    const state = serve({ newest: 0, isUp: true });
    await post(INITIALIZE);
    Object.assign(state, { newest: 7, isUp: false });
    await post(list());
    expect(messages()[1]).toMatchObject({ id: 2, error: { message: 'The server answered with status 404' } });
  });

  it('has the protocol version of the new session', async () => {
    const versions = ['2025-11-25', '2025-06-18'];
    let newest = 0;
    answer = ({ method, headers, body }, response) => {
      if (method === 'GET') return void response.writeHead(405).end();
      const { id, method: called } = JSON.parse(body) as { id?: number; method?: string };
      if (called === 'initialize') {
        const result = { protocolVersion: versions[newest++] };
        return json(response, { id, result }, 200, { 'Mcp-Session-Id': `s${newest}` });
      }
      if (newest === 1) return void response.writeHead(404).end();
      if (id === undefined) return void response.writeHead(202).end();
      json(response, { id, result: { version: headers['mcp-protocol-version'] } });
    };
    await post(INITIALIZE);
    await post(list());
    expect(messages()[1]).toEqual({ id: 2, result: { version: '2025-06-18' } });
    // The messages that open a session do not name the version of another one.
    const posted = asked.filter(({ method }) => method === 'POST');
    expect(posted.map(({ headers }) => headers['mcp-protocol-version'])).toEqual([
      undefined,
      '2025-11-25',
      undefined,
      '2025-06-18',
      '2025-06-18',
    ]);
  });

  it.each([
    { status: 200, error: { code: -32_000, message: 'Too many sessions' }, reason: 'Too many sessions' },
    { status: 400, error: { code: -32_000, message: 'Too many sessions' }, reason: 'Too many sessions' },
    { status: 200, error: null, reason: 'it gives no reason' },
  ])('is reported with the reason of a server that refuses another one: $status $error', async (refused) => {
    const state = serve({ newest: 0, isUp: true });
    await post(INITIALIZE);
    Object.assign(state, { newest: 7, isUp: false });
    const up = answer;
    answer = (one, response) => {
      if (!one.body.includes('initialize')) return up(one, response);
      json(response, { id: 1, error: refused.error }, refused.status);
    };
    asked.splice(0);
    await post(list());
    const message = `The session ended, and the server refuses another one: ${refused.reason}`;
    expect(messages().slice(1)).toEqual([{ jsonrpc: '2.0', id: 2, error: { code: -32_000, message } }]);
    expect(asked.map(({ body }) => JSON.parse(body).method)).toEqual(['tools/list', 'initialize']);
    // The next message tries again.
    answer = up;
    state.isUp = true;
    await post(list(3));
    expect(messages()[2]).toEqual({ id: 3, result: { by: 's8' } });
  });
});

it('leaves no listeners on an output that is often full', async () => {
  const output = new Writable({
    highWaterMark: 1,
    write: (_chunk, _encoding, done) => void setImmediate(() => done()),
  });
  const listeners = () => ['drain', 'close', 'error'].map((name) => output.listenerCount(name));
  let most = 0;
  output.on('newListener', () => {
    most = Math.max(most, ...listeners());
  });
  const before = listeners();
  session = new McpHttpSession({ url: endpoint.url, output }, 10_000);
  answer = ({ body }, response) => json(response, { jsonrpc: '2.0', id: JSON.parse(body).id, result: {} });
  for (let id = 0; id < 20; id++) session.post(Buffer.from(JSON.stringify(list(id))));
  await session.end();
  expect([asked.length, most < 3, listeners()]).toEqual([20, true, before]);
});

it('ends although the stream of a result stays open', async () => {
  answer = (_, response) =>
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('data: {"id":2,"result":{}}\n\n');
  session.post(Buffer.from(JSON.stringify(list())));
  await session.end();
  expect(messages()).toEqual([{ id: 2, result: {} }]);
});
