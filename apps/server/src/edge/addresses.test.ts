import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { isPassedOn, subscriberOf, trustedProxies } from './addresses.ts';
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
    ['2001:DB8:A::7', '2001:db8:a:0'],
    ['1:2:3:4:5:6:7::', '1:2:3:4'],
    ['::3:4:5:6:7:8', '0:0:3:4'],
    ['unknown', 'unknown'],
  ])('counts %s as the subscriber %s', (address, subscriber) => {
    expect(subscriberOf(address)).toBe(subscriber);
  });
});

describe('the addresses of proxies', () => {
  const address = (ranges: readonly string[], peer: string, header: string | string[]) =>
    trustedProxies(ranges).originOf(from(peer, { 'x-forwarded-for': header as string })).address;

  it('may be single ones and ranges of both families', () => {
    expect(address(['10.0.0.1'], '10.0.0.1', '192.0.2.1')).toBe('192.0.2.1');
    expect(address(['10.0.0.1'], '10.0.0.2', '192.0.2.1')).toBe('10.0.0.2');
    expect(address(['10.0.0.0/24'], '10.0.0.255', '192.0.2.1')).toBe('192.0.2.1');
    expect(address(['10.0.0.0/24'], '10.0.1.0', '192.0.2.1')).toBe('10.0.1.0');
    expect(address(['fd00::/8'], 'fd12::1', '192.0.2.1')).toBe('192.0.2.1');
    expect(address(['fd00::/8'], 'fe80::1%eth0', '192.0.2.1')).toBe('fe80::1');
    expect(address(['fd00::1'], 'fd00::1', '192.0.2.1')).toBe('192.0.2.1');
  });

  it('are read from headers in several spellings', () => {
    const ranges = ['10.0.0.0/8'];
    expect(address(ranges, '10.0.0.1', ['198.51.100.1', ' 192.0.2.1 , , '])).toBe('192.0.2.1');
    expect(address(ranges, '10.0.0.1', '[2001:db8::1]')).toBe('2001:db8::1');
    expect(address(ranges, '10.0.0.1', '::FFFF:192.0.2.1')).toBe('192.0.2.1');
    expect(address(ranges, '10.0.0.1', '192.0.2.1, unknown, 10.0.0.3')).toBe('10.0.0.3');
  });

  it('of a socket that is closed is empty', () => {
    const closed = { socket: {}, headers: {} } as unknown as IncomingMessage;
    expect(trustedProxies(['10.0.0.0/8']).originOf(closed)).toEqual({ address: '', host: undefined });
  });

  it('choose the last Host that they wrote', () => {
    const asked = from('10.0.0.1', { 'x-forwarded-host': 'evil.example, croft.example' });
    expect(trustedProxies(['10.0.0.0/8']).originOf(asked)).toEqual({ address: '10.0.0.1', host: 'croft.example' });
    expect(trustedProxies(['10.0.0.0/8']).originOf(from('10.0.0.1')).host).toBe('inside:7860');
  });
});

it('sees by its headers that a proxy forwarded a request', () => {
  const names = ['via', 'forwarded', 'x-forwarded-proto', 'x-real-ip', 'x-client-ip', 'true-client-ip', 'cf-ray'];
  for (const name of [...names, 'tailscale-user-login'])
    expect([name, isPassedOn(from('::1', { [name]: '1' }))]).toEqual([name, true]);
  for (const name of ['accept', 'x-via', 'viaduct', 'x-forwarded', 'x-real-ip-2'])
    expect([name, isPassedOn(from('::1', { [name]: '1' }))]).toEqual([name, false]);
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
