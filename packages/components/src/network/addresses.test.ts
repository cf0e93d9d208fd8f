import { describe, expect, it } from 'vitest';
import { addressRules, hostKey, isPublicAddress, ownNetworks } from './addresses.ts';
import type { Resolve } from './guarded-client.ts';
import { createGuardedFetch } from './guarded-fetch.ts';

describe('the own networks of the machine', () => {
  const networks = ['2600:1f18:1:2::10/64', '198.35.26.96/24', '2a00:1450::7/0', 'fe80::1%eth0/64'];

  it.each([
    ['2600:1f18:1:2::10', false],
    ['2600:1f18:1:2:ffff::1', false],
    ['2600:1f18:1:3::1', true],
    ['198.35.26.1', false],
    ['198.35.27.1', true],
    ['2a00:1450::7', false],
    ['2a00:1450::8', true],
  ])('allow %s: %s', (address, isAllowed) => {
    expect(addressRules([], () => networks).allows('own.example', 80, address)).toBe(isAllowed);
  });

  it('are refused by name and by address, except where the administrator allows them', async () => {
    const own = () => ['93.184.216.10/24'];
    const names: Resolve = async () => [{ address: '93.184.216.34', family: 4 }];
    const fetch = createGuardedFetch({ resolve: names, ownNetworks: own });
    for (const url of ['http://neighbour.example/', 'http://93.184.216.10/'])
      await expect(fetch(url)).rejects.toMatchObject({ code: 'refused_address' });
    expect(addressRules(['neighbour.example'], own).allows('neighbour.example', 80, '93.184.216.34')).toBe(true);
  });

  it('are read again for each connection', () => {
    const joined: string[] = [];
    const rules = addressRules([], () => joined);
    const isAllowed = () => rules.allows('late.example', 80, '2600:1f18:1:2::1');
    expect(isAllowed()).toBe(true);
    joined.push('2600:1f18:1:2::10/64');
    expect(isAllowed()).toBe(false);
  });

  it('are those of its interfaces', () => {
    expect(ownNetworks()).toContain('127.0.0.1/8');
  });
});

it.each([
  ['93.184.216.34', true],
  ['1.1.1.1', true],
  ['2606:4700:4700::1111', true],
  ['2a00:1450::1', true],
  ['100.128.0.1', true],
  ['172.32.0.1', true],
  ['100.127.255.255', false],
  ['2001:db8::1', false],
  ['::ffff:93.184.216.34', false],
  ['not an address', false],
])('classifies %s as public: %s', (address, isPublic) => {
  expect(isPublicAddress(address)).toBe(isPublic);
});

it.each([
  ['0.0.0.0', '0.255.255.255', '1.0.0.0'],
  ['10.0.0.0', '10.255.255.255', '11.0.0.0'],
  ['100.64.0.0', '100.127.255.255', '100.128.0.0'],
  ['127.0.0.0', '127.255.255.255', '128.0.0.0'],
  ['169.254.0.0', '169.254.255.255', '169.255.0.0'],
  ['168.63.129.16', '168.63.129.16', '168.63.129.17'],
  ['172.16.0.0', '172.31.255.255', '172.32.0.0'],
  ['192.0.0.0', '192.0.0.255', '192.0.1.0'],
  ['192.0.2.0', '192.0.2.255', '192.0.3.0'],
  ['192.88.99.0', '192.88.99.255', '192.88.100.0'],
  ['192.168.0.0', '192.168.255.255', '192.169.0.0'],
  ['198.18.0.0', '198.19.255.255', '198.20.0.0'],
  ['198.51.100.0', '198.51.100.255', '198.51.101.0'],
  ['203.0.113.0', '203.0.113.255', '203.0.114.0'],
  ['224.0.0.0', '255.255.255.255', '223.255.255.255'],
  ['2001::', '2001:1ff:ffff::', '2001:200::'],
  ['2001:db8::', '2001:db8:ffff::', '2001:db9::'],
  ['2002::', '2002:ffff::', '2003::'],
  ['3fff::', '3fff:fff:ffff::', '3fff:1000::'],
  ['1fff:ffff::', '4000::', '2000::'],
  ['::1', 'fe80::1%eth0', '2600::1%eth0'],
])('refuses %s and %s, and not %s', (first, last, outside) => {
  expect([first, last, outside].map(isPublicAddress)).toEqual([false, false, true]);
});

describe('the exceptions of the administrator', () => {
  const allows = (entry: string, host: string, port: number, address: string) =>
    addressRules([entry], () => []).allows(host, port, address);

  it.each<[string, string, number, string, boolean]>([
    ['db.example', 'DB.example.', 80, '10.0.0.5', true],
    ['DB.Example.', 'db.example', 80, '10.0.0.5', true],
    ['db.example', 'x.db.example', 80, '10.0.0.5', false],
    ['db.example:5432', 'db.example', 5_432, '10.0.0.5', true],
    ['db.example:5432', 'db.example', 80, '10.0.0.5', false],
    [' 10.0.0.5 ', 'any', 80, '10.0.0.5', true],
    ['10.0.0.5', 'any', 80, '10.0.0.6', false],
    ['10.0.0.5', '10.0.0.5', 80, '10.0.0.6', false],
    ['10.0.0.0/8:80', 'any', 80, '10.255.0.1', true],
    ['10.0.0.0/8:80', 'any', 81, '10.255.0.1', false],
    ['10.0.0.0/8', 'any', 80, '11.0.0.1', true],
    ['10.0.0.0/32', 'any', 80, '10.0.0.1', false],
    ['::1', 'any', 80, '::1', true],
    ['[::1]:8080', '[::1]', 8_080, '::1', true],
    ['[::1]:8080', '[::1]', 80, '::1', false],
    ['fd00::/8', 'any', 80, 'fd12::1', true],
    ['fd00::/128', 'any', 80, 'fd00::1', false],
  ])('%s: %s on %d at %s is allowed: %s', (entry, host, port, address, isAllowed) => {
    expect(allows(entry, host, port, address)).toBe(isAllowed);
  });

  it.each(['', 'a b', 'a/8', '10.0.0.0/33', '::1/129', 'a:b', 'a:123456', 'http://a', '[a'])('refuses %j', (entry) => {
    expect(() => addressRules([entry])).toThrow(
      new RangeError(`'${entry}' is not a host. Write it as host, host:port, 10.0.0.5 or 10.0.0.0/8.`),
    );
  });

  it('do not make an address public', () => {
    const rules = addressRules(['10.0.0.5'], () => ['93.184.216.34']);
    expect(['10.0.0.5', '93.184.216.34', '93.184.216.35'].map((address) => rules.isPublic(address))).toEqual([
      false,
      false,
      true,
    ]);
  });
});

it('compares host names without case, brackets and the dot of the root', () => {
  expect(['A.Example.', '[::1]', 'a..'].map(hostKey)).toEqual(['a.example', '::1', 'a.']);
});
