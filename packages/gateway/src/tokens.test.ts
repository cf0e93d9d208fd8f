import { expect, it } from 'vitest';
import { hashKey, makePairingToken, makeRequestId, makeSessionKey, sameHash } from './tokens.ts';

it.each([
  ['pairing tokens', makePairingToken, /^gw_[\w-]{32}$/],
  ['session keys', makeSessionKey, /^sess_[\w-]{43}$/],
  ['request ids', makeRequestId, /^gw_[\w-]{22}$/],
] as const)('%s have the bits that make them impossible to guess, and are never the same', (_, make, form) => {
  const made = Array.from({ length: 500 }, () => make());
  for (const each of made) expect(each).toMatch(form);
  expect(new Set(made).size).toBe(made.length);
});

it('stores the SHA-256 of a key', () => {
  expect(hashKey('sess_abc')).toBe('V8TbLzg8rJBFQ-RgueNVvOt4FDF3P_HrVbIyYigC2Tc');
  expect(hashKey('sess_abd')).not.toBe(hashKey('sess_abc'));
});

it('compares hashes of any length', () => {
  const hash = hashKey('a');
  expect(sameHash(hash, hashKey('a'))).toBe(true);
  for (const other of [hashKey('b'), hash.slice(1), `${hash}=`, '']) expect(sameHash(hash, other), other).toBe(false);
});
