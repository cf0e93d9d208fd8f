import { type ScriptedProvider, type ScriptedReply, startScriptedProvider } from '@croft/models/testing';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer, type Visitor } from '../testing.ts';

let server: TestServer;
let provider: ScriptedProvider;
let page: Visitor;
/** Refuses all connections. */
const proxy = createServer();
const asked: string[] = [];
let reply: ScriptedReply = { text: 'ok' };

beforeAll(async () => {
  provider = await startScriptedProvider(() => reply);
  proxy.on('connect', ({ url }, socket) => {
    asked.push(url ?? '');
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const httpProxy = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  server = await startTestServer({ flowHosts: [new URL(provider.url).host], httpProxy, flowProxy: 'names' });
  await server.running.ready;
  page = await server.signInAdmin();
});
afterAll(async () => {
  await server?.stop();
  await provider?.close();
  await new Promise((resolve) => proxy.close(resolve));
});

const set = (name: string, value: string | undefined) =>
  page.json(`/api/v1/variables/${name}`, { method: 'PUT', json: { value } });
const test = (name: string) => page.json<any>(`/api/v1/models/${name}/test`, { method: 'POST', json: {} });

it('tests a key with one small request, and says what is wrong without the key', async () => {
  expect(await test('OpenAI')).toMatchObject({
    status: 200,
    body: { model: null, failure: { fix: expect.any(String) } },
  });
  expect(provider.requests).toHaveLength(0);
  for (const name of ['OPENAI_API_KEY', 'OPENAI_BASE_URL']) await set(name, provider.variables[name]);
  expect(await test('OpenAI')).toMatchObject({
    body: { model: expect.any(String), ms: expect.any(Number), failure: null },
  });
  expect(provider.requests).toHaveLength(1);
  expect(JSON.parse(provider.requests[0]?.body ?? '')).toMatchObject({ max_output_tokens: 16 });
  reply = { status: 401, body: '{"error":{"message":"Incorrect API key sk-canary-2222"}}' };
  const wrong = await test('OpenAI');
  expect(wrong.body.failure).toMatchObject({ fix: expect.stringContaining('OPENAI_API_KEY') });
  expect(JSON.stringify(wrong.body)).not.toContain('canary');
  // Without another attempt.
  expect(provider.requests).toHaveLength(2);
  expect((await test('NoSuchProvider')).status).toBe(404);
  await set('OPENAI_BASE_URL', 'http://127.0.0.1:1/v1');
  expect((await test('OpenAI')).body.failure).toEqual({
    message: "OpenAI: Requests to '127.0.0.1' are refused: the address is private or local.",
    fix: expect.stringContaining('CROFT_FLOW_HOSTS'),
  });
});

it('goes through the proxy of the operator', async () => {
  await set('OPENAI_COMPATIBLE_BASE_URL', 'http://models.invalid/v1');
  expect((await test('OpenAI compatible')).body.failure.message).toContain('The proxy opened no connection');
  expect(asked).toEqual(['models.invalid:80']);
});

it('tests one provider of a user at a time', async () => {
  await set('OPENAI_BASE_URL', provider.variables['OPENAI_BASE_URL']);
  reply = { stall: 'before' };
  const first = test('OpenAI');
  await expect.poll(() => provider.requests.length).toBe(3);
  expect((await test('croft')).status).toBe(429);
  first.catch(() => undefined);
});
