import { PassThrough, Writable } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { afterEach, expect, it, vi } from 'vitest';
import { createServerFactory } from './create-server.ts';
import { serveStdio, type StdioOptions } from './serve-stdio.ts';

let served: { close(): Promise<void> } | undefined;
afterEach(() => served?.close());

/** A server over streams. `next` gives the next line that it writes. */
function serve(options: StdioOptions = {}) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const lines: string[] = [];
  output.on('data', (chunk: Buffer) => lines.push(...chunk.toString().split('\n').filter(Boolean)));
  const factory = createServerFactory({ name: 'files', version: '7' }, () => ({ tools: [] }));
  served = serveStdio(factory, { input, output, ...options });
  return {
    input,
    send: (message: object) => input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`),
    next: () => vi.waitFor(() => JSON.parse((lines.shift() as string | undefined) ?? 'none yet'), { interval: 1 }),
    lines,
  };
}

const hello = {
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
};

it('serves one connection over the streams that it is given', async () => {
  const { send, next } = serve();
  send(hello);
  expect(await next()).toMatchObject({ id: 1, result: { serverInfo: { name: 'files', version: '7' } } });
  send({ id: 2, method: 'tools/list' });
  expect(await next()).toMatchObject({ id: 2, result: { tools: [] } });
});

it('answers a line that is not a message with an error, and goes on', async () => {
  const { input, send, next } = serve();
  input.write('this is not JSON\n');
  expect(await next()).toHaveProperty('error');
  send(hello);
  expect(await next()).toMatchObject({ id: 1, result: {} });
});

it('lets the shortcut answer before the protocol library', async () => {
  const shortcut = {
    answer: (message: JSONRPCMessage) =>
      'method' in message && message.method === 'tools/call' && 'id' in message
        ? { jsonrpc: '2.0' as const, id: message.id, result: { quick: true } }
        : undefined,
    sent: () => undefined,
    takeCall: () => undefined,
  };
  const { send, next } = serve({ shortcut });
  send(hello);
  await next();
  send({ id: 2, method: 'tools/call', params: { name: 'any' } });
  expect(await next()).toEqual({ jsonrpc: '2.0', id: 2, result: { quick: true } });
});

it('tells the operator about a response that cannot be written', async () => {
  const errors: string[] = [];
  const { send } = serve({
    onError: (error) => errors.push(error.message),
    output: new Writable({ write: (_chunk, _encoding, done) => done(new Error('the pipe is broken')) }),
  });
  send(hello);
  await vi.waitFor(() => expect(errors.join()).toContain('the pipe is broken'), { interval: 1 });
});

it('answers an open subscription when the input ends', async () => {
  const { input, send, next } = serve();
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'c', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  send({ id: 1, method: 'subscriptions/listen', params: { _meta, notifications: { toolsListChanged: true } } });
  expect(await next()).toMatchObject({ method: 'notifications/subscriptions/acknowledged' });
  input.end();
  expect(await next()).toMatchObject({ id: 1, result: {} });
});
