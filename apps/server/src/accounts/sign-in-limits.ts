import { subscriberOf } from '../edge/addresses.ts';
import { Problem } from '../problem.ts';
import type { Db } from '../store/database.ts';
import {
  forgetTries,
  giveTryBack,
  isRemembered,
  remember,
  sweepTries,
  takeTry,
  type TryRule,
} from '../store/sign-in-counts.ts';

/** Somebody who tries to sign in. */
export interface SignInTry {
  readonly address: string;
  /** One way to write each account, or each would have tries of its own. */
  readonly account: string;
  /** The browser, where it has signed in to this very account before and can prove it. */
  readonly browser?: string | undefined;
}

/** How often one may try to sign in. */
export interface SignInLimits {
  /** Counts a try, before the password is looked at. @throws Problem `too_many_attempts` with Retry-After */
  take(tried: SignInTry): Promise<void>;
  /** The password was right: it was no guess, and the address is known from now on. */
  succeeded(tried: SignInTry): Promise<void>;
}

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;
/** One address that goes through many accounts. */
const OF_ADDRESS: TryRule = { kind: 'window', tries: 30, windowMs: 10 * MINUTE_MS };
/** One address, or one browser, at one account. */
const OF_PAIR: TryRule = { kind: 'window', tries: 8, windowMs: 15 * MINUTE_MS };
/** Many addresses at one account: slower and slower, and never shut. */
const OF_ACCOUNT: TryRule = { kind: 'wait', tries: 30, windowMs: DAY_MS / 4, mostMs: MINUTE_MS };
const KNOWN_MS = 30 * DAY_MS;
const SWEEP_EVERY_MS = 10 * MINUTE_MS;

/**
 * Counts tries in the database. What a stranger does slows strangers down: an account that is guessed at from everywhere
 * still opens from an address it was opened from within 30 days, and in a browser that signed in before, which has a
 * count of its own. So nobody can lock somebody else out of where they are at home.
 */
export function createSignInLimits(storage: () => Promise<Db>, now: () => number = Date.now): SignInLimits {
  let sweptAt = 0;
  const consume = async (what: string, rule: TryRule): Promise<void> => {
    const waitMs = await takeTry(await storage(), what, rule, new Date(now()));
    if (waitMs > 0) throw tooMany(Math.ceil(waitMs / 1_000));
  };
  return {
    async take(tried) {
      const db = await storage();
      if (now() - sweptAt > SWEEP_EVERY_MS) {
        sweptAt = now();
        await sweepTries(db, new Date(now()));
      }
      const { address, browser, pair, known, account } = countsOf(tried);
      if (browser !== undefined) return consume(browser, OF_PAIR);
      await consume(address, OF_ADDRESS);
      await consume(pair, OF_PAIR);
      if (await isRemembered(db, known, new Date(now()))) return;
      await consume(account, OF_ACCOUNT).catch(async (error: unknown) => {
        // No password was looked at: who has to wait for others does not use up what is their own.
        await giveTryBack(db, pair, new Date(now()));
        throw error;
      });
    },
    async succeeded(tried) {
      const db = await storage();
      const { address, browser, pair, known, account } = countsOf(tried);
      const at = new Date(now());
      if (browser !== undefined) await forgetTries(db, browser);
      else {
        await forgetTries(db, pair);
        await giveTryBack(db, address, at);
        if (!(await isRemembered(db, known, at))) await giveTryBack(db, account, at);
      }
      await remember(db, known, new Date(now() + KNOWN_MS), at);
    },
  };
}

function countsOf({ address, account, browser }: SignInTry) {
  const subscriber = subscriberOf(address);
  return {
    address: `address ${subscriber}`,
    pair: `pair ${subscriber} ${account}`,
    known: `known ${subscriber} ${account}`,
    account: `account ${account}`,
    browser: browser === undefined ? undefined : `browser ${browser} ${account}`,
  };
}

function tooMany(seconds: number): Problem {
  return new Problem(
    429,
    'too_many_attempts',
    `Too many attempts to sign in. Try again in ${seconds < 90 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`}.`,
    { 'Retry-After': String(seconds) },
  );
}
