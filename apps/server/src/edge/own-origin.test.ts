import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import { originRule, type OwnNames } from './own-origin.ts';

const refusal = (publicUrl: string, origin: string, host = 'croft.example') =>
  originRule({ host: '127.0.0.1', publicUrl, allowedOrigins: [] }).refuse({ origin }, host);

describe('an origin in the name of the public address', () => {
  it('is foreign over http where the public address is https, because an attacker on the network can serve such a page', () => {
    expect(refusal('https://croft.example/', 'https://croft.example')).toBeUndefined();
    expect(refusal('https://croft.example/', 'http://croft.example')).toBe('Origin not allowed');
    expect(refusal('https://croft.example/', 'http://croft.example:8080', 'croft.example:8080')).toBe(
      'Origin not allowed',
    );
  });

  it('is ours over http where the address is http, and this machine is by its own names', () => {
    expect(refusal('http://croft.example/', 'http://croft.example')).toBeUndefined();
    expect(refusal('https://croft.example/', 'http://localhost:7860', 'localhost:7860')).toBeUndefined();
  });
});

const HOST_REFUSED = 'Host not allowed: name it in CROFT_PUBLIC_URL or CROFT_ALLOWED_ORIGINS';
const ruleOf = (names: Partial<OwnNames> = {}) =>
  originRule({ host: '127.0.0.1', publicUrl: undefined, allowedOrigins: [], ...names });

describe('a host', () => {
  const hosts = (asked: readonly (string | undefined)[], names: Partial<OwnNames> = {}) =>
    asked.filter((host) => ruleOf(names).refuse({}, host) === undefined);

  it('is ours by a name of this machine, of the public address or of an allowed origin, with any port', () => {
    const asked = ['localhost', 'LOCALHOST:1', '127.0.0.1:7860', '[::1]:7860', 'croft.example', 'app.example:3000'];
    expect(hosts(asked)).toEqual(['localhost', 'LOCALHOST:1', '127.0.0.1:7860', '[::1]:7860']);
    expect(hosts(asked, { publicUrl: 'https://croft.example/', allowedOrigins: ['https://app.example'] })).toEqual(
      asked,
    );
  });

  it('is refused where it is missing or more than a name and a port', () => {
    expect(ruleOf().refuse({}, undefined)).toBe(HOST_REFUSED);
    expect(
      hosts(['', 'localhost/', 'a@localhost', 'localhost?', 'x localhost', 'localhost:99999', 'x.localhost']),
    ).toEqual([]);
  });

  it('is ours by each address of this machine where the server listens on all of them', () => {
    const addresses = Object.values(networkInterfaces()).flatMap((all) => all?.map(({ address }) => address) ?? []);
    const asked = addresses
      .filter((address) => !address.includes('%'))
      .map((each) => (each.includes(':') ? `[${each}]` : each));
    expect(asked.length).toBeGreaterThan(0);
    expect(hosts(asked, { host: '0.0.0.0' })).toEqual(asked);
    expect(hosts(asked, { host: '::' })).toEqual(asked);
    const others = asked.filter((host) => host !== '127.0.0.1' && host !== '[::1]');
    expect(hosts(others)).toEqual([]);
  });
});

describe('an origin', () => {
  const origins = (asked: readonly string[], host: string, names: Partial<OwnNames> = {}) =>
    asked.filter((origin) => ruleOf(names).refuse({ origin }, host) === undefined);

  it('is ours over http, by one of our names and the port of the request', () => {
    const asked = [
      'http://localhost:7860',
      'http://127.0.0.1:7860',
      'http://localhost:7861',
      'http://localhost',
      'https://localhost:7860',
      'http://evil.example:7860',
      'null',
      'localhost:7860',
      'http://localhost:7860/path',
      'http://a@localhost:7860',
    ];
    expect(origins(asked, 'localhost:7860')).toEqual(['http://localhost:7860', 'http://127.0.0.1:7860']);
    expect(origins(asked, 'localhost')).toEqual(['http://localhost']);
  });

  it('is ours where it is that of the public address or an allowed one, whatever the host is', () => {
    const names = { publicUrl: 'https://croft.example/base', allowedOrigins: ['https://app.example:3000/'] };
    const asked = [
      'https://croft.example',
      'https://app.example:3000',
      'https://app.example',
      'https://croft.example:1',
    ];
    expect(origins(asked, 'localhost', names)).toEqual(['https://croft.example', 'https://app.example:3000']);
  });

  it('may read responses to requests with a key only where it is allowed', () => {
    const rule = ruleOf({
      publicUrl: 'https://croft.example',
      allowedOrigins: ['https://app.example/', 'https://croft.example'],
    });
    expect(['https://app.example', 'https://croft.example', 'http://localhost'].map(rule.isAllowed)).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe('a page of ours', () => {
  const rule = ruleOf({ allowedOrigins: ['https://app.example'] });
  const isOwnPage = (method: string, headers: IncomingHttpHeaders) =>
    rule.isOwnPage({ method, headers } as unknown as IncomingMessage);

  it.each([
    ['GET', {}, true],
    ['HEAD', {}, true],
    ['POST', {}, false],
    ['OPTIONS', {}, false],
    ['GET', { 'sec-fetch-site': 'none' }, true],
    ['GET', { 'sec-fetch-site': 'same-origin' }, true],
    ['GET', { 'sec-fetch-site': 'same-site' }, false],
    ['GET', { 'sec-fetch-site': 'cross-site' }, false],
    ['POST', { 'sec-fetch-site': 'none' }, false],
    ['POST', { 'sec-fetch-site': 'same-origin' }, true],
    ['POST', { 'sec-fetch-site': 'cross-site', origin: 'http://localhost' }, false],
    ['POST', { origin: 'http://localhost' }, true],
    ['GET', { origin: 'https://app.example' }, false],
    ['POST', { origin: 'https://app.example', 'sec-fetch-site': 'same-origin' }, false],
  ])('has sent %s with %j: %s', (method, headers, expected) => {
    expect(isOwnPage(method, headers)).toBe(expected);
  });
});
