import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, it } from 'vitest';
import type { DecisionEvent } from './exchange.ts';
import type { GuardProxyOptions } from './proxy.ts';
import { completion, openTestProxy, sendJson } from './testing.ts';

const HOSTILE = '{"path":"/etc/x"}';
const FINE = '{"path":"a"}';
let events: DecisionEvent[] = [];
afterEach(() => {
  events = [];
});

const open = (answer: Parameters<typeof openTestProxy>[0], options: Partial<GuardProxyOptions> = {}) =>
  openTestProxy(answer, { onDecision: (event) => events.push(event), ...options });

it('sends a reply without a blocked call unchanged, with its headers', async () => {
  const { chat } = await open((_, response) =>
    sendJson(response, completion(FINE), { ETag: 'e', 'Content-MD5': 'm', 'X-Id': '1' }),
  );
  const got = await chat();
  expect([got.status, got.body]).toEqual([200, completion(FINE)]);
  expect(got.headers).toMatchObject({ etag: 'e', 'content-md5': 'm', 'x-id': '1' });
  expect(got.headers['content-length']).toBe(String(completion(FINE).length));
});

it('removes a blocked call, and the headers that described the bytes', async () => {
  const { chat } = await open((_, response) =>
    sendJson(response, completion(HOSTILE, FINE), { ETag: 'e', 'Content-MD5': 'm', Digest: 'd', 'X-Id': '1' }),
  );
  const got = await chat();
  expect(got.body).not.toContain('/etc/');
  expect(got.body).toContain('"id":"c1"');
  expect(got.headers).toMatchObject({ 'x-id': '1', 'content-length': String(Buffer.byteLength(got.body)) });
  for (const name of ['etag', 'content-md5', 'digest']) expect(got.headers).not.toHaveProperty(name);
});

it('decodes a compressed reply', async () => {
  const { chat } = await open((_, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip', ETag: 'e' });
    response.end(gzipSync(completion(FINE)));
  });
  const got = await chat();
  expect([got.body, got.headers['content-encoding'], got.headers.etag]).toEqual([
    completion(FINE),
    undefined,
    undefined,
  ]);
});

it('asks the model again if every call is blocked, as often as the limit says', async () => {
  const { chat, asked } = await open(
    (_, response, count) => sendJson(response, count < 3 ? completion(HOSTILE) : completion(FINE)),
    { limits: { maxRetries: 2 } },
  );
  expect((await chat()).body).toBe(completion(FINE));
  expect(asked[1]?.body).toContain('outside the project directory');
  expect(events.map(({ attempt, blocked }) => [attempt, blocked])).toEqual([
    [0, true],
    [1, true],
    [2, false],
  ]);
});

it.each<[string, (response: ServerResponse) => void]>([
  ['an error', (response) => response.writeHead(500, { 'Content-Type': 'application/json' }).end(completion(FINE))],
  ['a stream', (response) => response.writeHead(200, { 'Content-Type': 'text/event-stream' }).end('')],
  ['no type', (response) => response.writeHead(200).end(completion(FINE))],
  ['an unknown coding', (response) => sendJson(response, completion(FINE), { 'Content-Encoding': 'x' })],
  ['too much', (response) => sendJson(response, ' '.repeat(3_000) + completion(FINE))],
  ['a broken connection', (response) => response.destroy()],
])('refuses the call in the reply if the second one is %s', async (_, answer) => {
  const { chat, health } = await open(
    (__, response, count) => (count === 1 ? sendJson(response, completion(HOSTILE)) : answer(response)),
    { limits: { maxBody: 2_000 } },
  );
  const got = await chat();
  expect([got.status, got.body.includes('refused')]).toEqual([200, true]);
  expect(await health()).toMatchObject({ held: 0, open: 0 });
});

it('refuses a reply that is too large, cut off or cannot be read', async () => {
  const { chat, health } = await open(
    (_, response, count) => {
      if (count === 1) return sendJson(response, ' '.repeat(3_000));
      if (count === 2) return sendJson(response, completion(FINE).replace('"tool_calls"', '"Tool_Calls"'));
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '100' });
      response.write('{');
      setImmediate(() => response.destroy());
    },
    { limits: { maxBody: 2_000 } },
  );
  const refused = async () => {
    const { status, body } = await chat();
    return [status, (JSON.parse(body) as { error: { message: string } }).error.message];
  };
  expect(await refused()).toEqual([502, 'The reply is too large for the guard to check.']);
  expect(events).toMatchObject([{ call: undefined, decision: { rule: 'too-large' }, attempt: 0 }]);
  expect(await refused()).toEqual([
    502,
    'The reply holds a tool call that cannot be read for certain; it was stopped.',
  ]);
  expect(await refused()).toEqual([502, 'The upstream reply broke off.']);
  expect(await health()).toMatchObject({ held: 0 });
});

it('does not read more than all replies may hold together', async () => {
  const { chat } = await open((_, response) => sendJson(response, completion(FINE)), { limits: { maxTotal: 100 } });
  expect((await chat()).status).toBe(502);
});

it('closes the connection of a reply that is too large, and gives its bytes back', async () => {
  let closed = false;
  const { chat, health } = await open(
    (_, response) => {
      response.on('close', () => (closed = true));
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.write(' '.repeat(3_000));
    },
    { limits: { maxBody: 2_000 } },
  );
  expect((await chat()).status).toBe(502);
  await expect.poll(() => closed).toBe(true);
  expect(await health()).toMatchObject({ held: 0, open: 0 });
});

it('reads a reply of exactly the largest size, in several parts', async () => {
  const body = completion(FINE);
  const { chat } = await open(
    (_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.write(body.slice(0, 10));
      setImmediate(() => response.end(body.slice(10)));
    },
    { limits: { maxBody: Buffer.byteLength(body) } },
  );
  expect(await chat()).toMatchObject({ status: 200, body });
});
