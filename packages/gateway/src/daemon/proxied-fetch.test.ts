import { createServer, request, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fetchFor, isLoopbackHost } from './choose-fetch.ts';
import { type DaemonBench, type FakeServer, makeDaemonBench, requestFrame, startFakeServer } from './testing.ts';

let bench: DaemonBench;
let server: FakeServer;
let proxy: { server: Server; url: string; targets: string[]; authorizations: (string | undefined)[] };

beforeEach(async () => {
  bench = makeDaemonBench(['a = one']);
  server = await startFakeServer('croft');
  proxy = await startProxy(Number(new URL(server.url).port));
});

afterEach(async () => {
  await bench.close();
  await server.close();
  proxy.server.closeAllConnections();
  await new Promise((resolve) => proxy.server.close(resolve));
});

const ASKING = { headers: {}, signal: new AbortController().signal };

/** A proxy that knows one host, `croft.example`, and forwards it to a local port; by tunnel or by absolute URL. */
async function startProxy(port: number): Promise<typeof proxy> {
  const targets: string[] = [];
  const authorizations: (string | undefined)[] = [];
  const own = createServer((req, res) => {
    const url = new URL(req.url as string);
    targets.push(`${req.method} ${url.host}`);
    authorizations.push(req.headers['proxy-authorization']);
    if (url.hostname !== 'croft.example') return void res.writeHead(502).end();
    const { 'proxy-authorization': _, ...headers } = req.headers;
    const on = request({ port, method: req.method, path: url.pathname + url.search, headers }, (answer) => {
      res.writeHead(answer.statusCode as number, answer.headers);
      answer.pipe(res);
    });
    on.on('error', () => res.destroy());
    req.pipe(on);
  });
  own.on('connect', (req, socket, head) => {
    targets.push(`CONNECT ${req.url}`);
    authorizations.push(req.headers['proxy-authorization']);
    if (!req.url?.startsWith('croft.example:')) return void socket.end('HTTP/1.1 502 No\r\n\r\n');
    const on = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      on.write(head);
      on.pipe(socket).pipe(on);
    });
    for (const one of [on, socket]) one.on('error', () => [on, socket].map((end) => end.destroy()));
  });
  await new Promise<void>((resolve) => own.listen(0, '127.0.0.1', resolve));
  return { server: own, url: `127.0.0.1:${(own.address() as AddressInfo).port}`, targets, authorizations };
}

describe('behind an HTTP proxy', () => {
  it.each(['HTTP_PROXY', 'http_proxy'])('the daemon pairs, streams and answers through what %s names', async (name) => {
    const env = { [name]: `http://me:secret@${proxy.url}` };
    const daemon = await bench.run({ target: { server: 'http://croft.example', token: 'gw_token' }, env });
    await server.until(() => daemon.isConnected && server.streamCount() === 1);
    server.send(requestFrame('gw_1', 'read-file', { filePath: 'a' }, 'croft'));
    expect((await server.answer('gw_1')).body.data.content).toBe('one');
    expect(proxy.targets.length).toBeGreaterThan(0);
    expect(proxy.targets.every((target) => target.includes('croft.example'))).toBe(true);
    expect(proxy.authorizations[0]).toBe(`Basic ${Buffer.from('me:secret').toString('base64')}`);
  });

  it('an https server is reached by a tunnel, which sees no request', async () => {
    const fetch = await fetchFor(new URL('https://croft.example'), { HTTPS_PROXY: proxy.url });
    await expect(fetch('https://croft.example/x', ASKING)).rejects.toThrow();
    expect(proxy.targets).toEqual(['CONNECT croft.example:443']);
  });

  it('a server on this machine, or one that NO_PROXY names, is asked directly', async () => {
    const env = { HTTP_PROXY: `http://${proxy.url}`, NO_PROXY: 'croft.example' };
    const daemon = await bench.run({ target: { server: server.url, token: 'gw_token' }, env });
    await server.until(() => daemon.isConnected);
    const fetch = await fetchFor(new URL('http://croft.example'), env);
    await expect(fetch('http://croft.example/', ASKING)).rejects.toThrow();
    expect(proxy.targets).toEqual([]);
  });

  it('a variable that holds no address is said by its name, and not what it holds', async () => {
    for (const value of ['socks5://127.0.0.1:1080', 'http://']) {
      const failing = bench.run({
        target: { server: 'http://croft.example', token: 'gw_token' },
        env: { HTTPS_PROXY: value },
      });
      await expect(failing).rejects.toThrow(
        'HTTPS_PROXY is not the address of an HTTP proxy; write it as http://host:port, or unset it',
      );
    }
  });
});

it('loopback is this machine by number and by its one name', () => {
  for (const url of ['http://localhost', 'http://127.0.0.1:8', 'http://127.1', 'http://[::1]:3', 'http://0x7f.1'])
    expect(isLoopbackHost(new URL(url).hostname), url).toBe(true);
  for (const url of ['http://localhost.example', 'http://127.0.0.1.example', 'http://10.0.0.1', 'http://[::2]'])
    expect(isLoopbackHost(new URL(url).hostname), url).toBe(false);
});
