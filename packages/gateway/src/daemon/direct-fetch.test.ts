import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Answer } from './fetch-answer.ts';
import { directFetch } from './direct-fetch.ts';

let server: Server;
let url: string;
let sockets: Set<Socket>;
let respond: (path: string, body: string, res: ServerResponse) => void;

beforeEach(async () => {
  sockets = new Set();
  respond = (_path, body, res) => res.end(body);
  server = createServer((req, res) => {
    let body = '';
    req.on('data', (part: Buffer) => {
      body += part.toString();
    });
    req.on('end', () => respond(req.url ?? '', body, res));
  });
  server.on('connection', (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const ask = (signal = new AbortController().signal, body?: string) => ({
  ...(body !== undefined && { method: 'POST' as const, body }),
  headers: {},
  signal,
});

async function textOf({ body }: Answer): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of body ?? []) parts.push(part);
  return Buffer.concat(parts).toString();
}

describe('a direct request', () => {
  it('is answered with status, headers and body, over one kept connection', async () => {
    const fetch = directFetch();
    respond = (_path, body, res) => res.writeHead(201, { 'Retry-After': '3' }).end(`got ${body}`);
    for (let i = 0; i < 3; i++) {
      const answer = await fetch(`${url}/x`, ask(undefined, 'häh'));
      expect([answer.status, answer.headers.get('retry-after'), answer.headers.get('location')]).toEqual([
        201,
        '3',
        null,
      ]);
      expect(await textOf(answer)).toBe('got häh');
    }
    expect(sockets.size).toBe(1);
  });

  it('has the headers that are given, the length of its body, and a method', async () => {
    const seen: unknown[] = [];
    server.prependListener('request', ({ method, headers }: IncomingMessage) =>
      seen.push([method, headers['x-key'], headers['content-length']]),
    );
    const headers = { 'x-key': 'k' };
    await textOf(await directFetch()(url, { ...ask(undefined, 'häh'), headers }));
    await textOf(await directFetch()(url, { ...ask(), headers }));
    expect(seen).toEqual([
      ['POST', 'k', '4'],
      ['GET', 'k', undefined],
    ]);
  });

  it('is not sent if it was cancelled before', async () => {
    await expect(directFetch()(url, ask(AbortSignal.abort()))).rejects.toMatchObject({
      name: 'AbortError',
      message: 'The request was cancelled',
    });
    expect(sockets.size).toBe(0);
  });

  it('succeeds if the server closes an idle connection just when it is reused', async () => {
    const fetch = directFetch();
    await textOf(await fetch(url, ask()));
    let seen = 0;
    respond = (_path, _body, res) => {
      if (seen++ === 0) res.socket?.resetAndDestroy();
      else res.end('again');
    };
    expect(await textOf(await fetch(url, ask()))).toBe('again');
    expect(seen).toBe(2);
  });

  it('fails with the cause if nothing listens, or if a first connection is cut', async () => {
    respond = (_path, _body, res) => res.socket?.resetAndDestroy();
    await expect(directFetch()(url, ask())).rejects.toMatchObject({ code: 'ECONNRESET' });
    const { port } = new URL(url);
    await new Promise((resolve) => server.close(resolve));
    await expect(directFetch()(`http://127.0.0.1:${port}`, ask())).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('ends when it is cancelled, before the response and in the middle of it', async () => {
    respond = (path, _body, res) => void (path === '/begun' && res.write('begun'));
    const early = new AbortController();
    const waiting = directFetch()(`${url}/silent`, ask(early.signal));
    early.abort();
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
    const late = new AbortController();
    const answer = await directFetch()(`${url}/begun`, ask(late.signal));
    const reading = textOf(answer);
    late.abort();
    await expect(reading).rejects.toThrow();
  });
});
