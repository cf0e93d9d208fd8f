import { MAX_CONTENT_BYTES } from '@croft/tools';
import { afterEach, expect, it, vi } from 'vitest';
import { isUntrusted, isUnknownName, networkReason, readEvents, type StreamOptions } from './event-stream.ts';
import type { GatewayClient } from './gateway-client.ts';

afterEach(() => {
  vi.useRealTimers();
});

type Events = (lastEventId: string | undefined, keyInQuery: boolean, signal: AbortSignal) => Promise<Response>;

/** Reads the events of a client like this. */
function read(events: Events, options: Partial<StreamOptions> = {}) {
  const seen: unknown[] = [];
  const end = readEvents({
    client: { events } as unknown as GatewayClient,
    lastEventId: '7',
    keyInQuery: true,
    silenceMs: 4_600,
    signal: new AbortController().signal,
    now: () => 0,
    onOpen: () => seen.push('open'),
    onEvent: (data, id) => seen.push([data, id]),
    ...options,
  });
  return { end, seen };
}

const stream = (body: string | ReadableStream<Uint8Array>, type = 'text/event-stream') =>
  new Response(body, { headers: { 'content-type': type } });

it('reads events with their ids, and nothing of comments', async () => {
  const asked: unknown[] = [];
  const { end, seen } = read(async (lastEventId, keyInQuery) => {
    asked.push([lastEventId, keyInQuery]);
    return stream(': ping\n\nid: 8\ndata: a\n\ndata: é\n\n', 'Text/Event-Stream; charset=utf-8');
  });
  expect(await end).toEqual({ kind: 'lost', why: 'the server ended the connection' });
  expect([asked, seen]).toEqual([[['7', true]], ['open', ['a', '8'], ['é', undefined]]]);
});

it.each([
  [
    'another status',
    new Response('{"message":"No"}', { status: 403, headers: { 'content-type': 'text/event-stream' } }),
  ],
  ['another type', new Response('{"message":"No"}', { headers: { 'content-type': 'application/json' } })],
  ['no type', new Response(Buffer.from('{"message":"No"}'))],
])('gives the reply if it has %s', async (_, response) => {
  const { end, seen } = read(async () => response);
  expect(await end).toMatchObject({ kind: 'refused', reply: { status: response.status, message: 'No' } });
  expect(seen).toEqual([]);
});

it('ends a stream that sends nothing, also before its headers', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let signal: AbortSignal | undefined;
  const { end } = read((_, __, ending) => {
    signal = ending;
    return new Promise(() => {});
  });
  await vi.advanceTimersByTimeAsync(4_599);
  expect(signal?.aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(await end).toEqual({ kind: 'lost', why: 'the server sent nothing for 5 s' });
  expect([signal?.aborted, vi.getTimerCount()]).toEqual([true, 0]);
});

it.each(['before', 'during'])('ends when the caller aborts %s the request', async (when) => {
  const caller = new AbortController();
  const removed = vi.spyOn(caller.signal, 'removeEventListener');
  if (when === 'before') caller.abort();
  const { end } = read(() => new Promise(() => {}), { signal: caller.signal });
  caller.abort();
  expect(await end).toEqual({ kind: 'lost', why: 'the stream was closed' });
  expect(removed).toHaveBeenCalledWith('abort', expect.any(Function));
});

it('ends a stream with an event that is too large', async () => {
  const part = new Uint8Array(8 * 1024 * 1024).fill(97);
  let parts = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.enqueue(parts++ === 0 ? Buffer.from('data: ') : part);
    },
  });
  expect(await read(async () => stream(body)).end).toEqual({ kind: 'lost', why: 'an event was too large' });
});

it.each([
  ['ECONNREFUSED', 'nothing listens there'],
  ['ENOTFOUND', 'its name cannot be looked up'],
  ['EAI_AGAIN', 'its name cannot be looked up'],
  ['EPROTO', 'it does not speak TLS: is it http:// there?'],
  ['ECONNRESET', 'the connection was cut'],
  ['UND_ERR_SOCKET', 'the connection was cut'],
  ['ETIMEDOUT', 'it does not answer'],
  ['UND_ERR_CONNECT_TIMEOUT', 'it does not answer'],
  ['UND_ERR_HEADERS_TIMEOUT', 'it does not answer'],
  [
    'CERT_HAS_EXPIRED',
    "its certificate is not trusted (CERT_HAS_EXPIRED); name your authority's in NODE_EXTRA_CA_CERTS",
  ],
  ['E', 'inner'],
])('says of the error %s that %s', async (code, why) => {
  const cause = Object.assign(new Error('inner'), { code });
  expect(networkReason(Object.assign(new Error('fetch failed'), { cause }))).toBe(why);
  expect(networkReason(cause)).toBe(why);
  expect(await read(() => Promise.reject(cause)).end).toEqual({ kind: 'lost', why });
});

it('says something of every other error', () => {
  const aborted = Object.assign(new Error('aborted'), { name: 'AbortError' });
  expect([aborted, new Error(''), null, 'x'].map(networkReason)).toEqual([
    'it does not answer',
    'it cannot be reached',
    'it cannot be reached',
    'it cannot be reached',
  ]);
});

it.each([
  ['SELF_SIGNED_CERT_IN_CHAIN', true],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', true],
  ['UNABLE_TO_GET_ISSUER_CERT', true],
  ['ECONNRESET', false],
  [7, false],
])('%s means that the certificate is not trusted: %s', (code, expected) => {
  expect([isUntrusted({ code }), isUntrusted({ cause: { code } }), isUntrusted(null)]).toEqual([
    expected,
    expected,
    false,
  ]);
});

it('takes the call of a write at the limit of content, however it is escaped', async () => {
  const content = '\u0001'.repeat(MAX_CONTENT_BYTES);
  const call = { name: 'write_file', arguments: { path: 'a', content } };
  const frame = JSON.stringify({
    type: 'filesystem-request',
    payload: { requestId: 'r', deadlineMs: 1, toolCall: call },
  });
  const headers = { 'content-type': 'text/event-stream' };
  const client = { events: async () => new Response(`data: ${frame}\n\n`, { headers }) };
  const seen: number[] = [];
  const end = await readEvents({
    client: client as unknown as GatewayClient,
    lastEventId: undefined,
    keyInQuery: false,
    silenceMs: 60_000,
    signal: new AbortController().signal,
    now: () => 0,
    onOpen: () => {},
    onEvent: (data) => seen.push(data.length),
  });
  expect(end).toEqual({ kind: 'lost', why: 'the server ended the connection' });
  expect(seen).toEqual([frame.length]);
});

it.each([
  ['ENOTFOUND', true],
  ['EAI_AGAIN', false],
  ['ECONNREFUSED', false],
])('%s means that the name of the server does not exist: %s', (code, expected) => {
  expect(isUnknownName(Object.assign(new Error('fetch failed'), { cause: { code } }))).toBe(expected);
  expect([isUnknownName({ code }), isUnknownName(null)]).toEqual([expected, false]);
});
