import type { ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Decision, ObservedCall } from '../decision.ts';
import { type McpHttpAdapter, openMcpHttpAdapter } from './mcp-http-adapter.ts';
import { type Asked, openEndpoint } from './testing.ts';

let endpoint: Awaited<ReturnType<typeof openEndpoint>>;
let asked: Asked[];
let answer: (asked: Asked, response: ServerResponse) => void;
let adapters: McpHttpAdapter[];

beforeEach(async () => {
  asked = [];
  adapters = [];
  endpoint = await openEndpoint((one, response) => {
    asked.push(one);
    answer(one, response);
  });
});
afterEach(() => {
  for (const adapter of adapters) adapter.close();
  endpoint.close();
});

const json = (response: ServerResponse, value: unknown, headers: Record<string, string> = {}, status = 200): void => {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
  response.end(typeof value === 'string' ? value : JSON.stringify(value));
};

const BLOCK: Decision = { decision: 'block', reason: 'Outside', rule: 'outside-path', paths: [], accepted: '' };
const ALLOW: Decision = { ...BLOCK, decision: 'allow', rule: 'allowed' };
const judge = ({ arguments: args }: ObservedCall): Decision => (String(args).includes('/etc') ? BLOCK : ALLOW);

const open = (more: { headers?: Record<string, string>; maxMessageBytes?: number } = {}) => {
  const input = new PassThrough();
  const output = new PassThrough();
  let said = '';
  output.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const errors: string[] = [];
  const adapter = openMcpHttpAdapter({
    url: endpoint.url,
    input,
    output,
    judge,
    mode: 'enforce',
    onError: ({ message }) => errors.push(message),
    ...more,
  });
  adapters.push(adapter);
  const lines = () => said.split('\n').slice(0, -1);
  return {
    adapter,
    input,
    errors,
    lines,
    async until(count: number) {
      await expect.poll(() => lines().length).toBeGreaterThanOrEqual(count);
      return lines().map((line) => JSON.parse(line) as { id?: unknown; error?: { message: string }; result?: object });
    },
  };
};
const line = (value: object) => `${JSON.stringify({ jsonrpc: '2.0', ...value })}\n`;
const call = (id: number, path: string) =>
  line({ id, method: 'tools/call', params: { name: 'w', arguments: { path } } });

describe('the adapter of an MCP server over HTTP', () => {
  it('keeps the session and its version, listens once it is open, and ends it', async () => {
    answer = ({ method, body }, response) => {
      if (method === 'GET') {
        response.writeHead(200, { 'Content-Type': 'text/event-stream' });
        response.write(
          ': hello\n\nevent: message\ndata: {"jsonrpc":"2.0",\ndata: "method":"notifications/unasked"}\n\n',
        );
        return;
      }
      if (method === 'DELETE') return void response.writeHead(204).end();
      const { id } = JSON.parse(body) as { id?: number };
      if (id === undefined) return void response.writeHead(202).end();
      json(response, { jsonrpc: '2.0', id, result: { protocolVersion: '2025-11-25' } }, { 'Mcp-Session-Id': 's1' });
    };
    const { adapter, input, until } = open({ headers: { Authorization: 'Bearer k' } });
    input.write(line({ id: 1, method: 'initialize', params: {} }));
    await until(1);
    input.write(line({ method: 'notifications/initialized' }));
    expect((await until(2))[1]).toEqual({ jsonrpc: '2.0', method: 'notifications/unasked' });
    input.end();
    await adapter.ended;
    expect(
      asked.map(({ method, headers }) => [method, headers['mcp-session-id'], headers['mcp-protocol-version']]),
    ).toEqual([
      ['POST', undefined, undefined],
      ['POST', 's1', '2025-11-25'],
      ['GET', 's1', '2025-11-25'],
      ['DELETE', 's1', '2025-11-25'],
    ]);
    for (const { headers } of asked) expect(headers.authorization).toBe('Bearer k');
  });

  it('answers a blocked call itself, sends the bytes of the others, and reads a stream to its result', async () => {
    answer = (_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8' });
      const event = Buffer.from(
        'data: {"jsonrpc":"2.0","method":"notifications/progress"}\r\n\r\nid: 4\ndata: {"jsonrpc":"2.0","id":2,"result":{"é":1}}\n\n',
      );
      for (const byte of event) response.write(Buffer.from([byte]));
      response.end();
    };
    const { adapter, input, until } = open();
    input.write(call(1, '/etc/x'));
    input.end(call(2, 'a\u00e9'));
    await adapter.ended;
    const messages = await until(3);
    expect(messages.find(({ id }) => id === 1)?.result).toMatchObject({ isError: true });
    expect(messages.find(({ id }) => id === 2)?.result).toEqual({ é: 1 });
    expect(asked.map(({ body }) => body)).toEqual([call(2, 'a\u00e9').trim()]);
  });

  it('names a request of the newer era in headers', async () => {
    answer = ({ body }, response) =>
      json(response, { jsonrpc: '2.0', id: (JSON.parse(body) as { id: number }).id, result: {} });
    const { adapter, input } = open();
    const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
    input.end(
      line({ id: 1, method: 'tools/call', params: { name: 'schreib_ß', arguments: {}, _meta } }) +
        line({ id: 2, method: 'tools/call', params: { name: 'write', arguments: {}, _meta } }),
    );
    await adapter.ended;
    const names = asked.map(({ headers }) => [
      headers['mcp-protocol-version'],
      headers['mcp-method'],
      headers['mcp-name'],
    ]);
    expect(names).toContainEqual([
      '2026-07-28',
      'tools/call',
      `=?base64?${Buffer.from('schreib_ß').toString('base64')}?=`,
    ]);
    expect(names).toContainEqual(['2026-07-28', 'tools/call', 'write']);
  });

  it.each([
    [
      'a status',
      (response: ServerResponse) => void response.writeHead(404).end('gone'),
      'The server answered with status 404',
    ],
    [
      'no result',
      (response: ServerResponse) => void response.writeHead(202).end(),
      'The server ended its answer without a result',
    ],
    [
      'a redirect',
      (response: ServerResponse) => void response.writeHead(307, { Location: 'http://127.0.0.1:1/' }).end(),
      'The server answered with status 307',
    ],
    [
      'a cut stream',
      (response: ServerResponse) => {
        response.writeHead(200, { 'Content-Type': 'text/event-stream' });
        response.write('data: {"jsonrpc"', () => response.destroy());
      },
      'The server cannot be reached',
    ],
    [
      'more than is kept',
      (response: ServerResponse) => json(response, `"${'x'.repeat(5_000)}"`),
      'The server said more at once than is kept',
    ],
    [
      "the protocol's own error",
      (response: ServerResponse) =>
        json(response, { jsonrpc: '2.0', id: 1, error: { code: -1, message: 'own' } }, {}, 400),
      'own',
    ],
  ])('answers a waiting request with an error if the server responds with %s', async (_, respond, message) => {
    answer = (_asked, response) => respond(response);
    const { adapter, input, until } = open({ maxMessageBytes: 4_000 });
    input.end(line({ id: 1, method: 'ping' }));
    await adapter.ended;
    const messages = await until(1);
    expect(messages).toHaveLength(1);
    expect(messages[0]?.error?.message).toContain(message);
  });

  it('joins a message that a server wrote on several lines', async () => {
    answer = (_, response) =>
      json(response, '{\n  "jsonrpc": "2.0",\r\n  "id": 12345678901234567890,\n  "result": {}\n}\n');
    const { input, lines } = open();
    input.write('{"jsonrpc":"2.0","id":12345678901234567890,"method":"ping"}\n');
    await expect.poll(() => lines()[0]).toMatch(/"id": 12345678901234567890,/);
  });
});
