import { Server } from '@modelcontextprotocol/server';
import { afterEach, expect, it } from 'vitest';
import { createHttpEndpoint, type HttpEndpoint } from './serve-http.ts';

let endpoint: HttpEndpoint;
let made: unknown[];
afterEach(() => endpoint.close());

/** An endpoint with servers without tools; `made` has the sender of each. */
function open(onError?: (error: Error) => void, limits?: Parameters<typeof createHttpEndpoint>[2]): void {
  made = [];
  endpoint = createHttpEndpoint(
    ({ authInfo }) => {
      made.push(authInfo?.clientId);
      const server = new Server({ name: 'test', version: '1' }, { capabilities: { tools: {} } });
      server.setRequestHandler('tools/list', () => ({ tools: [] }));
      return server;
    },
    onError,
    limits,
  );
}

async function post(body: string, headers: Record<string, string> = {}, caller?: string) {
  const request = new Request('http://127.0.0.1/mcp', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'content-length': String(Buffer.byteLength(body)),
      ...headers,
    },
    body,
  });
  const options = caller === undefined ? undefined : { authInfo: { token: '', clientId: caller, scopes: [] } };
  const response = await endpoint.fetch(request, options);
  return { status: response.status, session: response.headers.get('mcp-session-id'), text: await response.text() };
}

const message = (method: string, params: object = {}) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
const hello = (padding = '') =>
  message('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: `agent${padding}`, version: '1' },
  });
const VERSION = { 'mcp-protocol-version': '2025-06-18' };

it('gives a session id to a first request, and to no other', async () => {
  open();
  const first = await post(hello());
  expect([first.status, first.session?.split('.')[1]]).toEqual([200, Buffer.from('agent').toString('base64url')]);
  const second = await post(message('tools/list'), VERSION);
  expect([second.status, second.session]).toEqual([200, null]);
  expect(second.text).toContain('"tools":[]');
});

it('gives none where the first request is refused', async () => {
  open();
  for (const body of ['not JSON', message('nothing')]) {
    const refused = await post(body);
    expect(refused.status === 200 && refused.text.includes('"result"')).toBe(false);
    if (refused.status !== 200) expect(refused.session).toBeNull();
  }
  expect((await post('not JSON')).status).toBe(400);
});

it('makes a server of its own for each request, and tells it the sender', async () => {
  open();
  await post(message('tools/list'), VERSION, 'ann');
  await post(message('tools/list'), VERSION, 'bob');
  await post(message('tools/list'), VERSION);
  expect(made).toEqual(['ann', 'bob', undefined]);
});

it('serves a large body, and names its sender, and refuses one that is not JSON', async () => {
  open();
  const padding = 'x'.repeat(70_000);
  const large = await post(hello(padding), {}, 'ann');
  expect([large.status, large.session]).toEqual([200, expect.stringMatching(/^[\da-f-]{36}\.[\w-]+$/)]);
  expect(made).toEqual(['ann']);
  expect((await post(`{${padding}`, VERSION, 'ann')).status).toBe(400);
  expect(made).toEqual(['ann']);
});

it('keeps a session for a client that can ask the person, within its limits', async () => {
  open(undefined, { maxSessions: 1, maxPerCaller: 1, idleMs: 60_000 });
  const asking = hello().replace('"capabilities":{}', '"capabilities":{"elicitation":{}}');
  const first = await post(asking, {}, 'ann');
  const list = (id: string | null) => post(message('tools/list'), { ...VERSION, 'mcp-session-id': id ?? '' }, 'ann');
  expect((await list(first.session)).status).toBe(200);
  expect(made).toHaveLength(1);
  await post(asking, {}, 'ann');
  expect((await list(first.session)).status).toBe(404);
});

it('ends its sessions when it is closed', async () => {
  open();
  const asking = hello().replace('"capabilities":{}', '"capabilities":{"elicitation":{}}');
  const { session } = await post(asking, {}, 'ann');
  await endpoint.close();
  expect((await post(message('tools/list'), { ...VERSION, 'mcp-session-id': session ?? '' }, 'ann')).status).not.toBe(
    200,
  );
});

it('tells the operator about an error of a server', async () => {
  const errors: Error[] = [];
  endpoint = createHttpEndpoint(
    () => {
      throw new Error('the factory failed');
    },
    (error) => errors.push(error),
  );
  const { status, text } = await post(message('tools/list'), VERSION);
  expect([status, text.includes('the factory failed'), errors.map((error) => error.message)]).toEqual([
    500,
    false,
    ['the factory failed'],
  ]);
});
