import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { afterEach, expect, it } from 'vitest';
import { createApp } from '../app.ts';
import { trustedProxies } from '../edge/addresses.ts';
import { Problem } from '../problem.ts';
import { createHookLimits } from '../webhooks/hook-limits.ts';
import { serveRoutes } from './serve-routes.ts';
import { makeHookRoute } from './webhook-routes.ts';

let close: (() => void) | undefined;
afterEach(() => close?.());

const never = () => Promise.reject(new Error('not for this test'));

/** Serves the address of webhooks, of which there are none. */
async function serveHooks(hookBodyMs: number) {
  const opened: string[] = [];
  const hook = makeHookRoute({
    hookBodyMs,
    hookLimits: createHookLimits(),
    proxies: trustedProxies([]),
    webhooks: { open: async (id: string) => void opened.push(id), note: never },
    listeners: { capture: never },
    queuedRuns: { enqueue: never },
  } as never);
  const app = createApp((error) => (error instanceof Problem ? error : new Problem(500, 'internal', String(error))));
  serveRoutes(app, [hook], { identify: never });
  const server = createServer(getRequestListener(app.fetch, { overrideGlobalObjects: false }) as never);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sent: ReturnType<typeof request>[] = [];
  close = () => {
    for (const each of sent) each.destroy();
    server.close();
  };
  const { port } = server.address() as AddressInfo;
  const send = (localAddress = '127.0.0.1') => {
    const call = request({ port, host: '127.0.0.1', localAddress, method: 'POST', path: '/hooks/h' });
    sent.push(call.on('error', () => {}));
    call.write('{"n":');
    return call;
  };
  return { opened, send, url: `http://127.0.0.1:${port}/hooks/h` };
}

it('ends a request whose body does not end, and looks for no webhook', async () => {
  const { opened, send } = await serveHooks(50);
  const call = send();
  await new Promise((resolve) => call.once('close', resolve));
  expect(opened).toEqual([]);
});

it('reads few bodies of one address at once, and others when they have ended', async () => {
  const { send, url } = await serveHooks(60_000);
  const status = async () => (await fetch(url, { method: 'POST', body: '{}' })).status;
  const slow = Array.from({ length: 16 }, () => send());
  await expect.poll(status).toBe(429);
  for (const each of slow) each.end('1}');
  await expect.poll(status).toBe(404);
});

it('slow senders at four addresses keep no sender of another address out', async () => {
  const { send, url } = await serveHooks(60_000);
  const addresses = ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5'];
  const slow = addresses.flatMap((address) => Array.from({ length: 16 }, () => send(address)));
  const cut = Promise.race(slow.map((each) => new Promise((resolve) => each.once('close', resolve))));
  const statusFrom = (localAddress: string) =>
    new Promise<number>((resolve) => {
      request(url, { localAddress, method: 'POST' }, ({ statusCode }) => resolve(statusCode ?? 0)).end('{}');
    });
  // All places are taken.
  for (const address of addresses) await expect.poll(() => statusFrom(address)).toBe(429);
  expect(await statusFrom('127.0.0.1')).toBe(404);
  await cut;
});
