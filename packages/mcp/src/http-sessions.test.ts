import { Server } from '@modelcontextprotocol/server';
import { afterEach, expect, it, vi } from 'vitest';
import { createHttpEndpoint, type HttpEndpoint } from './serve-http.ts';

const VERSION = '2025-11-25';
let endpoint: HttpEndpoint;
let made = 0;

afterEach(() => endpoint.close());

function open(limits: { maxSessions?: number; maxPerCaller?: number; idleMs?: number } = {}): void {
  made = 0;
  endpoint = createHttpEndpoint(
    () => {
      made++;
      const server = new Server({ name: 'test', version: '1' }, { capabilities: { tools: {} } });
      server.setRequestHandler('tools/list', () => ({ tools: [] }));
      return server;
    },
    undefined,
    { maxSessions: 10, maxPerCaller: 10, idleMs: 60_000, ...limits },
  );
}

function send(caller: string, body: object | undefined, headers: Record<string, string> = {}, method = 'POST') {
  const request = new Request('http://127.0.0.1/mcp', {
    method,
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers },
    ...(body && { body: JSON.stringify({ jsonrpc: '2.0', ...body }) }),
  });
  return endpoint.fetch(request, { authInfo: { token: '', clientId: caller, scopes: [] } });
}

const inSession = (id: string) => ({ 'Mcp-Session-Id': id, 'MCP-Protocol-Version': VERSION });

/** Opens a connection; gives its session id. */
async function begin(caller: string, capabilities: object = { elicitation: {} }): Promise<string> {
  const params = { protocolVersion: VERSION, capabilities, clientInfo: { name: 'test', version: '1' } };
  const response = await send(caller, { id: 1, method: 'initialize', params });
  expect(response.status).toBe(200);
  await response.text();
  return response.headers.get('mcp-session-id') as string;
}

async function list(caller: string, id: string): Promise<number> {
  const response = await send(caller, { id: 2, method: 'tools/list' }, inSession(id));
  await response.text();
  return response.status;
}

it('a client that can ask the person keeps one server, any other gets one for each request', async () => {
  open();
  const asking = await begin('ann');
  for (let i = 0; i < 3; i++) expect(await list('ann', asking)).toBe(200);
  expect(made).toBe(1);
  const other = await begin('ann', {});
  for (let i = 0; i < 3; i++) expect(await list('ann', other)).toBe(200);
  expect(made).toBe(5);
});

it('a session serves only the caller who opened it', async () => {
  open();
  const id = await begin('ann');
  expect(await list('bob', id)).toBe(404);
  expect(await list('ann', id)).toBe(200);
  expect(await list('ann', `${id}x`)).toBe(404);
});

it('beyond the bound of a caller, the session that was not used for longest ends', async () => {
  open({ maxPerCaller: 2 });
  const bobs = await begin('bob');
  const [first, second] = [await begin('ann'), await begin('ann')];
  expect(await list('ann', first)).toBe(200);
  const third = await begin('ann');
  expect([await list('ann', first), await list('ann', second), await list('ann', third)]).toEqual([200, 404, 200]);
  expect(await list('bob', bobs)).toBe(200);
});

it('there is a bound for all callers together', async () => {
  open({ maxSessions: 3 });
  const ids: [string, string][] = [];
  for (const caller of ['ann', 'bob', 'cat', 'dan', 'eve']) ids.push([caller, await begin(caller)]);
  expect(await Promise.all(ids.map(([caller, id]) => list(caller, id)))).toEqual([404, 404, 200, 200, 200]);
});

it('an idle session ends, and one that is used goes on', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    open({ idleMs: 400 });
    const [used, idle] = [await begin('ann'), await begin('ann')];
    for (let times = 0; times < 5; times++) {
      vi.setSystemTime(Date.now() + 100);
      expect(await list('ann', used)).toBe(200);
    }
    expect(await list('ann', idle)).toBe(404);
  } finally {
    vi.useRealTimers();
  }
});

it('a client can end its session, and a session has no stream of its own', async () => {
  open();
  const id = await begin('ann');
  const get = await send('ann', undefined, { ...inSession(id), Accept: 'text/event-stream' }, 'GET');
  expect(get.status).toBe(405);
  expect((await send('ann', undefined, inSession(id), 'DELETE')).status).toBe(200);
  expect(await list('ann', id)).toBe(404);
});
