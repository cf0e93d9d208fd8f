import * as http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
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
    await ask();
    sockets[0]?.destroy();
    await sleep(50);
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

  it('is closed a second before the server would, and after the time for silence', async () => {
    const hinted = await upstream({ headers: { 'Keep-Alive': 'timeout=2' } });
    await hinted.ask();
    const { reused, socket } = await hinted.ask();
    expect(reused).toBe(true);
    await sleep(1300);
    expect(socket?.destroyed).toBe(true);
    await expect.poll(() => hinted.sockets[0]?.closed).toBe(true);
    const silent = await upstream({ idleMs: 200 });
    const kept = await silent.ask();
    await sleep(500);
    expect(kept.socket?.destroyed).toBe(true);
    await expect.poll(() => silent.sockets[0]?.closed).toBe(true);
  });

  it('is not used again after unexpected input', async () => {
    const { ask, sockets } = await upstream({});
    await ask();
    sockets[0]?.write('HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged');
    await sleep(50);
    expect(await ask()).toMatchObject({ body: 'ok', reused: false });
  });

  it('ends a request that is silent too long, also on a connection that was kept', async () => {
    const { ask } = await upstream({ idleMs: 2_000, silentAfter: 1 });
    expect(await ask()).toMatchObject({ body: 'ok' });
    await expect(ask()).rejects.toThrow('idle');
  });

  it('is kept no more than the agent keeps, and goes with the agent', async () => {
    const { ask, agent, sockets } = await upstream({ maxFreeSockets: 2 });
    await Promise.all([ask(), ask(), ask(), ask()]);
    const open = () => sockets.filter((socket) => !socket.closed).length;
    await expect.poll(open).toBe(2);
    await sleep(50);
    expect(open()).toBe(2);
    agent.destroy();
    await expect.poll(open).toBe(0);
  });
});

async function upstream(options: {
  headers?: http.OutgoingHttpHeaders;
  idleMs?: number;
  maxFreeSockets?: number;
  silentAfter?: number;
}) {
  const { headers = {}, idleMs = 60_000, maxFreeSockets = 256, silentAfter = Infinity } = options;
  const sockets: Socket[] = [];
  let asked = 0;
  const server = http.createServer((_req, res) => {
    if (asked++ < silentAfter) setTimeout(() => res.writeHead(200, headers).end('ok'), 20);
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
