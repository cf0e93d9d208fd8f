import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { subscriberOf } from '../edge/addresses.ts';
import { Problem } from '../problem.ts';

/** How often one may try to sign in. */
export interface SignInLimits {
  /** @throws Problem `too_many_attempts` with Retry-After, for an address or an account tried too often */
  take(address: string, login: string): Promise<void>;
  /** A right password clears the account's count and gives the address its try back. */
  succeeded(address: string, login: string): Promise<void>;
}

const ADDRESS = { points: 30, duration: 600 };
const ACCOUNT = { points: 8, duration: 900 };

/**
 * Counts tries before the password is looked at, so that many at once are no more than many in a row. Counted in memory:
 * a restart forgives.
 */
export function createSignInLimits(): SignInLimits {
  const byAddress = new RateLimiterMemory({ keyPrefix: 'address', ...ADDRESS });
  const byAccount = new RateLimiterMemory({ keyPrefix: 'account', ...ACCOUNT });
  return {
    async take(address, login) {
      await consume(byAddress, subscriberOf(address));
      await consume(byAccount, login.trim().toLowerCase());
    },
    async succeeded(address, login) {
      await byAccount.delete(login.trim().toLowerCase());
      await byAddress.reward(subscriberOf(address), 1);
    },
  };
}

async function consume(limiter: RateLimiterMemory, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error;
    const seconds = Math.max(1, Math.ceil(error.msBeforeNext / 1000));
    throw new Problem(
      429,
      'too_many_attempts',
      `Too many attempts to sign in. Try again in ${seconds < 90 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`}.`,
      { 'Retry-After': String(seconds) },
    );
  }
}
