import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { type LocalServer, startServer } from '../../../../packages/components/src/testing.ts';
import { createMcpClients } from './mcp-clients.ts';

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: { readonly protocolVersion?: string };
}

const servers: LocalServer[] = [];
afterEach(async () => {
  for (const each of servers.splice(0)) await each.close();
});

/** An MCP server that answers a request for its tools with `list`. Gives its address and the answers that it got. */
async function hostile(list: (id: unknown, response: ServerResponse) => void) {
  const answers: Message[] = [];
  const act = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const { id, method, params } = (text === '' ? {} : JSON.parse(text)) as Message;
    if (method === 'tools/list') return list(id, response);
    if (id !== undefined && method === undefined) answers.push({ id });
    if (method !== 'initialize') return response.writeHead(request.method === 'POST' ? 202 : 405).end();
    const result = {
      protocolVersion: params?.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'x', version: '1' },
    };
    return send(response, { id, result });
  };
  const server = await startServer((request, response) => void act(request, response));
  servers.push(server);
  return { url: `${server.url}/mcp`, answers };
}

function send(response: ServerResponse, message: object): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', ...message }));
}

async function listTools(url: string) {
  const clients = createMcpClients({ fetch, commands: () => ({ allowed: [], writable: [], howToAllow: '' }) });
  try {
    const limits = { signal: AbortSignal.timeout(20_000), timeoutMs: 20_000 };
    return (await clients.connect({ kind: 'http', url, token: undefined }, limits)).tools;
  } finally {
    await clients.close();
  }
}

it('leaves a server that sends many requests, each of which would get an answer', async () => {
  const { url, answers } = await hostile((_id, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (let at = 0; at < 5_000; at++)
      response.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id: `p${at}`, method: 'ping' })}\n\n`);
  });
  await expect(listTools(url)).rejects.toMatchObject({
    message: expect.stringContaining('did not answer as expected'),
  });
  expect(answers.length).toBeLessThanOrEqual(100);
});

it('reads no endless list of tools', async () => {
  let pages = 0;
  const description = 'x'.repeat(1024 * 1024);
  const { url } = await hostile((id, response) => {
    pages += 1;
    const tools = [{ name: `t${pages}`, description, inputSchema: { type: 'object' } }];
    send(response, { id, result: { tools, nextCursor: `${pages}` } });
  });
  await expect(listTools(url)).rejects.toMatchObject({
    message: expect.stringContaining('The list of tools has more than'),
  });
  expect(pages).toBe(4);
});

it('leaves out tools with names that no model takes', async () => {
  const tool = (name: string) => ({ name, inputSchema: { type: 'object' } });
  const { url } = await hostile((id, response) =>
    send(response, { id, result: { tools: [tool('n'.repeat(100_000)), tool('one')] } }),
  );
  expect((await listTools(url)).map(({ name }) => name)).toEqual(['one']);
});
