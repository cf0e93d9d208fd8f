import { Hono } from 'hono';
import { expect, it } from 'vitest';
import { Problem } from '../problem.ts';
import { addMcpEndpoint, type McpEndpointOptions } from './mcp-endpoint.ts';
import type { App } from './route.ts';

const SENDER = { token: '', clientId: 'alice', scopes: [] };

/** An endpoint that answers with its sender, and what happens to it. */
function serve(options: Partial<McpEndpointOptions> = {}) {
  const happened: string[] = [];
  const app: App = new Hono();
  app.onError((error, context) => context.text(`failed: ${error.message}`, 500));
  const endpoint = addMcpEndpoint(app, {
    open: async () => {
      happened.push('open');
      return {
        fetch: async (_request, more) => new Response(`answered ${more?.authInfo?.clientId}`),
        close: async () => void happened.push('close'),
      };
    },
    authorize: async () => SENDER,
    unauthorized: 'send a key',
    ...options,
  });
  const post = async (path = '/mcp') => {
    const response = await app.request(path, { method: 'POST' });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  return { happened, endpoint, post };
}

it('opens once, at the first request, and closes', async () => {
  const { happened, endpoint, post } = serve();
  expect(happened).toEqual([]);
  expect([(await post()).text, (await post()).text]).toEqual(['answered alice', 'answered alice']);
  await endpoint.close();
  expect(happened).toEqual(['open', 'close']);
});

it('has nothing to close before the first request', async () => {
  const { happened, endpoint } = serve();
  await endpoint.close();
  expect(happened).toEqual([]);
});

it('leaves to Node whether the connection stays open', async () => {
  const fetch = async () => new Response('answered', { headers: { connection: 'keep-alive', 'x-other': 'stays' } });
  const { post } = serve({ open: async () => ({ fetch, close: async () => {} }) });
  const { headers } = await post();
  expect([headers.get('connection'), headers.get('x-other')]).toEqual([null, 'stays']);
});

it('is at the given path only', async () => {
  const { post } = serve({ path: '/mcp/flows' });
  expect([(await post('/mcp/flows')).status, (await post()).status]).toEqual([200, 404]);
});

it('opens at the next request where it could not be opened at the first', async () => {
  let tries = 0;
  const { endpoint, post } = serve({
    open: async () => {
      if (++tries === 1) throw new Error('too many open files');
      return { fetch: async () => new Response('answered'), close: async () => {} };
    },
  });
  expect(await post()).toMatchObject({ status: 500, text: 'failed: too many open files' });
  expect((await post()).text).toBe('answered');
  await endpoint.close();
});

it('closes without an error while it cannot be opened', async () => {
  let fail: ((error: Error) => void) | undefined;
  const { endpoint, post } = serve({ open: () => new Promise((_, reject) => (fail = reject)) });
  const answer = post();
  await expect.poll(() => fail).toBeDefined();
  const closed = endpoint.close();
  fail?.(new Error('no memory'));
  expect(await closed).toBeUndefined();
  expect((await answer).status).toBe(500);
});

it('refuses an unknown sender as JSON-RPC does, and does not open', async () => {
  const { happened, post } = serve({ authorize: async () => undefined });
  const { status, headers, text } = await post();
  expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  expect(JSON.parse(text)).toEqual({
    jsonrpc: '2.0',
    error: { code: expect.any(Number) as number, message: 'Unauthorized: send a key' },
    id: null,
  });
  expect(happened).toEqual([]);
});

it('answers with the problem of a sender, and fails with other errors', async () => {
  const refused = serve({
    authorize: async () => {
      throw new Problem(429, 'busy', 'Wait', { 'Retry-After': '3' });
    },
  });
  const { status, headers, text } = await refused.post();
  expect([status, headers.get('retry-after'), JSON.parse(text).error.message]).toEqual([429, '3', 'Wait']);
  const failed = serve({
    authorize: async () => {
      throw new Error('other');
    },
  });
  expect(await failed.post()).toMatchObject({ status: 500, text: 'failed: other' });
});
