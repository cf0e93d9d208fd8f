import { afterEach, describe, expect, it, vi } from 'vitest';
import { refusalOf } from '@croft/workspace/testing';
import { modelFetch, runNetwork } from './run-network.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});
const withoutProxy = () => {
  for (const name of ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy']) vi.stubEnv(name, undefined);
};

describe('the credentials of a run', () => {
  it('are variables of the environment, each bound to its hosts', () => {
    withoutProxy();
    vi.stubEnv('API_TOKEN', 'secret');
    const { services, secrets } = runNetwork([], ['API_TOKEN=a.example', 'API_TOKEN=http://b.example:81']);
    expect(services.credential('API_TOKEN')).toEqual({ value: 'secret', hosts: ['a.example', 'http://b.example:81'] });
    expect([services.credential('OTHER'), secrets]).toEqual([undefined, ['secret']]);
  });

  it.each(['API_TOKEN', '=a.example', 'API_TOKEN=', '1X=a.example', 'API_TOKEN=a.example/path'])(
    'are not written as %s',
    (binding) => {
      withoutProxy();
      vi.stubEnv('API_TOKEN', 'secret');
      expect(refusalOf(() => runNetwork([], [binding]))).toMatch(/^--credential: write it as NAME=HOST/);
    },
  );

  it('need a value', () => {
    withoutProxy();
    vi.stubEnv('API_TOKEN', '');
    expect(refusalOf(() => runNetwork([], ['API_TOKEN=a.example']))).toBe(
      '--credential: the variable API_TOKEN is not set',
    );
  });
});

it('says which setting of the network is wrong', () => {
  withoutProxy();
  expect(refusalOf(() => runNetwork(['no host/'], []))).toMatch(/^--allow-host: /);
  vi.stubEnv('HTTPS_PROXY', 'no proxy at all:');
  expect(refusalOf(() => runNetwork([], []))).toMatch(/^HTTPS_PROXY or HTTP_PROXY: /);
});

it('leaves models their own network without a proxy', () => {
  withoutProxy();
  expect(modelFetch()).toBeUndefined();
  vi.stubEnv('HTTPS_PROXY', 'http://127.0.0.1:9');
  expect(modelFetch()).toBeTypeOf('function');
});
