import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { decodedReply, openRequest, passedHeaders, ROOT_HEADER, UNREACHABLE, UpstreamAgents } from './upstream.ts';

describe('the headers to forward', () => {
  it('are those that do not belong to the connection, as they were written', () => {
    const raw = ['Host', 'h', 'X-A', '1', 'x-a', '2', 'Connection', 'keep-alive', 'TE', 't', 'Trailer', 't'];
    expect(passedHeaders([...raw, 'Upgrade', 'u', 'X-Croft-Root', '/p'], new Set(['host']))).toEqual([
      'X-A',
      '1',
      'x-a',
      '2',
    ]);
    for (const name of [
      'keep-alive',
      'proxy-connection',
      'proxy-authenticate',
      'proxy-authorization',
      'transfer-encoding',
      ROOT_HEADER,
    ])
      expect(passedHeaders([name, 'v', 'a', 'b'], new Set()), name).toEqual(['a', 'b']);
  });

  it('are not those that the connection header names', () => {
    expect(
      passedHeaders(['X-One', '1', 'Connection', 'close, X-One ,x-two', 'X-Two', '2', 'X-3', '3'], new Set()),
    ).toEqual(['X-3', '3']);
  });
});

describe('the bytes of a reply', () => {
  const decode = async (coding: string | undefined, bytes: Buffer) => {
    const reply = Object.assign(new PassThrough(), {
      headers: coding === undefined ? {} : { 'content-encoding': coding },
    });
    const decoded = decodedReply(reply as unknown as IncomingMessage);
    if (decoded === undefined) return undefined;
    reply.end(bytes);
    const chunks: Buffer[] = [];
    for await (const chunk of decoded) chunks.push(chunk as Buffer);
    return [Buffer.concat(chunks).toString(), (decoded as unknown) === reply];
  };
  const text = Buffer.from('hello');

  it.each<[string | undefined, Buffer, boolean]>([
    [undefined, text, true],
    [' Identity ', text, true],
    ['', text, true],
    ['gzip', gzipSync(text), false],
    ['x-gzip', gzipSync(text), false],
    ['deflate', deflateSync(text), false],
    ['br', brotliCompressSync(text), false],
  ])('are decoded: %s', async (coding, bytes, isSame) => {
    expect(await decode(coding, bytes)).toEqual(['hello', isSame]);
  });

  it('are unknown in another coding', async () => {
    expect(await decode('zstd', text)).toBeUndefined();
    expect(await decode('gzip, br', text)).toBeUndefined();
  });

  it('fail with the reply', async () => {
    const reply = Object.assign(new PassThrough(), { headers: { 'content-encoding': 'gzip' } });
    const decoded = decodedReply(reply as unknown as IncomingMessage);
    reply.emit('aborted');
    const [error] = (await once(decoded as PassThrough, 'error')) as [Error];
    expect([error.message, reply.destroyed]).toEqual(['aborted', true]);
    const broken = Object.assign(new PassThrough(), { headers: { 'content-encoding': 'br' } });
    const failing = decodedReply(broken as unknown as IncomingMessage) as PassThrough;
    const failure = once(failing, 'error');
    broken.destroy(new Error('reset'));
    expect(((await failure) as [Error])[0].message).toBe('reset');
  });
});

describe('a request to an upstream', () => {
  const closes: (() => void)[] = [];
  afterEach(() => {
    for (const close of closes.splice(0)) close();
  });

  async function openUpstream(idleMs: number, answer: Parameters<typeof createServer>[1]) {
    const server = createServer(answer as never);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const agents = new UpstreamAgents(idleMs);
    closes.push(() => {
      agents.close();
      server.close();
      server.closeAllConnections();
    });
    const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    return { agents, url };
  }

  it('has the method, the path, the headers and the host of the upstream', async () => {
    const { agents, url } = await openUpstream(1_000, ((
      request: IncomingMessage,
      response: { end(text: string): void },
    ) =>
      response.end(
        JSON.stringify([request.method, request.url, request.headers.host, request.headers['x-a']]),
      )) as never);
    const request = openRequest(agents, { prefix: '', url }, 'PUT', '/p?q', ['X-A', '1']);
    request.end();
    const [reply] = (await once(request, 'response')) as [IncomingMessage];
    expect(JSON.parse(Buffer.concat(await reply.toArray()).toString())).toEqual(['PUT', '/p?q', url.host, '1']);
  });

  it('keeps its connection for the next one, until the agents are closed', async () => {
    const sockets = new Set<unknown>();
    const { agents, url } = await openUpstream(1_000, ((request: IncomingMessage, response: { end(): void }) => {
      sockets.add(request.socket);
      response.end();
    }) as never);
    let request = openRequest(agents, { prefix: '', url }, 'GET', '/', []);
    for (let round = 0; round < 2; round += 1) {
      if (round > 0) request = openRequest(agents, { prefix: '', url }, 'GET', '/', []);
      request.end();
      const [reply] = (await once(request, 'response')) as [IncomingMessage];
      reply.resume();
      await once(request, 'close');
    }
    expect(sockets.size).toBe(1);
    const closed = once(request.socket as NonNullable<typeof request.socket>, 'close');
    agents.close();
    await closed;
    expect(agents.idleMs).toBe(1_000);
  });

  it('fails as idle if the upstream is silent, before a reply and in it', async () => {
    const { agents, url } = await openUpstream(50, ((
      request: IncomingMessage,
      response: { write(text: string): void },
    ) => (request.url === '/reply' ? response.write('x') : undefined)) as never);
    const silent = openRequest(agents, { prefix: '', url }, 'GET', '/', []);
    silent.end();
    expect(((await once(silent, 'error')) as [Error])[0].message).toBe('idle');
    const begun = openRequest(agents, { prefix: '', url }, 'GET', '/reply', []);
    begun.on('error', () => {});
    begun.end();
    const [reply] = (await once(begun, 'response')) as [IncomingMessage];
    reply.resume();
    expect(((await once(reply, 'error')) as [Error])[0].message).toBe('idle');
  });

  it('uses one agent for each URL object, with the port of its protocol', () => {
    const agents = new UpstreamAgents(1_000);
    closes.push(() => agents.close());
    const [plain, secure, v6] = ['http://a.test', 'https://a.test:8443', 'https://[::1]/x'].map((text) =>
      agents.of(new URL(text)),
    );
    expect([plain?.port, plain?.hostname, plain?.host]).toEqual([80, 'a.test', 'a.test']);
    expect([secure?.port, secure?.host]).toEqual(['8443', 'a.test:8443']);
    expect([v6?.port, v6?.hostname]).toEqual([443, '::1']);
    const url = new URL('http://a.test');
    expect(agents.of(url)).toBe(agents.of(url));
    expect(agents.of(url)).not.toBe(agents.of(new URL('http://a.test')));
  });
});

it('names an unreachable upstream without its host', () => {
  expect(UNREACHABLE).toBe(
    'The upstream of this guard cannot be reached. Check the network, and the address that the guard was started with (--upstream).',
  );
  expect(ROOT_HEADER).toBe('x-croft-root');
});
