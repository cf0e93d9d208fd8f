import { Hono } from 'hono';
import { expect, it } from 'vitest';
import { addMcpEndpoint } from './mcp-endpoint.ts';
import type { App } from './route.ts';

it('opens at the next request where it could not be opened at the first', async () => {
  let tries = 0;
  const app: App = new Hono();
  const endpoint = addMcpEndpoint(app, {
    open: async () => {
      if (++tries === 1) throw new Error('too many open files');
      return { fetch: async () => new Response('answered'), close: async () => {} };
    },
    authorize: async () => ({ token: '', clientId: 'alice', scopes: [] }),
    unauthorized: 'send a key',
  });
  app.onError((_, context) => context.text('failed', 500));
  expect((await app.request('/mcp', { method: 'POST' })).status).toBe(500);
  expect(await (await app.request('/mcp', { method: 'POST' })).text()).toBe('answered');
  await endpoint.close();
});
