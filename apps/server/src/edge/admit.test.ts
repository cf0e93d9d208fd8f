import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { trustedProxies } from './addresses.ts';
import { admit } from './admit.ts';
import { originRule } from './own-origin.ts';

let server: Server;
let port: number;

beforeAll(async () => {
  server = createServer((incoming, response) => {
    const options = {
      basePath: '/croft/',
      proxies: trustedProxies([]),
      originRule: originRule({ host: '127.0.0.1', publicUrl: undefined, allowedOrigins: ['https://page.example'] }),
    };
    if (admit(incoming, response, options)) response.end(incoming.url);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => server.close());

function send(path: string, headers: Record<string, string> = {}, method = 'GET') {
  return new Promise<{ status: number; headers: Record<string, unknown>; body: string }>((resolve, reject) => {
    const options = { port, host: '127.0.0.1', path, method, headers: { host: `localhost:${port}`, ...headers } };
    const sent = request(options, (answer) => {
      let body = '';
      answer.on('data', (chunk: Buffer) => (body += chunk.toString()));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body }));
    });
    sent.on('error', reject).end();
  });
}

describe('a request at the edge', () => {
  it('loses the base path and gets the headers of every response', async () => {
    const { status, body, headers } = await send('/croft/api/v1');
    expect([status, body]).toEqual([200, '/api/v1']);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['access-control-allow-origin']).toBeUndefined();
  });

  it('with the Host or Origin of another server is refused before routing', async () => {
    for (const headers of [{ host: 'evil.example' }, { origin: 'https://evil.example' }] as Record<string, string>[]) {
      const { status, headers: sent, body } = await send('/croft/api/v1', headers);
      expect(status).toBe(403);
      expect(JSON.parse(body)).toEqual({
        error: { code: 'not_allowed', message: expect.stringContaining('not allowed') },
      });
      expect(sent['content-type']).toBe('application/json');
      expect(sent['cache-control']).toBe('no-store');
      expect(sent['x-content-type-options']).toBe('nosniff');
    }
  });

  it('for MCP is refused with an error of JSON-RPC', async () => {
    for (const path of ['/croft/mcp', '/mcp?x', '/mcp/flows'])
      expect(JSON.parse((await send(path, { host: 'evil.example' })).body)).toMatchObject({ jsonrpc: '2.0' });
    expect(JSON.parse((await send('/mcpx', { host: 'evil.example' })).body)).not.toHaveProperty('jsonrpc');
  });

  it('of an allowed origin may read responses, never with cookies; its preflight ends here', async () => {
    const origin = 'https://page.example';
    const { status, headers } = await send('/croft/api/v1', { origin });
    expect([status, headers['access-control-allow-origin'], headers['vary']]).toEqual([200, origin, 'Origin']);
    expect(Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control-')))).toEqual({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers':
        'authorization, content-type, x-croft, range, if-range, mcp-session-id, mcp-protocol-version',
      'access-control-expose-headers': 'mcp-session-id, retry-after, accept-ranges, content-range, etag',
      'access-control-max-age': '600',
    });
    const preflight = await send('/croft/api/v1', { origin }, 'OPTIONS');
    expect([preflight.status, preflight.body]).toEqual([204, '']);
    expect((await send('/croft/api/v1', {}, 'OPTIONS')).status).toBe(200);
    const own = `http://localhost:${port}`;
    expect((await send('/croft/api/v1', { origin: own }, 'OPTIONS')).headers).not.toHaveProperty('vary');
  });
});
