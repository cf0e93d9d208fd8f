import { describe, expect, it } from 'vitest';
import { addressRules, isPublicAddress, ownNetworks } from './addresses.ts';
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
