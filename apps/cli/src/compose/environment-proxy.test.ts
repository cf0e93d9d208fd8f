import { expect, it } from 'vitest';
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
