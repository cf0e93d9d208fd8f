import { describe, expect, it } from 'vitest';
import { foreignRequest, isFromBrowser, LOOPBACK_NAMES } from './own-host.ts';

describe('telling a browser from a program', () => {
  it('knows pages, frames, scripts and the address bar', () => {
    for (const headers of [
      { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
      { 'sec-fetch-mode': 'navigate' },
      { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'empty' },
      { 'sec-fetch-dest': 'iframe' },
      { 'sec-fetch-mode': 'navigate' },
      { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'empty' },
      { 'sec-fetch-dest': 'script', 'sec-fetch-mode': 'no-cors' },
    ])
      expect(isFromBrowser(headers)).toBe(true);
  });

  it('lets programs be programs: SDKs, and fetch in Node, which sends a mode of its own', () => {
    for (const headers of [{}, { 'sec-fetch-mode': 'cors' }, { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }])
      expect(isFromBrowser(headers)).toBe(false);
  });
});

describe('telling a foreign request', () => {
  it('takes our names with any port, however they are spelled, and nothing that only looks like one', () => {
    for (const host of ['127.0.0.1:80', 'localhost:65535', 'localhost', '[::1]:7', 'LOCALHOST:1', '127.1:5'])
      expect(foreignRequest({ host }, LOOPBACK_NAMES), host).toBeUndefined();
    for (const host of [
      'localhost:65536',
      'localhost:',
      'localhost.evil:80',
      'evil:80',
      '127.0.0.2:80',
      '',
      'localhost:8x',
    ])
      expect(foreignRequest({ host }, ['127.0.0.1', 'localhost']), host).toBe(
        host === 'localhost:' ? undefined : 'Host not allowed',
      );
    expect(foreignRequest({}, LOOPBACK_NAMES)).toBe('Host not allowed');
    expect(foreignRequest({ host: 'localhost:80', origin: 'http://evil:80' }, LOOPBACK_NAMES)).toBe(
      'Origin not allowed',
    );
  });

  it('accepts an origin with our name and the port of the request, however it is spelled', () => {
    const verdict = (host: string, origin: string) => foreignRequest({ host, origin }, LOOPBACK_NAMES);
    for (const [host, origin] of [
      ['localhost:80', 'http://localhost:80'],
      ['localhost:80', 'http://localhost'],
      ['127.0.0.1:5', 'http://localhost:5'],
      ['[::1]:5', 'HTTP://[::1]:5'],
    ] as const)
      expect(verdict(host, origin), origin).toBeUndefined();
    for (const [host, origin] of [
      ['localhost:5', 'http://localhost:6'],
      ['localhost:5', 'https://localhost:5'],
      ['localhost:5', 'http://localhost:5/x'],
      ['localhost:5', 'http://a@localhost:5'],
      ['localhost:5', 'null'],
      ['localhost:5', ''],
    ] as const)
      expect(verdict(host, origin), origin).toBe('Origin not allowed');
    expect(verdict('evil:5', 'http://localhost:5')).toBe('Host not allowed');
  });

  it('refuses a name with a part that a URL reads differently', () => {
    for (const host of ['evil@localhost:5', 'localhost:5/x', 'localhost?', 'localhost:5 ', '[::1', 'a:b:c'])
      expect(foreignRequest({ host }, LOOPBACK_NAMES), host).toBe('Host not allowed');
    expect(LOOPBACK_NAMES).toEqual(['127.0.0.1', 'localhost', '[::1]']);
  });
});
