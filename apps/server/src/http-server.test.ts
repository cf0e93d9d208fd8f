import { get } from 'node:http';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { type HttpServer, type HttpServerOptions, openHttpServer } from './http-server.ts';

const opened: HttpServer[] = [];
afterEach(async () => {
  for (const server of opened.splice(0)) await server.close();
});

async function open(options: Partial<HttpServerOptions> = {}): Promise<HttpServer> {
  const server = await openHttpServer({ host: '127.0.0.1', port: 0, ...options });
  opened.push(server);
  return server;
}
const textOf = (url: string) =>
  new Promise<string>((resolve, reject) => {
    get(url, { agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => resolve(text)).on('error', reject);
    }).on('error', reject);
  });

it('listens on a free port, and answers', async () => {
  const server = await open();
  server.serve((request, response) => response.end(`hello ${request.url}`));
  expect(server.port).toBeGreaterThan(0);
  expect([server.url, server.boundTo]).toEqual([`http://127.0.0.1:${server.port}`, `127.0.0.1:${server.port}`]);
  expect(await textOf(`${server.url}/a`)).toBe('hello /a');
});

it('keeps idle connections for longer than load balancers use them', async () => {
  const server = await open();
  server.serve((_request, response) => response.end());
  const { headers } = await fetch(server.url);
  expect(headers.get('keep-alive')).toBe('timeout=65');
});

it('names an address that people can reach', async () => {
  const everywhere = await open({ host: '0.0.0.0' });
  expect([everywhere.url, everywhere.boundTo]).toEqual([
    `http://127.0.0.1:${everywhere.port}`,
    `0.0.0.0:${everywhere.port}`,
  ]);
  const six = await open({ host: '::' }).catch(() => undefined);
  if (six !== undefined) expect([six.url, six.boundTo]).toEqual([`http://[::1]:${six.port}`, `[::]:${six.port}`]);
  expect((await open({ publicUrl: 'https://croft.test/base//' })).url).toBe('https://croft.test/base');
});

it('writes addresses of IPv6 in brackets', async () => {
  const six = await open({ host: '::1' }).catch(() => undefined);
  if (six === undefined) return;
  expect([six.url, six.boundTo]).toEqual([`http://[::1]:${six.port}`, `[::1]:${six.port}`]);
});

it('fails where the port is taken', async () => {
  const { port } = await open();
  await expect(open({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

it('takes no connections after it has closed, and may be closed again', async () => {
  const server = await open();
  server.serve((_, response) => response.end('x'));
  const ended: string[] = [];
  const closing = server.close(async () => void ended.push('streams'));
  expect(closing).toBeInstanceOf(Promise);
  expect(server.close(async () => void ended.push('again'))).toBe(closing);
  await closing;
  expect(ended).toEqual(['streams']);
  await expect(textOf(server.url)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

it('lets responses end that are under way', async () => {
  const server = await open();
  let finish: () => void = () => {};
  const asked = new Promise<void>((resolve) => {
    server.serve((_, response) => {
      response.write('first ');
      finish = () => response.end('last');
      resolve();
    });
  });
  const reading = textOf(server.url);
  await asked;
  const closing = server.close();
  finish();
  expect(await reading).toBe('first last');
  await closing;
});

it('closes connections whose responses do not end within two seconds', async () => {
  const server = await open();
  const asked = new Promise<void>((resolve) => {
    server.serve((_, response) => {
      response.write('first');
      resolve();
    });
  });
  const reading = textOf(server.url).catch((error: unknown) => error);
  await asked;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const states: string[] = [];
  const closing = server.close().then(() => states.push('closed'));
  vi.advanceTimersByTime(1_999);
  await new Promise((resolve) => setImmediate(resolve));
  expect([states, vi.getTimerCount()]).toEqual([[], 1]);
  vi.advanceTimersByTime(1);
  await closing;
  expect(await reading).toMatchObject({ code: 'ECONNRESET' });
});

it('refuses new connections while an earlier response is under way', async () => {
  const server = await open();
  let finish: () => void = () => {};
  const asked = new Promise<void>((resolve) => {
    server.serve((_, response) => {
      finish = () => response.end('last');
      resolve();
    });
  });
  const reading = textOf(server.url);
  await asked;
  server.stopListening();
  await expect(textOf(server.url)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  finish();
  expect(await reading).toBe('last');
});
