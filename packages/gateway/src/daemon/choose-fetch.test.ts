import { describe, expect, it } from 'vitest';
import { fetchFor, isLoopbackHost } from './choose-fetch.ts';

describe('a host of this machine', () => {
  it.each([
    ['http://localhost:1/', true],
    ['http://127.0.0.1/', true],
    ['http://127.1/', true],
    ['http://[::1]/', true],
    ['http://127.0.0.1.example.com/', false],
    ['http://localhost.example.com/', false],
    ['http://notlocalhost/', false],
    ['http://128.0.0.1/', false],
    ['http://[::2]/', false],
  ])('%s: %s', (url, isLocal) => {
    expect(isLoopbackHost(new URL(url).hostname)).toBe(isLocal);
  });
});

describe('the proxy of the environment', () => {
  const badProxy = { HTTPS_PROXY: 'no address at all:' };
  it('is never used for a server on this machine, and only if a variable names one', async () => {
    for (const url of ['http://127.0.0.1:9/', 'http://localhost:9/', 'http://[::1]:9/'])
      expect(typeof (await fetchFor(new URL(url), badProxy)), url).toBe('function');
    expect(typeof (await fetchFor(new URL('https://croft.example/'), { HTTP_PROXY: ' ', NO_PROXY: '*' }))).toBe(
      'function',
    );
  });

  it.each(['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy'])('of %s has to be an address', async (name) => {
    await expect(fetchFor(new URL('https://croft.example/'), { [name]: 'no address at all:' })).rejects.toThrow();
  });
});
