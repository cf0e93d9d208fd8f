import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { readJson } from './read-json.ts';

let close: (() => void) | undefined;
afterEach(() => close?.());

/** Reads a body of which only these parts are sent. */
async function readUnended(parts: readonly string[], deadlineMs: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const server = createServer((incoming) => void readJson(incoming, 1_000, deadlineMs).then(resolve, resolve));
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      const sent = request({ port, host: '127.0.0.1', method: 'POST' }).on('error', () => {});
      for (const part of parts) sent.write(part);
      close = () => {
        sent.destroy();
        server.close();
      };
    });
    setTimeout(() => reject(new Error('the body is still being read')), 25_000).unref();
  });
}

/** Reads a complete body of up to 10,000 bytes. */
async function readWhole(body: string): Promise<unknown> {
  return new Promise((resolve) => {
    const server = createServer((incoming, response) => {
      response.end();
      void readJson(incoming, 10_000).then(resolve, resolve);
    });
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      request({ port, host: '127.0.0.1', method: 'POST' })
        .on('error', () => {})
        .end(body);
      close = () => server.close();
    });
  });
}

it('gives up a body that does not end', async () => {
  expect(await readUnended(['{"login":'], 50)).toMatchObject({ status: 408, code: 'broken_off' });
});

it('refuses a body that is too large while it arrives', async () => {
  expect(await readUnended(['x'.repeat(600), 'x'.repeat(600)], 20_000)).toMatchObject({ status: 413 });
});

it('refuses values nested so deeply that parsing them would hold the server', async () => {
  const nested = `${'['.repeat(499)}${']'.repeat(499)}`;
  expect(await readWhole(`{"a":${nested}}`)).toHaveProperty('a');
  expect(await readWhole(`{"a":${'['.repeat(1_500)}${']'.repeat(1_500)}}`)).toMatchObject({
    status: 413,
    code: 'too_large',
  });
});
