import { expect, it, vi } from 'vitest';
import { UsageError } from '../usage-error.ts';
import { environmentProxy } from './environment-proxy.ts';

it('reads the proxies in capitals or small letters, the capitals first', () => {
  expect(environmentProxy({ HTTPS_PROXY: ' http://a:1 ', https_proxy: 'http://b:2', no_proxy: 'x' })).toEqual({
    httpProxy: undefined,
    httpsProxy: 'http://a:1',
    noProxy: 'x',
    asksFor: 'addresses',
  });
  expect(environmentProxy({ HTTP_PROXY: ' ', http_proxy: 'http://b:2', CROFT_FLOW_PROXY: 'names' })).toMatchObject({
    httpProxy: 'http://b:2',
    asksFor: 'names',
  });
});

it('is undefined where the environment names none, or the user switched it off', () => {
  expect(environmentProxy({ NO_PROXY: '*' })).toBeUndefined();
  expect(environmentProxy({ HTTP_PROXY: 'http://a:1', CROFT_FLOW_PROXY: ' off ' })).toBeUndefined();
});

it('refuses another value of the variable, also where no proxy is set', () => {
  expect(() => environmentProxy({ CROFT_FLOW_PROXY: 'on' })).toThrow(
    'CROFT_FLOW_PROXY must be one of addresses, names, off',
  );
});

it('has both proxies and the exceptions', () => {
  const env = { HTTP_PROXY: 'http://a:1', https_proxy: 'http://b:2', NO_PROXY: 'x', CROFT_FLOW_PROXY: ' ' };
  expect(environmentProxy(env)).toEqual({
    httpProxy: 'http://a:1',
    httpsProxy: 'http://b:2',
    noProxy: 'x',
    asksFor: 'addresses',
  });
  expect(environmentProxy({ HTTP_PROXY: 'http://a:1' })).toEqual({
    httpProxy: 'http://a:1',
    httpsProxy: undefined,
    noProxy: undefined,
    asksFor: 'addresses',
  });
  expect(environmentProxy({})).toBeUndefined();
  expect(() => environmentProxy({ CROFT_FLOW_PROXY: 'on' })).toThrow(UsageError);
});

it('reads the environment of the process', () => {
  for (const name of ['HTTP_PROXY', 'http_proxy', 'https_proxy', 'NO_PROXY', 'no_proxy', 'CROFT_FLOW_PROXY'])
    vi.stubEnv(name, undefined);
  vi.stubEnv('HTTPS_PROXY', 'http://c:3');
  const proxy = environmentProxy();
  vi.unstubAllEnvs();
  expect(proxy?.httpsProxy).toBe('http://c:3');
});
