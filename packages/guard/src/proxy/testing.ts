import * as http from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { blockOutside } from '../wire/testing.ts';
import { createGuardProxy, type GuardProxyOptions } from './proxy.ts';

/** A request as the upstream of a test got it. */
export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

/** A response as the client of a test got it. `cut`: the connection broke off. */
export interface Got {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
  readonly cut: boolean;
}

export interface TestProxy {
  readonly port: number;
  readonly upstream: URL;
  readonly asked: Asked[];
  send(path: string, options?: http.RequestOptions & { readonly body?: string }): Promise<Got>;
  /** Sends a chat request. */
  chat(body?: object, headers?: http.OutgoingHttpHeaders): Promise<Got>;
  health(): Promise<Record<string, unknown>>;
  close(): void;
}

export const CHAT = '/v1/chat/completions';

/**
 * A proxy before an upstream that answers with `answer`, until the test ends. Judges with `blockOutside` unless the
 * options say otherwise.
 */
export async function openTestProxy(
  answer: (asked: Asked, response: http.ServerResponse, count: number) => void,
  options: Partial<GuardProxyOptions> & { readonly server?: (upstream: URL) => http.Server } = {},
): Promise<TestProxy> {
  const asked: Asked[] = [];
  const upstream = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const one = { method, url, headers, body: Buffer.concat(chunks).toString() };
      answer(one, response, asked.push(one));
    });
  });
  const url = new URL(`http://127.0.0.1:${await listen(upstream)}`);
  const judge = { judge: blockOutside, enforce: true };
  const server =
    options.server?.(url) ?? createGuardProxy({ upstreams: [{ prefix: '', url }], judgeFor: () => judge, ...options });
  const port = await listen(server);
  const send: TestProxy['send'] = (path, { body, ...rest } = {}) =>
    new Promise((resolve, reject) => {
      const request = http.request({ host: '127.0.0.1', port, path, agent: false, ...rest }, (response) => {
        const chunks: Buffer[] = [];
        const done = (cut: boolean): void =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks).toString(),
            cut,
          });
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => done(false)).on('error', () => done(true));
      });
      request.on('error', reject);
      request.end(body);
    });
  const close = () => {
    for (const one of [server, upstream]) {
      one.close();
      one.closeAllConnections();
    }
  };
  onTestFinished(close);
  return {
    port,
    upstream: url,
    asked,
    send,
    chat: (body = {}, headers = {}) =>
      send(CHAT, { method: 'POST', headers, body: JSON.stringify({ model: 'm', messages: [], ...body }) }),
    health: async () => JSON.parse((await send('/healthz')).body) as Record<string, unknown>,
    close,
  };
}

async function listen(server: http.Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** A completion in one piece that calls `w` with each of these arguments. */
export function completion(...calls: readonly string[]): string {
  const tool_calls = calls.map((args, n) => ({
    id: `c${n}`,
    type: 'function',
    function: { name: 'w', arguments: args },
  }));
  const message = { role: 'assistant', content: 'hi', ...(calls.length > 0 && { tool_calls }) };
  return JSON.stringify({ id: 'x', choices: [{ index: 0, message, finish_reason: 'stop' }] });
}

/** Sends a body as JSON. */
export function sendJson(response: http.ServerResponse, body: string, headers: http.OutgoingHttpHeaders = {}): void {
  response.writeHead(200, { 'Content-Type': 'application/json', ...headers });
  response.end(body);
}

/** Begins a stream of events. */
export function beginSse(response: http.ServerResponse, bytes: Buffer | string, sent = (): void => {}): void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  response.write(bytes, sent);
}
