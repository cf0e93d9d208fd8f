import { EventEmitter, once } from 'node:events';
import * as http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { keepSockets } from './kept-sockets.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

describe('a connection to an upstream', () => {
  it('is used again, the last one first', async () => {
    const { ask, sockets } = await upstream({});
    await Promise.all([ask(), ask(), ask()]);
    expect(sockets).toHaveLength(3);
    for (let times = 0; times < 5; times++) expect(await ask()).toMatchObject({ body: 'ok', reused: true });
    expect(sockets).toHaveLength(3);
    expect(new Set(sockets.map(({ remotePort }) => remotePort)).size).toBe(3);
  });

  it('is not used again when the server closed it', async () => {
    const { ask, sockets } = await upstream({});
    const first = await ask();
    const closed = once(first.socket as Socket, 'close');
    sockets[0]?.destroy();
    await closed;
    expect(await ask()).toMatchObject({ body: 'ok', reused: false });
  });

  it('is not used again when the server says that it closes at once, nor when the reply ends it', async () => {
    const hinted = await upstream({ headers: { 'Keep-Alive': 'timeout=1' } });
    await hinted.ask();
    expect(await hinted.ask()).toMatchObject({ reused: false });
    const closed = await upstream({ headers: { Connection: 'close' } });
    await closed.ask();
    expect(await closed.ask()).toMatchObject({ reused: false });
  });

  it('is not used again after unexpected input', async () => {
    const { ask, sockets } = await upstream({});
    const { socket } = await ask();
    const before = socket?.bytesRead;
    sockets[0]?.write('HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged');
    await expect.poll(() => socket?.destroyed === true || socket?.bytesRead !== before).toBe(true);
    expect(await ask()).toMatchObject({ body: 'ok', reused: false });
  });

  it('is kept no more than the agent keeps, and goes with the agent', async () => {
    const { ask, agent, sockets } = await upstream({ maxFreeSockets: 2 });
    await Promise.all([ask(), ask(), ask(), ask()]);
    const open = () => sockets.filter((socket) => !socket.closed).length;
    await expect.poll(open).toBe(2);
    agent.destroy();
    await expect.poll(open).toBe(0);
  });
});

/** A socket that reports what happens to it. */
class FakeSocket extends EventEmitter {
  destroyed = false;
  writable = true;
  readable = true;
  bytesRead = 0;
  readonly calls: string[] = [];
  _httpMessage: unknown = { shouldKeepAlive: true };
  destroy = () => {
    this.destroyed = true;
  };
  ref = () => this.calls.push('ref');
  unref = () => this.calls.push('unref');
  setTimeout = (ms: number) => this.calls.push(`timeout ${ms}`);
}

describe('the list of free connections', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  function kept(idleMs = 10_000, maxFreeSockets = 3) {
    const made: unknown[] = [];
    const agent = Object.assign(new EventEmitter(), {
      maxFreeSockets,
      addRequest: (request: unknown, options: unknown) => made.push([request, options]),
    });
    agent.on('free', () => made.push('before'));
    keepSockets(agent as unknown as http.Agent, idleMs);
    const free = (keepAlive?: unknown, shouldKeepAlive = true): FakeSocket => {
      const socket = new FakeSocket();
      socket._httpMessage = { shouldKeepAlive, res: { headers: { 'keep-alive': keepAlive } } };
      agent.emit('free', socket);
      return socket;
    };
    /** The socket of the next request; undefined if it gets a new one. */
    const take = (): FakeSocket | undefined => {
      let taken: FakeSocket | undefined;
      const request = {
        reusedSocket: false,
        onSocket: (socket: FakeSocket) => {
          taken = socket;
          expect(request.reusedSocket).toBe(true);
        },
      };
      agent.addRequest(request, 'options');
      if (taken === undefined) expect(made).toEqual([[request, 'options']]);
      made.length = 0;
      return taken;
    };
    return { agent, free, take };
  }

  it('leaves an agent without the internal method alone', () => {
    const agent = new EventEmitter();
    const listener = vi.fn<() => void>();
    agent.on('free', listener);
    keepSockets(agent as unknown as http.Agent, 1);
    agent.emit('free');
    expect([listener.mock.calls.length, Object.keys(agent).includes('addRequest')]).toEqual([1, false]);
  });

  it('gives the last one first, with a new timeout, and then new ones', () => {
    const { free, take } = kept();
    const [one, two] = [free(), free()];
    expect([take(), take(), take()]).toEqual([two, one, undefined]);
    expect(one.calls).toEqual(['unref', 'ref', 'timeout 10000']);
    expect([one._httpMessage, one.destroyed]).toEqual([null, false]);
  });

  it.each([
    ['is destroyed', { destroyed: true }],
    ['cannot be written', { writable: false }],
    ['cannot be read', { readable: false }],
    ['got input', { bytesRead: 1 }],
  ])('does not give one that %s', (_, state) => {
    const { free, take } = kept();
    const good = free();
    Object.assign(free(), state);
    expect([take(), take()]).toEqual([good, undefined]);
  });

  it('closes one that got input', () => {
    const { free, take } = kept();
    const socket = free();
    socket.bytesRead = 1;
    take();
    expect(socket.destroyed).toBe(true);
  });

  it('keeps none of a request that ends it, of a socket that is not writable, and beyond the limit', () => {
    const { agent, free, take } = kept(10_000, 1);
    const closed = new FakeSocket();
    closed.writable = false;
    agent.emit('free', closed);
    const bare = new FakeSocket();
    bare._httpMessage = null;
    agent.emit('free', bare);
    const ended = free(undefined, false);
    expect([closed.destroyed, bare.destroyed, ended.destroyed]).toEqual([true, true, true]);
    const good = free();
    expect([good.destroyed, free().destroyed]).toEqual([false, true]);
    expect([take(), take()]).toEqual([good, undefined]);
  });

  it.each<[unknown, number]>([
    [undefined, 10_000],
    ['timeout=5', 4_000],
    ['timeout=5, max=10', 4_000],
    ['timeout=60', 10_000],
    ['max=10', 10_000],
    [['timeout=5'], 10_000],
    ['timeout=2', 1_000],
  ])('closes one of a server that says %j after %i ms', (keepAlive, ms) => {
    const { free, take } = kept();
    const socket = free(keepAlive);
    vi.advanceTimersByTime(ms - 1);
    expect(socket.destroyed).toBe(false);
    vi.advanceTimersByTime(1);
    expect([socket.destroyed, vi.getTimerCount()]).toEqual([true, 0]);
    expect(take()).toBeUndefined();
  });

  it.each(['timeout=1', 'timeout=0'])('closes one of a server that says %s at once', (keepAlive) => {
    const { free } = kept();
    expect([free(keepAlive).destroyed, vi.getTimerCount()]).toEqual([true, 0]);
  });

  it('has one timer, for the one that ends first', () => {
    const { free, take } = kept();
    const [long, short] = [free(), free('timeout=3')];
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(10_000);
    expect([short.destroyed, long.destroyed]).toEqual([true, true]);
    const later = free();
    expect(vi.getTimerCount()).toBe(1);
    expect(take()).toBe(later);
    vi.advanceTimersByTime(10_000);
    expect([later.destroyed, vi.getTimerCount()]).toEqual([false, 0]);
  });

  it('keeps those whose time is not over when it closes others', () => {
    const { free, take } = kept();
    const [short, long] = [free('timeout=3'), free()];
    vi.advanceTimersByTime(2_000);
    expect([short.destroyed, long.destroyed, vi.getTimerCount()]).toEqual([true, false, 1]);
    expect(take()).toBe(long);
  });

  it('does not give one whose time is over before the timer ran', () => {
    const { free, take } = kept();
    const socket = free();
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 10_000);
    expect([take(), socket.destroyed]).toEqual([undefined, true]);
    vi.mocked(performance.now).mockRestore();
  });

  it('forgets one that closes, and listens once to each', () => {
    const { agent, free, take } = kept();
    const [good, gone] = [free(), free()];
    expect(gone.emit('error', new Error('reset'))).toBe(true);
    gone.emit('close');
    expect(take()).toBe(good);
    good._httpMessage = { shouldKeepAlive: true };
    agent.emit('free', good);
    expect([good.listenerCount('close'), good.listenerCount('error')]).toEqual([1, 1]);
    good.emit('close');
    good.emit('close');
    expect(take()).toBeUndefined();
  });
});

async function upstream(options: { headers?: http.OutgoingHttpHeaders; idleMs?: number; maxFreeSockets?: number }) {
  const { headers = {}, idleMs = 60_000, maxFreeSockets = 256 } = options;
  const sockets: Socket[] = [];
  const server = http.createServer((_req, res) => {
    setTimeout(() => res.writeHead(200, headers).end('ok'), 20);
  });
  // The server announces its own keep-alive timeout first, so switch that off.
  server.keepAliveTimeout = 0;
  server.on('connection', (socket) => sockets.push(socket));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const agent = new http.Agent({ keepAlive: true, timeout: idleMs, maxFreeSockets });
  keepSockets(agent, idleMs);
  closing.push(() => {
    agent.destroy();
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const ask = (): Promise<{ body: string; reused: boolean; socket: Socket | null }> =>
    new Promise((resolve, reject) => {
      const request = http.get({ host: '127.0.0.1', port, agent, timeout: idleMs }, (reply) => {
        let body = '';
        reply.setEncoding('utf8').on('data', (text: string) => (body += text));
        // The connection is free only a moment later.
        reply.on('end', () =>
          setTimeout(() => resolve({ body, reused: request.reusedSocket, socket: request.socket }), 10),
        );
      });
      request.on('timeout', () => request.destroy(new Error('idle')));
      request.on('error', reject);
    });
  return { ask, agent, sockets };
}
