import type { LookupAddress } from 'node:dns';
import { addressRules, hostKey } from './addresses.ts';
import { pinnedAddresses, resolveAll } from './guarded-client.ts';
import type { GuardedFetchOptions } from './guarded-fetch.ts';

/** Resolves a host to addresses that a run may connect to. */
export type GuardedAddresses = (host: string, port: number) => Promise<readonly LookupAddress[]>;

/**
 * The rules of `createGuardedFetch` for connections that are not HTTP: connect to the addresses that it gives, and to no
 * other, because a later look-up can give others.
 *
 * @throws RangeError where an entry of `allow` is not a host. The returned function rejects with NetworkError.
 */
export function createGuardedAddresses(
  options: Pick<GuardedFetchOptions, 'allow' | 'resolve' | 'ownNetworks'> = {},
): GuardedAddresses {
  const rules = addressRules(options.allow, options.ownNetworks);
  const resolve = options.resolve ?? resolveAll;
  return (host, port) => pinnedAddresses(hostKey(host), port, rules, resolve);
}
