import * as http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach } from 'vitest';
import type { DecisionEvent } from '../../../packages/guard/src/proxy/exchange.ts';
import type { RequestJudge } from '../../../packages/guard/src/proxy/guarded-request.ts';
import { createGuardProxy, type GuardProxyOptions } from '../../../packages/guard/src/proxy/proxy.ts';
import { blockOutside } from '../../../packages/guard/src/wire/testing.ts';

/** A reply of the fake upstream. */
export interface FakeReply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** In pieces: each is written separately, in its own turn of the event loop. */
  readonly body: string | Buffer | readonly (string | Buffer)[];
  /**
   * After the body the connection is cut, or (`'stall'`) stays open without further data, instead of ending normally.
   */
  readonly cut?: boolean | 'stall';
}

export interface FakeRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

export interface FakeUpstream {
  readonly url: string;
  readonly requests: FakeRequest[];
  /** Replies in order; the last one is repeated. */
  replies: FakeReply[];
  close(): Promise<void>;
}

/** Starts a server that replays replies and records the requests. */
export async function startFakeUpstream(): Promise<FakeUpstream> {
  const requests: FakeRequest[] = [];
  const server = http.createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const { method = '', url = '', headers } = req;
      requests.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
      const reply = upstream.replies.length > 1 ? upstream.replies.shift() : upstream.replies[0];
      void send(res, reply ?? { status: 500, body: '{"error":{"message":"no reply"}}' });
    });
  });
  const url = await listen(server);
  const upstream: FakeUpstream = { url, requests, replies: [], close: () => close(server) };
  return upstream;
}

async function send(res: http.ServerResponse, reply: FakeReply): Promise<void> {
  res.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers });
  const pieces = Array.isArray(reply.body) ? (reply.body as readonly (string | Buffer)[]) : [reply.body as string];
  for (const piece of pieces) {
    res.write(piece);
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (reply.cut === 'stall') return;
  if (reply.cut) setTimeout(() => res.destroy(), 20);
  else res.end();
}

export interface GuardedPair {
  readonly upstream: FakeUpstream;
  /** The guard's origin. */
  readonly url: string;
  readonly decisions: DecisionEvent[];
  close(): Promise<void>;
}

/** A fake upstream behind a guard that blocks calls naming `/etc/` or `.ssh`. */
export async function startGuarded(options: Partial<GuardProxyOptions> = {}): Promise<GuardedPair> {
  const upstream = await startFakeUpstream();
  const decisions: DecisionEvent[] = [];
  const proxy = createGuardProxy({
    upstreams: [{ prefix: '', url: new URL(upstream.url) }],
    judgeFor: (): RequestJudge => ({ judge: blockOutside, enforce: true }),
    onDecision: (event) => decisions.push(event),
    ...options,
  });
  const url = await listen(proxy);
  return {
    upstream,
    url,
    decisions,
    close: async () => {
      await close(proxy);
      await upstream.close();
    },
  };
}

/** Gives each test a guarded upstream of its own, and closes it after the test. */
export function useGuarded(setUp: (pair: GuardedPair) => void): void {
  let pair: GuardedPair;
  beforeEach(async () => {
    pair = await startGuarded();
    setUp(pair);
  });
  afterEach(() => pair.close());
}

function listen(server: http.Server): Promise<string> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });
}

function close(server: http.Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}

/** SSE frames of payloads; strings are used unchanged. */
export function sseOf(payloads: readonly (object | string)[]): string[] {
  return payloads.map((payload) => `data: ${typeof payload === 'string' ? payload : JSON.stringify(payload)}\n\n`);
}
