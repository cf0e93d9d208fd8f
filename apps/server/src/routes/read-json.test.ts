import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { afterEach, expect, it, vi } from 'vitest';
import { Problem } from '../problem.ts';
import { keepConnection, readBody, readJson } from './read-json.ts';

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

const requestOf = (...chunks: string[]) =>
  Readable.from(chunks.map((chunk) => Buffer.from(chunk))) as unknown as IncomingMessage;
/** Counts the bytes that it takes, and the times that it is closed. */
function meterOf(fail?: Error) {
  const seen: (number | 'closed')[] = [];
  const take = (bytes: number) => {
    seen.push(bytes);
    if (fail) throw fail;
  };
  return { seen, meter: { take, close: () => void seen.push('closed') } };
}

it('parses a body that arrives in parts, and takes an empty one for an object', async () => {
  const { seen, meter } = meterOf();
  expect(await readJson(requestOf('{"a":"ö', '","b":[1]}'), undefined, undefined, meter)).toEqual({ a: 'ö', b: [1] });
  expect(seen).toEqual([8, 10, 'closed']);
  expect(await readJson(requestOf())).toEqual({});
});

it('refuses a body that is not JSON', async () => {
  await expect(readJson(requestOf('{'))).rejects.toMatchObject({
    status: 400,
    code: 'invalid',
    message: 'The body is not JSON.',
  });
});

it('takes exactly as many bytes as are allowed', async () => {
  expect((await readBody(requestOf('12', '34'), 4)).toString()).toBe('1234');
  await expect(readBody(requestOf('12', '345'), 4)).rejects.toMatchObject({
    status: 413,
    code: 'too_large',
    message: 'The body is larger than 4 bytes.',
  });
  const mebibyte = 'x'.repeat(1024 * 1024);
  expect(await readBody(requestOf(mebibyte))).toHaveLength(1024 * 1024);
  await expect(readBody(requestOf(mebibyte, 'x'))).rejects.toMatchObject({ code: 'too_large' });
  await expect(readJson(requestOf(mebibyte, 'x'))).rejects.toMatchObject({ code: 'too_large' });
});

it('names the limits of values and levels', async () => {
  await expect(readJson(requestOf(`${'['.repeat(1_001)}${']'.repeat(1_001)}`))).rejects.toMatchObject({
    message: 'The body has more than 1000000 values, or more than 1000 levels.',
  });
});

it('passes on the refusal of the meter, and closes it', async () => {
  const full = new Problem(429, 'busy', 'Wait');
  const { seen, meter } = meterOf(full);
  await expect(readJson(requestOf('{}', '{}'), 100, 1_000, meter)).rejects.toBe(full);
  expect(seen).toEqual([2, 'closed']);
});

it('destroys a request that is late or cut, and no other', async () => {
  vi.useFakeTimers();
  try {
    const brokenOff = {
      status: 408,
      code: 'broken_off',
      message: 'The body did not arrive completely. Send it again.',
    };
    // A minute, and a millisecond for each 64 bytes that are allowed.
    const slow = new PassThrough();
    const late = expect(readBody(slow as never, 6_400)).rejects.toMatchObject(brokenOff);
    await vi.advanceTimersByTimeAsync(60_099);
    expect(slow.destroyed).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(slow.destroyed).toBe(true);
    await late;
    const slowJson = new PassThrough();
    const lateJson = expect(readJson(slowJson as never, 6_400)).rejects.toMatchObject(brokenOff);
    await vi.advanceTimersByTimeAsync(60_100);
    await lateJson;
    const stop = new AbortController();
    const open = new PassThrough();
    const cut = expect(readBody(open as never, 10, 1_000, { cut: stop.signal })).rejects.toMatchObject(brokenOff);
    stop.abort();
    await cut;
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

it('leaves a request alone once it was read', async () => {
  const stop = new AbortController();
  const whole = requestOf('1');
  const destroy = vi.spyOn(whole, 'destroy');
  await readBody(whole, 10, 1_000, { cut: stop.signal });
  destroy.mockClear();
  stop.abort();
  expect(destroy).not.toHaveBeenCalled();
});

it('does not destroy a request whose reader stops', async () => {
  const two = requestOf('1', '2');
  for await (const chunk of keepConnection(two)) {
    expect(String(chunk)).toBe('1');
    break;
  }
  expect(two.destroyed).toBe(false);
});
