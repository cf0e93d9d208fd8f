import { existsSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fileDir } from '../../../../tests/support/temp-dir.ts';
import { ADMIN, startTestServer, type TestServer, type Visitor } from '../testing.ts';

/** An MCP server over stdio with one tool. */
const PROGRAM = `import { createInterface } from 'node:readline';
const send = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize')
    send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } } });
  else if (method === 'tools/list') send({ id, result: { tools: [{ name: 'add', inputSchema: { type: 'object' } }] } });
  else if (id !== undefined) send({ id, error: { code: -32601, message: 'unknown' } });
});
`;
const TOKEN = 'canary of "a" token';

const dir = fileDir();
let command: string;
let server: TestServer;
let admin: Visitor;
let alice: Visitor;
let host: string;
const listening: Server[] = [];

beforeAll(async () => {
  writeFileSync(join(dir, 'server.mjs'), PROGRAM);
  command = `${process.execPath} ${join(dir, 'server.mjs')}`;
  server = await startTestServer({ flowCommands: [command], flowHosts: ['127.0.0.1'] });
  await server.running.ready;
  host = new URL(server.url).host;
  admin = await server.signIn(ADMIN.login, ADMIN.password);
  alice = await server.addUser('alice');
});
afterAll(async () => {
  for (const each of listening) {
    each.close();
    each.closeAllConnections();
  }
  await server?.stop();
});

async function listen(act: (request: IncomingMessage, response: ServerResponse) => unknown, address = '127.0.0.1') {
  const started = createServer((request, response) => void act(request, response));
  listening.push(started);
  await new Promise<void>((resolve) => started.listen(0, address, resolve));
  return `http://${address}:${(started.address() as AddressInfo).port}`;
}

const ask = (by: Visitor, named: object, headers = {}) =>
  by.json<any>('/api/v1/mcp-servers/tools', { method: 'POST', json: { server: named }, headers });
const setVariable = (by: Visitor, name: string, value: string, hosts: string[]) =>
  by.json(`/api/v1/variables/${name}`, { method: 'PUT', json: { value, hosts } });

it('lists the tools of a server at an address, with a credential of the caller', async () => {
  const { secret } = (await admin.json<any>('/api/v1/keys', { method: 'POST', json: { name: 'mcp' } })).body;
  await setVariable(admin, 'MCP_KEY', secret, [`http://${host}`]);
  const { body } = await ask(admin, { kind: 'http', url: `${server.url}/mcp`, credential: 'MCP_KEY' });
  expect(body.failure).toBeNull();
  expect(body.tools.find(({ name }: { name: string }) => name === 'read_file')).toMatchObject({
    description: expect.any(String),
    parameters: { type: 'object', properties: { path: { type: 'string' } } },
    readOnly: true,
  });
  const others = await ask(alice, { kind: 'http', url: `${server.url}/mcp`, credential: 'MCP_KEY' });
  expect(others.body).toMatchObject({ tools: [], failure: { message: "There is no credential 'MCP_KEY'." } });
});

it('reaches no address that a flow may not reach, and sends a credential to its own host only', async () => {
  let requests = 0;
  const hidden = await listen((_, response) => {
    requests += 1;
    response.end();
  }, '127.0.0.2');
  const refused = await ask(admin, { kind: 'http', url: `${hidden}/mcp` });
  expect(refused.body).toMatchObject({ tools: [], failure: { message: expect.stringContaining('127.0.0.2') } });
  await setVariable(admin, 'BOUND', TOKEN, ['http://other.example']);
  const bound = await ask(admin, { kind: 'http', url: `${server.url}/mcp`, credential: 'BOUND' });
  expect(bound.body.failure.message).toContain('is not sent');
  expect(requests).toBe(0);
});

it('starts a command only where it is allowed, and for an administrator', async () => {
  const { body } = await ask(admin, { kind: 'command', command });
  expect(body).toEqual({
    tools: [{ name: 'add', description: '', parameters: { type: 'object' }, readOnly: false }],
    failure: null,
  });
  const marker = join(dir, 'started');
  const other = `${process.execPath} -e "require('node:fs').writeFileSync('${marker}', '')"`;
  for (const [by, line] of [
    [admin, other],
    [admin, `${command} --read-only`],
    [alice, command],
  ] as const)
    expect((await ask(by, { kind: 'command', command: line })).body).toMatchObject({
      tools: [],
      failure: { message: expect.stringContaining('is not allowed') },
    });
  expect(existsSync(marker)).toBe(false);
});

it('is not for a program or agent with an API key, nor for a page of another site', async () => {
  const { secret } = (await admin.json<any>('/api/v1/keys', { method: 'POST', json: { name: 'agent' } })).body;
  expect((await ask(server.withKey(secret), { kind: 'command', command })).status).toBe(403);
  expect((await ask(server.stranger, { kind: 'command', command })).status).toBe(401);
  const headers = { origin: 'https://other.example', 'sec-fetch-site': 'cross-site' };
  expect((await ask(admin, { kind: 'command', command }, headers)).status).toBe(403);
});

it('leaves out secrets that a server repeats, and large schemas, and asks one server at a time', async () => {
  let hold: (() => void) | undefined;
  let isAsked = false;
  const url = await listen(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const { id, method, params } = (text === '' ? {} : JSON.parse(text)) as {
      id?: number;
      method?: string;
      params?: any;
    };
    const reply = (result: object) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...result }));
    };
    const said = request.headers.authorization ?? '';
    const tool = (name: string, description: string) => ({
      name,
      description: `got ${said}`,
      inputSchema: { type: 'object', properties: { a: { type: 'string', description } } },
    });
    if (id === undefined) response.writeHead(request.method === 'POST' ? 202 : 405).end();
    else if (method === 'initialize') {
      const { protocolVersion } = params;
      reply({ result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } } });
    } else if (method === 'tools/list') {
      const send = () => reply({ result: { tools: [tool('one', `also ${said}`), tool('two', 'x'.repeat(30_000))] } });
      isAsked = true;
      if (hold === undefined) send();
      else hold = send;
    } else reply({ error: { code: -32_601, message: 'unknown' } });
  });
  await setVariable(admin, 'TOKEN', TOKEN, [url]);
  const named = { kind: 'http', url: `${url}/mcp`, credential: 'TOKEN' };
  const { body } = await ask(admin, named);
  expect(body).toMatchObject({
    failure: null,
    tools: [
      { description: 'got Bearer ***', parameters: { properties: { a: { description: 'also Bearer ***' } } } },
      { name: 'two', parameters: {} },
    ],
  });
  isAsked = false;
  hold = () => undefined;
  const first = ask(admin, named);
  await expect.poll(() => isAsked).toBe(true);
  expect((await ask(admin, named)).status).toBe(429);
  hold();
  expect((await first).body.tools).toHaveLength(2);
});
