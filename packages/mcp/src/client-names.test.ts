import type { AnyTool } from '@croft/tools';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, expect, it } from 'vitest';
import { z } from 'zod';
import { createServerFactory } from './create-server.ts';
import { createHttpEndpoint, type HttpEndpoint } from './serve-http.ts';

const seen: (string | undefined)[] = [];
const tool: AnyTool = {
  name: 'look',
  title: 'Look',
  description: 'Notes its caller',
  tags: ['look'],
  input: z.object({}),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  run: (_, { caller }) => {
    seen.push(caller);
    return { ok: true, data: {} };
  },
};
let endpoint: HttpEndpoint;
const open = () =>
  (endpoint = createHttpEndpoint(createServerFactory({ name: 't', version: '1' }, () => ({ tools: [tool] }))));
const headers = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'user-agent': 'node',
};
const post = (message: object, more: Record<string, string> = {}) =>
  endpoint.fetch(
    new Request('http://127.0.0.1/mcp', {
      method: 'POST',
      headers: { ...headers, ...more },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
    }),
  );
const call = (more: Record<string, string>) =>
  post(
    { method: 'tools/call', params: { name: 'look', arguments: {} } },
    { 'mcp-protocol-version': '2025-06-18', ...more },
  );
const initialize = (name: unknown) =>
  post({
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name, version: '1' } },
  });

afterEach(async () => {
  seen.length = 0;
  await endpoint.close();
});

it.each(['legacy', 'auto'] as const)('over HTTP, a call has the name of a client of the era %s', async (mode) => {
  open();
  const client = new Client({ name: 'My agent 💡', version: '1' }, { versionNegotiation: { mode } });
  const fetch = (input: string | URL, init?: RequestInit) =>
    endpoint.fetch(
      new Request(input, { ...init, headers: { ...headers, ...Object.fromEntries(new Headers(init?.headers)) } }),
    );
  await client.connect(new StreamableHTTPClientTransport(new URL('http://127.0.0.1/mcp'), { fetch }));
  await client.callTool({ name: 'look', arguments: {} });
  await client.close();
  expect(seen).toEqual(['My agent 💡']);
});

it('a call has no name where the client does not send one, and not that of its HTTP library', async () => {
  open();
  await call({});
  await call({ 'mcp-session-id': 'some-id' });
  await call({ 'mcp-session-id': '3f0e9c1e-0000-4000-8000-000000000000' });
  expect(seen).toEqual([undefined, undefined, undefined]);
});

it('a long name is cut, and the session id stays a valid header', async () => {
  open();
  const id = (await initialize('ü'.repeat(5_000))).headers.get('mcp-session-id') ?? '';
  expect(id).toMatch(/^[\x21-\x7e]{36,600}$/);
  await call({ 'mcp-session-id': id });
  expect(seen).toEqual(['ü'.repeat(100)]);
});

it('two clients of one name get different session ids', async () => {
  open();
  const ids = await Promise.all(
    ['agent', 'agent', ''].map(async (name) => (await initialize(name)).headers.get('mcp-session-id')),
  );
  expect(new Set(ids).size).toBe(3);
});
