import { expect, it } from 'vitest';
import { createGuardedAddresses } from './guarded-addresses.ts';

const resolve = async (host: string) =>
  ({
    public: [{ address: '93.184.216.34', family: 4 }],
    private: [{ address: '10.0.0.1', family: 4 }],
    mixed: [
      { address: '93.184.216.34', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ],
  })[host] ?? [];
const outcome = (host: string, port = 5432, options: Parameters<typeof createGuardedAddresses>[0] = {}) =>
  createGuardedAddresses({ resolve, ...options })(host, port).then(
    (addresses) => addresses.map(({ address }) => address).join(' '),
    (error: { code: string }) => error.code,
  );

it('gives public addresses, and none of a host that has a private one', async () => {
  expect(await Promise.all(['public', 'private', 'mixed', 'none'].map((host) => outcome(host)))).toEqual([
    '93.184.216.34',
    'refused_address',
    'refused_address',
    'unreachable',
  ]);
});

it('judges an address without resolving it', async () => {
  const never = async () => Promise.reject(new Error('resolved'));
  expect(await outcome('93.184.216.34', 1, { resolve: never })).toBe('93.184.216.34');
  expect(await outcome('127.0.0.1', 1, { resolve: never })).toBe('refused_address');
  expect(await outcome('[::1]', 1, { resolve: never })).toBe('refused_address');
});

it('gives what the operator allows', async () => {
  expect(await outcome('private', 5432, { allow: ['private:5432'] })).toBe('10.0.0.1');
  expect(await outcome('private', 5433, { allow: ['private:5432'] })).toBe('refused_address');
  expect(() => createGuardedAddresses({ allow: ['no host/'] })).toThrow(RangeError);
});
