import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { subscriberOf, trustedProxies } from './addresses.ts';
import { basePathOf, withoutBasePath } from './base-path.ts';

const from = (remoteAddress: string, headers: Record<string, string> = {}) =>
  ({ socket: { remoteAddress }, headers: { host: 'inside:7860', ...headers } }) as unknown as IncomingMessage;

describe('where a request comes from', () => {
  const proxies = trustedProxies(['10.0.0.0/8', '127.0.0.1', '::1', 'fd00::/8']);
  const cases: [string, string, string, string][] = [
    ['a client itself', '203.0.113.9', '', '203.0.113.9'],
    ['a client that claims another address', '203.0.113.9', '198.51.100.1', '203.0.113.9'],
    ['one proxy', '10.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['two proxies', '10.0.0.1', '203.0.113.9, 10.0.0.2', '203.0.113.9'],
    ['a client that wrote something in front', '10.0.0.1', '1.2.3.4, 203.0.113.9, 10.0.0.2', '203.0.113.9'],
    ['a proxy that wrote no address', '10.0.0.1', 'unknown', '10.0.0.1'],
    ['a proxy that says nothing', '127.0.0.1', '', '127.0.0.1'],
    ['a socket that takes both families', '::ffff:10.0.0.1', '203.0.113.9:4711', '203.0.113.9'],
    ['IPv6, with port and brackets', '::1', '[2001:db8::7]:4711', '2001:db8::7'],
  ];
  it.each(cases)('is the last address that a trusted proxy wrote: %s', (_, peer, header, address) => {
    const headers = header === '' ? {} : { 'x-forwarded-for': header };
    expect(proxies.originOf(from(peer, headers)).address).toBe(address);
  });

  it('takes the forwarded Host of a trusted proxy only', () => {
    const headers = { 'x-forwarded-host': 'croft.example' };
    expect(proxies.originOf(from('10.0.0.1', headers)).host).toBe('croft.example');
    expect(proxies.originOf(from('203.0.113.9', headers)).host).toBe('inside:7860');
    expect(trustedProxies([]).originOf(from('127.0.0.1', headers)).host).toBe('inside:7860');
  });

  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8::7', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
  ])('counts %s as the subscriber %s', (address, subscriber) => {
    expect(subscriberOf(address)).toBe(subscriber);
  });
});

describe('the base path', () => {
  it.each([
    [undefined, '/'],
    ['https://a.example', '/'],
    ['https://a.example/croft', '/croft/'],
    ['https://a.example/a/b/', '/a/b/'],
  ])('of %s is %s', (url, path) => expect(basePathOf(url)).toBe(path));

  it.each([
    ['/croft/api', '/api'],
    ['/croft', '/'],
    ['/croft?x=1', '/?x=1'],
    ['/croft/?x=1', '/?x=1'],
    ['/api', '/api'],
    ['/croftx/api', '/croftx/api'],
    ['*', '*'],
  ])('is taken from %s: %s', (target, rest) => expect(withoutBasePath(target, '/croft/')).toBe(rest));
});
