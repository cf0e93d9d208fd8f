import { describe, expect, it } from 'vitest';
import type { Answer, Fetch } from './fetch-answer.ts';
import { GatewayClient, readReply } from './gateway-client.ts';

const NOW = Date.UTC(2026, 0, 1);
function answerOf(status: number, text: string, headers: Record<string, string> = {}): Answer {
  async function* body() {
    yield Buffer.from(text);
  }
  return { status, headers: { get: (name) => headers[name] ?? null }, body: body() };
}

/** A client of a server that answers each path so; others get 404. */
function clientOf(answers: Readonly<Record<string, () => Answer>>) {
  const requests: { url: string; method: string | undefined; headers: Readonly<Record<string, string>> }[] = [];
  const fetch: Fetch = async (url, { method, headers }) => {
    requests.push({ url: url.slice('http://s/base'.length), method, headers });
    const answer = answers[url.slice('http://s/base'.length)];
    return answer === undefined ? answerOf(404, 'nothing here') : answer();
  };
  const client = new GatewayClient({ server: 'http://s/base', fetch, timeoutMs: 60_000, now: () => NOW });
  client.key = 'k y';
  return { client, requests, signal: new AbortController().signal };
}
const paths = (requests: readonly { url: string }[]) => requests.map(({ url }) => url);
const ok = () => answerOf(200, '{"ok":true}');

describe('the place of a gateway', () => {
  it('is the first path that answers with JSON, and stays that', async () => {
    const { client, requests, signal } = clientOf({
      '/rest/instance-ai/gateway/init': () => answerOf(200, '<html>'),
      '/instance-ai/gateway/init': ok,
      '/instance-ai/gateway/response/a%2Fb': ok,
    });
    expect((await client.init('{}', signal)).status).toBe(200);
    await client.init('{}', signal);
    await client.respond('a/b', '{}', signal);
    expect(paths(requests)).toEqual([
      '/rest/instance-ai/gateway/init',
      '/instance-ai/gateway/init',
      '/instance-ai/gateway/init',
      '/instance-ai/gateway/response/a%2Fb',
    ]);
    expect(requests.every(({ method, headers }) => method === 'POST' && headers['x-gateway-key'] === 'k y')).toBe(true);
  });

  it.each([404, 405])('is looked for further after %i, and the last reply counts', async (status) => {
    const { client, requests, signal } = clientOf({ '/rest/instance-ai/gateway/init': () => answerOf(status, '{}') });
    expect((await client.init('{}', signal)).status).toBe(404);
    expect(requests).toHaveLength(2);
  });

  it('is not proved by a refusal', async () => {
    const { client, requests, signal } = clientOf({ '/rest/instance-ai/gateway/init': () => answerOf(401, '{}') });
    expect((await client.init('{}', signal)).status).toBe(401);
    await client.init('{}', signal);
    expect(requests).toHaveLength(2);
    expect(requests[1]?.url).toBe('/rest/instance-ai/gateway/init');
  });
});

it('has the key of a stream in the URL only for servers of the first dialect', async () => {
  const { client, requests, signal } = clientOf({});
  await client.events('7', false, signal);
  await client.events(undefined, true, signal);
  expect(paths(requests)).toEqual([
    '/rest/instance-ai/gateway/events',
    '/rest/instance-ai/gateway/events?apiKey=k%20y',
  ]);
  expect(requests.map(({ headers }) => headers['last-event-id'])).toEqual(['7', undefined]);
  expect(requests[0]?.headers['x-gateway-key']).toBe('k y');
});

it('gives up a request after its time', async () => {
  const fetch: Fetch = () => new Promise(() => undefined);
  const client = new GatewayClient({ server: 'http://s', fetch, timeoutMs: 1, now: () => NOW });
  await expect(client.sendTree('{}', new AbortController().signal)).rejects.toThrow('It took too long');
  await expect(client.alive(new AbortController().signal, 1)).rejects.toThrow('It took too long');
});

describe('a reply', () => {
  const read = (...given: Parameters<typeof answerOf>) => readReply(answerOf(...given), NOW);

  it('has its data unwrapped, or none', async () => {
    expect((await read(200, '{"data":{"a":1}}')).body).toEqual({ a: 1 });
    expect((await read(200, '{"a":1}')).body).toEqual({ a: 1 });
    expect(await read(200, 'text')).toMatchObject({ body: {}, isJson: false, message: 'HTTP 200' });
    expect((await readReply({ status: 204, headers: { get: () => null }, body: null }, NOW)).body).toEqual({});
  });

  it('has the message of the server in one bounded line', async () => {
    const messages = [
      await read(400, '{"message":"bad\\n  key"}'),
      await read(400, '{"error":"plain"}'),
      await read(400, '{"error":{"message":"nested"}}'),
      await read(400, '{"message":""}'),
      await read(302, '{}', { location: 'http://other' }),
    ].map(({ message }) => message);
    expect(messages).toEqual([
      'bad key',
      'plain',
      'nested',
      'HTTP 400',
      'it redirects to http://other; use that address',
    ]);
    expect((await read(400, JSON.stringify({ message: 'm'.repeat(400) }))).message).toHaveLength(300);
  });

  it('is read up to a bound, and says when to try again', async () => {
    let parts = 0;
    async function* endless() {
      for (;;) {
        parts++;
        yield Buffer.alloc(40_000, 'x');
      }
    }
    await readReply({ status: 200, headers: { get: () => null }, body: endless() }, NOW);
    expect(parts).toBe(2);
    expect((await read(503, '{}', { 'retry-after': '2' })).retryAfterMs).toBe(2_000);
  });
});

it('sends each request with its method, headers and credential', async () => {
  const { client, requests, signal } = clientOf({});
  await client.respond('r', 'body', signal);
  await client.sendTree('body', signal);
  await client.alive(signal, 60_000);
  await client.disconnect(signal, 60_000);
  await client.events('7', false, signal);
  const post = { 'content-type': 'application/json', accept: 'application/json', 'x-gateway-key': 'k y' };
  const at = (name: string) => `/rest/instance-ai/gateway/${name}`;
  expect(requests).toEqual([
    ...['response/r', 'tree', 'alive', 'disconnect'].map((name) => ({ url: at(name), method: 'POST', headers: post })),
    {
      url: at('events'),
      method: undefined,
      headers: {
        accept: 'text/event-stream',
        'cache-control': 'no-cache',
        'x-gateway-key': 'k y',
        'last-event-id': '7',
      },
    },
  ]);
});

it('takes only a success with JSON for a gateway', async () => {
  const found = async (status: number, text: string) => {
    const { client, requests, signal } = clientOf({
      '/rest/instance-ai/gateway/init': () => answerOf(status, text),
      '/instance-ai/gateway/init': ok,
    });
    await client.init('{}', signal);
    await client.respond('r', '{}', signal);
    return paths(requests).map((path) => path.split('/')[1]);
  };
  expect([await found(299, '{}'), await found(300, '{}'), await found(299, 'page'), await found(300, 'page')]).toEqual([
    ['rest', 'rest'],
    ['rest', 'rest'],
    ['rest', 'instance-ai', 'instance-ai'],
    ['rest', 'rest'],
  ]);
});

it('names the address to which a server redirects', async () => {
  const message = async (status: number, headers: Record<string, string>) =>
    (await readReply(answerOf(status, '{"message":"said"}', headers), NOW)).message;
  const location = { location: 'https://other' };
  const redirected = 'it redirects to https://other; use that address';
  expect([
    await message(299, location),
    await message(300, location),
    await message(399, location),
    await message(400, location),
    await message(302, {}),
  ]).toEqual(['said', redirected, redirected, 'said', 'said']);
});
