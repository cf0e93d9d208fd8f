import { describe, expect, it } from 'vitest';
import { hostnamesFor, isLoopback } from './hostnames.ts';
import { originRule } from './own-origin.ts';

function statusOf(headers: { host?: string; origin?: string }, host = '127.0.0.1', publicUrl?: string): number {
  const rule = originRule({ host, publicUrl, allowedOrigins: [] });
  return rule.refuse(headers, headers.host) === undefined ? 200 : 403;
}

describe('Host', () => {
  it.each(['127.0.0.1', '127.0.0.1:7860', 'localhost', 'localhost:1', 'LOCALHOST:80', '[::1]', '[::1]:7860'])(
    '%s is ours, whatever the port',
    (host) => {
      expect(statusOf({ host })).toBe(200);
    },
  );

  const foreign = [
    '',
    'evil.com',
    'evil.com:7860',
    'localhost.evil.com',
    '127.0.0.1.evil.com',
    'evil.com#@127.0.0.1',
    '127.0.0.1@evil.com',
    'user@127.0.0.1',
    'evil.com/127.0.0.1',
    '127.0.0.1/x',
    '169.254.169.254',
    '0.0.0.0',
    '[::]',
    '[::ffff:169.254.169.254]',
    'localhost.',
    'localhost:port',
    '127.0.0.1 evil.com',
  ];
  it.each(foreign)('%j is not', (host) => {
    expect(statusOf({ host })).toBe(403);
  });

  it('is refused when it is missing', () => {
    expect(statusOf({})).toBe(403);
  });

  it('may be the address the server listens on, in any of its spellings, and the public one', () => {
    expect(statusOf({ host: '[fe80::1]:80' }, 'FE80:0:0::0001')).toBe(200);
    expect(statusOf({ host: '10.1.2.3:80' }, '10.1.2.3')).toBe(200);
    expect(statusOf({ host: 'croft.example' }, '127.0.0.1', 'https://croft.example/x')).toBe(200);
    expect(statusOf({ host: '0.0.0.0' }, '0.0.0.0')).toBe(403);
  });
});

describe('Origin', () => {
  it.each(['http://127.0.0.1:7860', 'http://localhost:7860', 'http://[::1]:7860', 'HTTP://LocalHost:7860'])(
    '%s is ours on its port',
    (origin) => {
      expect(statusOf({ host: 'localhost:7860', origin })).toBe(200);
      expect(statusOf({ host: 'localhost:7861', origin })).toBe(403);
      expect(statusOf({ host: 'localhost', origin })).toBe(403);
    },
  );

  it.each(['https://localhost:7860', 'http://localhost', 'http://localhost:3000', 'ftp://localhost:7860'])(
    '%s is another server, though the name is ours',
    (origin) => {
      expect(statusOf({ host: 'localhost:7860', origin })).toBe(403);
    },
  );

  it('may be the public address, whatever the proxy says of the Host', () => {
    const ask = (origin: string) =>
      statusOf({ host: '127.0.0.1:7860', origin }, '127.0.0.1', 'https://croft.example/x');
    expect(ask('https://croft.example')).toBe(200);
    expect(ask('http://croft.example')).toBe(403);
    expect(ask('https://croft.example:8443')).toBe(403);
  });

  it.each([
    'http://evil.com',
    'null',
    '',
    'file://',
    'http://localhost.evil.com',
    'http://evil.com#localhost',
    'http://evil.com@127.0.0.1',
    'http://127.0.0.1/x',
    'localhost',
  ])('%j is not, even with a Host of ours', (origin) => {
    expect(statusOf({ host: '127.0.0.1', origin })).toBe(403);
  });
});

it('lists each name of a server once', () => {
  const local = ['127.0.0.1', 'localhost', '[::1]'];
  expect(hostnamesFor('127.0.0.1')).toEqual(local);
  expect(hostnamesFor('0.0.0.0')).toEqual(local);
  expect(hostnamesFor('::')).toEqual(local);
  expect(hostnamesFor('[::]')).toEqual(local);
  expect(hostnamesFor('[FE80::1]')).toEqual([...local, '[fe80::1]']);
  expect(hostnamesFor('Server.Example')).toEqual([...local, 'server.example']);
  expect(hostnamesFor('not a host')).toEqual([...local, 'not a host']);
  expect(hostnamesFor('localhost', 'https://Croft.example:8443/x')).toEqual([...local, 'croft.example']);
  expect(hostnamesFor('localhost', 'no address')).toEqual(local);
  expect(hostnamesFor('localhost', 'data:text')).toEqual(local);
});

describe('a loopback address', () => {
  it('is one only this machine can reach', () => {
    for (const host of ['127.0.0.1', '127.1.2.3', 'localhost', '::1', '[::1]'])
      expect(isLoopback(host), host).toBe(true);
    for (const host of ['0.0.0.0', '::', '10.0.0.1', '127.0.0.1.evil.com', 'localhost.evil.com', '', '128.0.0.1'])
      expect(isLoopback(host), host).toBe(false);
  });
});
