import type { RateLimiterMemory } from 'rate-limiter-flexible';
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
  let opened: ReturnType<typeof openLimiters> | undefined;
  return {
    async take(address, login) {
      const { byAddress, byAccount } = await (opened ??= openLimiters());
      await consume(byAddress, subscriberOf(address));
      await consume(byAccount, login.trim().toLowerCase());
    },
    async succeeded(address, login) {
      const { byAddress, byAccount } = await (opened ??= openLimiters());
      await byAccount.delete(login.trim().toLowerCase());
      await byAddress.reward(subscriberOf(address), 1);
    },
  };
}

/** The library brings limiters over thirty kinds of stores; it is read when somebody first signs in. */
async function openLimiters(): Promise<{ byAddress: RateLimiterMemory; byAccount: RateLimiterMemory }> {
  const { RateLimiterMemory } = await import('rate-limiter-flexible');
  return {
    byAddress: new RateLimiterMemory({ keyPrefix: 'address', ...ADDRESS }),
    byAccount: new RateLimiterMemory({ keyPrefix: 'account', ...ACCOUNT }),
  };
}

async function consume(limiter: RateLimiterMemory, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (error) {
    const { RateLimiterRes } = await import('rate-limiter-flexible');
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
