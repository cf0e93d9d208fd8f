import { expect, it } from 'vitest';
import { NetworkError, refusedAddress } from './network-error.ts';

it('says what failed and what to do, without an address that a name led to', () => {
  const error = refusedAddress('host.example');
  expect(error).toBeInstanceOf(NetworkError);
  expect([error.code, error.message, error.name]).toEqual([
    'refused_address',
    "Requests to 'host.example' are refused: the address is private or local.",
    'NetworkError',
  ]);
  expect(error.fix).toContain('--allow-host');
  expect(refusedAddress('x'.repeat(500)).message.length).toBeLessThan(300);
});
