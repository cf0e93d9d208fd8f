import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import * as http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Answers a request once it is complete. */
export type Answer = (res: http.ServerResponse, req: http.IncomingMessage) => void;

/** A built guard in a process of its own, and an upstream in this one. */
export interface GuardedProcess {
  readonly url: string;
  /** Requests that reached the upstream. */
  readonly requests: () => number;
  /** Sets the upstream's reply to all later requests. */
  answer(answer: Answer): void;
  /** The guard's peak memory since its start minus the memory at the start, in megabytes. */
  peakRise(): Promise<number>;
  /** The guard's own report: open requests, bytes held. */
  health(): Promise<{ readonly open: number; readonly held: number }>;
  /** Waits until nothing is open or held. Returns the last report if that takes too long. */
  settled(): Promise<{ readonly open: number; readonly held: number }>;
  close(): Promise<void>;
}

/** Starts a guard with these limits. `eager`: the upstream answers before it has read the request. */
export async function startGuardedProcess(
  limits: Readonly<Record<string, number>> = {},
  { eager = false } = {},
): Promise<GuardedProcess> {
  let answer: Answer = (res) => res.end('{}');
  let requests = 0;
  const upstream = http.createServer((req, res) => {
    requests++;
    if (eager) return answer(res, req);
    req.resume();
    req.on('end', () => answer(res, req));
  });
  upstream.listen(0, '127.0.0.1', 4_096);
  await once(upstream, 'listening');
  const root = mkdtempSync(join(tmpdir(), 'croft-limits-'));
  const options = { upstream: `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`, root, limits };
  const script = fileURLToPath(new URL('guard-process.mjs', import.meta.url));
  // Without the flags of the process that runs the tests. With a small young generation: what the collector has not yet
  // freed, which depends on the machine, is then 10 to 40 MB instead of up to 90.
  const child = fork(script, [JSON.stringify(options)], { execArgv: ['--max-semi-space-size=2'] });
  const ended = once(child, 'exit').then(([code]) => Promise.reject(new Error(`the guard ended with ${String(code)}`)));
  const [{ port }] = (await Promise.race([once(child, 'message'), ended])) as [{ port: number }];
  ended.catch(() => {});
  const url = `http://127.0.0.1:${port}`;
  const before = await peakOf(child);
  const health = async () => (await (await fetch(`${url}/healthz`)).json()) as { open: number; held: number };
  return {
    url,
    requests: () => requests,
    answer: (next) => {
      answer = next;
    },
    peakRise: async () => (await peakOf(child)) - before,
    health,
    settled: async () => {
      for (let tries = 0; ; tries++) {
        const { open, held } = await health();
        if ((open === 0 && held === 0) || tries === 100) return { open, held };
        await new Promise((done) => setTimeout(done, 20));
      }
    },
    close: async () => {
      child.kill();
      await ended.catch(() => {});
      upstream.closeAllConnections();
      upstream.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

async function peakOf(child: ChildProcess): Promise<number> {
  child.send('memory');
  const [{ peakMb }] = (await once(child, 'message')) as [{ peakMb: number }];
  return peakMb;
}

/**
 * Writes pieces as fast as the receiver takes them, until there are no more or the receiver disconnects. Returns the
 * number of bytes written.
 */
export function writeAll(to: http.ServerResponse | http.ClientRequest, pieces: Iterable<string>): Promise<number> {
  let written = 0;
  const source = pieces[Symbol.iterator]();
  return new Promise((done) => {
    const more = () => {
      for (;;) {
        const next = source.next();
        if (next.done || to.destroyed) return done(written);
        written += next.value.length;
        if (!to.write(next.value)) return;
      }
    };
    to.on('drain', more);
    to.on('close', () => done(written));
    more();
  });
}

/** A reply as a client receives it, with the way it ended. */
export interface Got {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
  readonly ended: 'whole' | 'cut';
}

/** Requests a streamed completion without a client library. */
export function ask(
  url: string,
  agent?: http.Agent,
  headers: http.OutgoingHttpHeaders = {},
): { readonly request: http.ClientRequest; readonly got: Promise<Got> } {
  const request = http.request(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    ...(agent && { agent }),
  });
  const got = new Promise<Got>((resolve, reject) => {
    request.on('error', reject);
    request.on('response', (reply) => {
      const chunks: Buffer[] = [];
      const end = (ended: Got['ended']) => () =>
        resolve({
          status: reply.statusCode ?? 0,
          headers: reply.headers,
          text: Buffer.concat(chunks).toString(),
          ended,
        });
      reply.on('data', (chunk: Buffer) => chunks.push(chunk));
      reply.on('end', end('whole'));
      reply.on('error', end('cut'));
    });
  });
  request.end(JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: 'go' }] }));
  return { request, got };
}
