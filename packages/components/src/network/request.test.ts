import { describe, expect, it } from 'vitest';
import type { Services } from '../services.ts';
import { request, type RequestOptions } from './request.ts';

/** Sends a request through this fetch, and gives what it got. */
async function send(fetch: (init: RequestInit) => Promise<Response>, more: Partial<RequestOptions> = {}) {
  let init: RequestInit = {};
  const services = {
    fetch: (_url: string, given: RequestInit) => {
      init = given;
      return fetch(given);
    },
  } as unknown as Services;
  const signal = new AbortController().signal;
  const response = await request(services, 'https://a.example/', { timeoutMs: 60_000, signal, ...more });
  return { init, response };
}
const ok = async () => new Response('text', { status: 201, headers: { 'x-a': 'b' } });

describe('a request', () => {
  it('is a GET without redirects unless more is asked for', async () => {
    const { init, response } = await send(ok);
    expect([init.method, init.redirect, init.body]).toEqual(['GET', 'manual', undefined]);
    expect(init.headers).toEqual({ 'user-agent': 'Croft/1.0' });
    expect([response.status, response.headers.get('x-a'), response.body.toString()]).toEqual([201, 'b', 'text']);
  });

  it('has the given method, headers and body', async () => {
    const { init } = await send(ok, {
      method: 'POST',
      body: 'x',
      headers: { 'user-agent': 'me' },
      followRedirects: true,
    });
    expect([init.method, init.redirect, init.body, init.headers]).toEqual([
      'POST',
      'follow',
      'x',
      { 'user-agent': 'me' },
    ]);
  });

  it('needs a network', async () => {
    const options = { timeoutMs: 1, signal: new AbortController().signal };
    await expect(request({} as Services, 'https://a.example/', options)).rejects.toThrow('This run has no network.');
  });

  it('reads no more than its bound', async () => {
    await expect(send(ok, { maxBytes: 3 })).rejects.toMatchObject({ code: 'too_large' });
    expect((await send(ok, { maxBytes: 4 })).response.body.length).toBe(4);
    const large = async () => new Response(new Uint8Array(10 * 1024 * 1024 + 1));
    await expect(send(large)).rejects.toMatchObject({ code: 'too_large' });
  });
});

describe('a request that fails', () => {
  const untilAborted = ({ signal }: RequestInit) =>
    new Promise<Response>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)));

  it('says that it took too long', async () => {
    await expect(send(untilAborted, { timeoutMs: 10 })).rejects.toMatchObject({
      code: 'timed_out',
      message: 'The server did not answer within 0.01 s.',
    });
  });

  it('ends with the run', async () => {
    const stopped = new AbortController();
    const sending = send(untilAborted, { signal: stopped.signal });
    stopped.abort(new Error('stopped'));
    await expect(sending).rejects.toThrow('stopped');
  });

  it('says that the connection ended, and passes other failures on', async () => {
    await expect(send(async () => Promise.reject(new TypeError('terminated')))).rejects.toMatchObject({
      code: 'unreachable',
    });
    await expect(send(async () => Promise.reject(new RangeError('other')))).rejects.toThrow('other');
  });
});
