import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { FRAME_LIMITS } from '../frames.ts';
import { GatewayError, HostRefusal } from './gateway-error.ts';
import { type BodyRoom, readJson, readWord, sendError, sendOk } from './json-http.ts';

const schema = z.object({ name: z.string().default('none') });
let server: Server;
let url: string;
let room: BodyRoom;
beforeEach(async () => {
  room = { usedBytes: 0 };
  server = createServer((req, res) => {
    const read = req.url === '/word' ? readWord(req, schema, room) : readJson(req, schema, room);
    read.then(
      ({ name }) => (name === 'fail' ? sendError(res, new Error('/home/u/secret')) : sendOk(res, { name })),
      (error: unknown) => sendError(res, error),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function post(body: string | undefined, { type = 'application/json', path = '/' } = {}) {
  const sent = body === undefined ? {} : { body, headers: { 'content-type': type } };
  const response = await fetch(`${url}${path}`, { method: 'POST', ...sent });
  return { status: response.status, body: (await response.json()) as Record<string, any>, headers: response.headers };
}

it('answers with the fields at the top and below data, for both dialects', async () => {
  const { status, body, headers } = await post('{"name":"ada"}');
  expect([status, body]).toEqual([200, { name: 'ada', data: { name: 'ada' } }]);
  expect([headers.get('cache-control'), headers.get('x-content-type-options')]).toEqual(['no-store', 'nosniff']);
});

it('takes a missing body as an empty object', async () => {
  expect((await post(undefined)).body).toMatchObject({ name: 'none' });
});

it('refuses the types that a form of another site can send', async () => {
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'application/jsonp'])
    expect((await post('{}', { type })).body, type).toEqual({
      code: 'bad_content_type',
      message: 'Send the body as application/json',
    });
  expect((await post('{}', { type: 'Application/JSON; charset=utf-8' })).status).toBe(200);
});

it('says what is wrong with a body, and not what failed in the server', async () => {
  expect((await post('{')).body).toEqual({ code: 'bad_request', message: 'The body is not valid JSON' });
  expect((await post('{"name":1}')).body.message).toMatch(/^The body does not fit: name: [^;]*$/);
  expect((await post('1')).body.message).toMatch(/^The body does not fit: body: /);
  const failed = await post('{"name":"fail"}');
  expect([failed.status, failed.body.code]).toEqual([500, 'internal']);
  expect(JSON.stringify(failed.body)).not.toContain('secret');
});

it('refuses a body that is too large or has too many values or levels, and keeps none of it', async () => {
  const large = JSON.stringify({ name: 'x'.repeat(FRAME_LIMITS.maxBodyBytes) });
  expect((await post(large)).body).toEqual({
    code: 'too_large',
    message: 'The body is larger than 16 MiB. Send less at once',
  });
  for (const body of [`[${'0,'.repeat(600_000)}0]`, '['.repeat(100_000)])
    expect((await post(body)).body).toMatchObject({ code: 'too_large' });
  const word = JSON.stringify({ name: 'x'.repeat(4_096) });
  expect((await post(word, { path: '/word' })).body).toMatchObject({ code: 'too_large' });
  expect((await post(word)).status).toBe(200);
  expect(room.usedBytes).toBe(0);
});

it('refuses bodies while others fill the memory', async () => {
  room.usedBytes = 300 * 1024 * 1024;
  expect((await post('{}')).body).toMatchObject({ code: 'too_many' });
  expect(room.usedBytes).toBe(300 * 1024 * 1024);
});

it('releases the bytes of a body whose client leaves', async () => {
  const headers = { 'content-type': 'application/json', 'content-length': '1000' };
  const client = request(url, { method: 'POST', headers });
  client.on('error', () => undefined);
  client.write('{"name":"');
  await expect.poll(() => room.usedBytes).toBeGreaterThan(0);
  client.destroy();
  await expect.poll(() => room.usedBytes).toBe(0);
});

it('says after which time a request may come again', async () => {
  server.removeAllListeners('request');
  server.on('request', (_, res) => sendError(res, new GatewayError('too_often', 'Wait.')));
  const { status, headers } = await post('{}');
  expect([status, headers.get('retry-after')]).toEqual([429, '1']);
  const retryAfter = async (error: Error) => {
    server.removeAllListeners('request');
    server.on('request', (_, res) => sendError(res, error));
    return (await post('{}')).headers.get('retry-after');
  };
  const ofHost = HostRefusal.from(
    Object.assign(new Error('Wait'), { status: 429, code: 'slow', headers: { 'Retry-After': '9' } }),
  ) as Error;
  expect([
    await retryAfter(new GatewayError('too_often', 'Wait.', 7)),
    await retryAfter(ofHost),
    await retryAfter(new GatewayError('closing', 'Later')),
  ]).toEqual(['7', '9', null]);
});

it('accepts exactly what its limits allow, and names the limit', async () => {
  const answer = async (body: string, path = '/') => {
    const { status, body: sent } = await post(body, { path });
    return [status, sent.message];
  };
  const tooMany = [413, 'The body has more than 500000 values, or more than 1000 levels. Send less at once'];
  const unfit = [400, expect.stringContaining('The body does not fit: body: ')];
  expect(await answer(`[${'0,'.repeat(499_999)}0]`)).toEqual(unfit);
  expect(await answer(`[${'0,'.repeat(500_000)}0]`)).toEqual(tooMany);
  expect(await answer(`${'['.repeat(1_000)}${']'.repeat(1_000)}`)).toEqual(unfit);
  expect(await answer(`${'['.repeat(1_001)}${']'.repeat(1_001)}`)).toEqual(tooMany);
  const word = (bytes: number) => JSON.stringify({ name: 'x'.repeat(bytes - '{"name":""}'.length) });
  expect((await answer(word(4_096), '/word'))[0]).toBe(200);
  expect(await answer(word(4_097), '/word')).toEqual([413, 'Send no body larger than 4 KiB here']);
  room.usedBytes = 256 * 1024 * 1024 - 2;
  expect((await answer('{}'))[0]).toBe(200);
  room.usedBytes++;
  expect(await answer('{}')).toEqual([429, 'Too many large bodies at once. Send it again in a moment']);
});

it('sends JSON with its length, and ends a response that has begun', async () => {
  const { headers } = await post('{"name":"ü"}');
  expect([headers.get('content-type'), headers.get('content-length')]).toEqual([
    'application/json; charset=utf-8',
    `${Buffer.byteLength('{"name":"ü","data":{"name":"ü"}}')}`,
  ]);
  expect((await post('{"name":"fail"}')).body).toEqual({
    code: 'internal',
    message: 'The server failed unexpectedly. Try again in a moment',
  });
  server.removeAllListeners('request');
  server.on('request', (_, res) => {
    res.write('begun');
    sendError(res, new Error('late'));
  });
  await expect(fetch(url).then((response) => response.text())).rejects.toThrow();
});

it('names three problems of a body at most', async () => {
  const many = z.object({ a: z.string(), b: z.object({ c: z.string() }), d: z.string(), e: z.string() });
  server.removeAllListeners('request');
  server.on('request', (req, res) => void readJson(req, many, room).catch((error: unknown) => sendError(res, error)));
  const { message } = (await post('{"b":{}}')).body;
  const [start, ...problems] = message.split(/(?:: |; )(?=[a-e.]+: )/);
  expect([start, problems.map((one: string) => one.split(':')[0])]).toEqual([
    'The body does not fit',
    ['a', 'b.c', 'd'],
  ]);
});
