// A server that exists only in memory, for developing the studio and for its own tests. Never part of a build.
import { readFileSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { FakeError } from './fake-error.ts';
import { answer, type FakeRequest } from './fake-routes.ts';
import { type FakeOptions, FakeState } from './fake-state.ts';

/** As the real server sends it. */
const POLICY =
  "default-src 'self'; connect-src 'self' http://127.0.0.1:7655 http://localhost:7655; object-src 'none'; frame-ancestors 'none'; form-action 'self'";
const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The fake, to be put into any node server. */
export function createFake(options: FakeOptions = {}) {
  const state = new FakeState(options);
  const base = options.basePath ?? '/';
  return {
    state,
    /** Answers what is an endpoint, and the studio where one was given. False: it was neither. */
    async handle(req: IncomingMessage, res: ServerResponse): Promise<boolean> {
      const url = new URL(req.url ?? '/', 'http://fake');
      if (!url.pathname.startsWith(base)) return false;
      const path = url.pathname.slice(base.length);
      if (path === 'api/v1/events' && userOf(state, req)) return follow(state, req, res);
      const body = req.method === 'GET' ? Buffer.alloc(0) : await readBody(req);
      if (options.delayMs && path.startsWith('api/')) await sleep(options.delayMs);
      try {
        if (state.failing?.test(`${req.method} ${path}`))
          throw new FakeError(500, 'broken', 'The fake server was told to fail here.');
        checkWrite(req, path);
        const request: FakeRequest = {
          method: req.method ?? 'GET',
          path,
          query: url.searchParams,
          body,
          json: () => JSON.parse(body.toString() || '{}') as Record<string, unknown>,
          user: userOf(state, req),
        };
        const found = answer(state, request);
        if (!found) return serveStudio(options, path, base, res);
        const type = found.bytes ? {} : { 'Content-Type': 'application/json' };
        res.writeHead(found.status ?? 200, { ...type, ...found.headers });
        res.end(found.bytes ?? JSON.stringify(found.json));
      } catch (error) {
        if (!(error instanceof FakeError)) throw error;
        const { code, message, status, headers } = error;
        res.writeHead(status, { 'Content-Type': 'application/json', ...headers });
        res.end(JSON.stringify({ error: { code, message } }));
      }
      return true;
    },
  };
}

/** A fake server on a free port of this machine. */
export async function startFake(options: FakeOptions = {}) {
  const fake = createFake(options);
  const server = createServer((req, res) => {
    fake.handle(req, res).then(
      (handled) => handled || res.writeHead(404).end(),
      (error: unknown) => res.writeHead(500).end(`${error as string}`),
    );
  });
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    state: fake.state,
    url: `http://127.0.0.1:${port}${options.basePath ?? '/'}`,
    /** Ends as a server does whose process ends; `listenAgain` is its next start. */
    async end() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
    listenAgain: () => listen(port),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function userOf(state: FakeState, req: IncomingMessage) {
  const cookie = /croft_session=([^;]+)/.exec(req.headers.cookie ?? '')?.[1];
  const id = state.options.signedIn ? 'u1' : cookie && state.sessions.get(cookie);
  return state.users.find((user) => user.id === id);
}

/** Refuses changes without the headers that a page of the server sends, as the real server does. */
function checkWrite(req: IncomingMessage, path: string) {
  if (req.method === 'GET' || !/^(api|instance-ai)\//.test(path)) return;
  if (req.headers['x-croft'] !== '1' || req.headers['sec-fetch-site'] !== 'same-origin')
    throw new FakeError(403, 'foreign', 'This page may not do this.');
}

async function readBody(req: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of req) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

function follow(state: FakeState, req: IncomingMessage, res: ServerResponse): true {
  if (state.noEvents) {
    res.writeHead(503).end();
    return true;
  }
  res.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' });
  res.write(': hello\n\n');
  state.streams.add(res);
  req.on('close', () => state.streams.delete(res));
  return true;
}

function serveStudio(options: FakeOptions, path: string, base: string, res: ServerResponse): boolean {
  if (!options.studioDir) return false;
  const wanted = join(options.studioDir, normalize(`/${path}`));
  const isFile = path !== '' && (statSync(wanted, { throwIfNoEntry: false })?.isFile() ?? false);
  const file = isFile ? wanted : join(options.studioDir, 'index.html');
  const text = readFileSync(file);
  res.writeHead(200, {
    'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream',
    'Content-Security-Policy': POLICY,
    'X-Content-Type-Options': 'nosniff',
  });
  res.end(isFile ? text : text.toString().replace(/<base href="[^"]*"/, `<base href="${base}"`));
  return true;
}
