import { describe, expect, it } from 'vitest';
import { parseProxy, readProxies } from './proxies.ts';

describe('the proxies of the environment', () => {
  it.each([
    ['example.com', 'example.com', 443, true],
    ['example.com', 'a.example.com', 443, true],
    ['.example.com', 'a.example.com', 443, true],
    ['*.example.com', 'a.example.com', 443, true],
    ['example.com', 'badexample.com', 443, false],
    ['example.com:8080', 'example.com', 443, false],
    ['example.com:8080', 'example.com', 8080, true],
    ['10.0.0.1, other.com', 'other.com', 443, true],
    ['93.184.216.34', '93.184.216.34', 443, true],
    ['[::1]:80', '::1', 80, true],
    ['*', 'anything', 1, true],
    ['', 'example.com', 443, false],
    [', ', '', 443, false],
    ['a b', 'a b', 443, false],
    ['Example.COM', 'EXAMPLE.com', 443, true],
    ['10.0.0.1', 'x.10.0.0.1', 443, false],
  ])('NO_PROXY=%s: %s on %i is direct: %s', (noProxy, host, port, isDirect) => {
    const { proxyFor } = readProxies({ httpsProxy: 'proxy.example:3128', noProxy, asksFor: 'names' });
    expect(proxyFor('https:', host, port)?.href).toBe(isDirect ? undefined : 'http://proxy.example:3128/');
  });

  it('are HTTP proxies, one for each scheme', () => {
    const { proxyFor } = readProxies({ httpProxy: 'http://a:1', asksFor: 'names' });
    expect([proxyFor('http:', 'x', 80)?.host, proxyFor('https:', 'x', 443)?.host]).toEqual(['a:1', undefined]);
    expect(readProxies({ httpProxy: ' ', httpsProxy: ' http://b:2 ', asksFor: 'addresses' })).toEqual({
      asksFor: 'addresses',
      proxyFor: expect.any(Function),
    });
    const padded = readProxies({ httpProxy: ' ', httpsProxy: ' b:2 ', asksFor: 'addresses' });
    expect([padded.proxyFor('http:', 'x', 80), padded.proxyFor('https:', 'x', 443)?.href]).toEqual([
      undefined,
      'http://b:2/',
    ]);
    for (const httpsProxy of ['socks5://a:1', 'http://secret@a:1/path', 'http://'])
      expect(() => readProxies({ httpsProxy, asksFor: 'names' })).toThrow(
        new RangeError('A proxy has the form http://host:port. Other kinds cannot be used.'),
      );
  });

  it.each([
    ['a:1', 'http://a:1/'],
    ['HTTPS://u:p@a/', 'https://u:p@a/'],
    ['http://a?b', undefined],
    ['ftp://a', undefined],
    ['http://a/b', undefined],
    ['http://', undefined],
  ])('has the address %s as %s', (text, href) => {
    expect(parseProxy(text)?.href).toBe(href);
  });
});
