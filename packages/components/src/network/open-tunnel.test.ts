import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { Resolve } from './guarded-client.ts';
import { createGuardedFetch } from './guarded-fetch.ts';

const NAMES: Readonly<Record<string, readonly string[]>> = {
  'api.example': ['93.184.216.34'],
  'two.example': ['2606:2800:220:1:248:1893:25c8:1946', '93.184.216.34'],
  'rebound.example': ['127.0.0.1'],
  'mixed.example': ['93.184.216.34', '10.0.0.1'],
};
const resolve: Resolve = async (host) =>
  (NAMES[host] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Starts a web server. `bytes` collects the data of connections that do not use HTTP. */
async function startTarget() {
  const requests: string[] = [];
  const server = createHttpServer((request, response) => {
    requests.push(`${request.headers.host} ${request.url}`);
    if (request.url === '/away') response.writeHead(302, { location: 'http://rebound.example/' }).end();
    else response.end('from the target');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(
    () => server.closeAllConnections(),
    () => void server.close(),
  );
  return { requests, port: (server.address() as AddressInfo).port };
}

/** A proxy that connects every target to one port of this machine. */
async function startProxy(port: number, answer: (target: string) => number = () => 200) {
  const asked: { target: string; login: string | undefined }[] = [];
  const server = createHttpServer();
  server.on('connect', ({ url = '', headers }, socket) => {
    asked.push({ target: url, login: headers['proxy-authorization'] });
    const status = answer(url);
    if (status !== 200) return void socket.end(`HTTP/1.1 ${status} No\r\n\r\n`);
    const through = connect(port, '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
    for (const each of [socket, through]) each.on('error', () => {});
    closing.push(
      () => through.destroy(),
      () => socket.destroy(),
    );
    through.pipe(socket);
    socket.pipe(through);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => void server.close());
  const url = `http://ann:pa%40ss@127.0.0.1:${(server.address() as AddressInfo).port}`;
  const targets = () => asked.map(({ target }) => target);
  return { asked, targets, options: { httpProxy: url, httpsProxy: url, asksFor: 'addresses' as const } };
}

describe('a guarded fetch with a proxy', () => {
  it('has the proxy connect to the address that was checked, with the login of the proxy', async () => {
    const target = await startTarget();
    const proxy = await startProxy(target.port);
    const fetch = createGuardedFetch({ resolve, proxy: proxy.options });
    expect(await (await fetch('http://api.example/a?b')).text()).toBe('from the target');
    const login = `Basic ${Buffer.from('ann:pa@ss').toString('base64')}`;
    expect(proxy.asked).toEqual([{ target: '93.184.216.34:80', login }]);
    expect(target.requests).toEqual(['api.example /a?b']);
  });

  it('connects nowhere for a private address or name, directly or by a redirect', async () => {
    const target = await startTarget();
    const proxy = await startProxy(target.port);
    for (const asksFor of ['addresses', 'names'] as const) {
      const fetch = createGuardedFetch({ resolve, proxy: { ...proxy.options, asksFor } });
      const refused = [
        '127.0.0.1',
        '0x7f.1',
        'localhost',
        '[::1]',
        '169.254.169.254',
        'rebound.example',
        'mixed.example',
      ];
      for (const host of refused)
        await expect(fetch(`http://${host}/`), host).rejects.toMatchObject({ code: 'refused_address' });
      expect(proxy.targets()).toEqual([]);
      await expect(fetch('http://api.example/away')).rejects.toMatchObject({ code: 'refused_address' });
      expect(proxy.asked.splice(0)).toHaveLength(1);
    }
  });

  it('reaches a private host that the administrator allows without the proxy', async () => {
    const target = await startTarget();
    const proxy = await startProxy(1);
    const host = `127.0.0.1:${target.port}`;
    const fetch = createGuardedFetch({ resolve, allow: [host], proxy: proxy.options });
    expect(await (await fetch(`http://${host}/`)).text()).toBe('from the target');
    expect(proxy.targets()).toEqual([]);
  });

  it('asks for names where the administrator says so, also for one that is unknown here', async () => {
    const target = await startTarget();
    const proxy = await startProxy(target.port);
    const fetch = createGuardedFetch({ resolve, proxy: { ...proxy.options, asksFor: 'names' } });
    expect((await fetch('http://api.example/')).status).toBe(200);
    expect((await fetch('http://only-there.example:8080/')).status).toBe(200);
    expect(proxy.targets()).toEqual(['api.example:80', 'only-there.example:8080']);
    const here = createGuardedFetch({ resolve, proxy: proxy.options });
    await expect(here('http://only-there.example/')).rejects.toMatchObject({ code: 'unreachable' });
  });

  it('tries the next address of a host, and says what the proxy answered, without its password', async () => {
    const target = await startTarget();
    const proxy = await startProxy(target.port, (to) => (to.startsWith('93.') ? 502 : 200));
    const fetch = createGuardedFetch({ resolve, proxy: proxy.options });
    expect((await fetch('http://two.example/')).status).toBe(200);
    expect(proxy.targets()).toEqual(['93.184.216.34:80', '[2606:2800:220:1:248:1893:25c8:1946]:80']);
    const failure: unknown = await fetch('http://api.example/').catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'unreachable', message: expect.stringContaining('status 502') });
    const away = createGuardedFetch({ resolve, proxy: { httpProxy: 'ann:pa%40ss@127.0.0.1:1', asksFor: 'addresses' } });
    const unreached: unknown = await away('http://api.example/').catch((error: unknown) => error);
    expect(JSON.stringify([failure, unreached, String(failure), String(unreached)])).not.toMatch(/ann|pa%40ss|pa@ss/);
  });

  it.each([
    [407, 'Put a user name and a password into HTTPS_PROXY and HTTP_PROXY.'],
    [403, 'Allow the host there, name it in NO_PROXY, or set CROFT_FLOW_PROXY=names if the proxy decides by names.'],
    [500, 'Check the address, and that the proxy can reach it.'],
  ])('says what to do where the proxy answers with status %s', async (status, fix) => {
    const proxy = await startProxy(0, () => status);
    const fetch = createGuardedFetch({ resolve, proxy: proxy.options });
    await expect(fetch('http://api.example/')).rejects.toMatchObject({ code: 'unreachable', fix });
  });

  it('starts TLS with the name of the host inside of the connection', async () => {
    let hello = '';
    const tls = createServer((socket) => {
      socket
        .on('error', () => {})
        .on('data', (data) => {
          hello += data.toString('latin1');
          socket.destroy();
        });
    });
    tls.listen(0, '127.0.0.1');
    await once(tls, 'listening');
    closing.push(() => void tls.close());
    const proxy = await startProxy((tls.address() as AddressInfo).port);
    const fetch = createGuardedFetch({ resolve, proxy: proxy.options });
    await expect(fetch('https://api.example/secret-path')).rejects.toMatchObject({ code: 'unreachable' });
    expect(proxy.targets()).toEqual(['93.184.216.34:443']);
    expect(hello).toContain('api.example');
    expect(hello).not.toContain('secret-path');
  });
});
