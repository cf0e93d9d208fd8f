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
  /**
   * Counts a try, before the password is looked at.
   *
   * @returns to be called where the password was right: it was no guess, and the address is known from now on
   * @throws Problem `too_many_attempts` with Retry-After
   */
  take(tried: SignInTry): Promise<() => Promise<void>>;
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
 *
 * Who knew a password once may have become known in many browsers and at many addresses, and be a guesser since it was
 * changed. So all known ones of an account have a count together; when it is used up they are strangers.
 */
export function createSignInLimits(storage: () => Promise<Db>, now: () => number = Date.now): SignInLimits {
  let sweptAt = 0;
  const sweep = async (db: Db): Promise<void> => {
    if (now() - sweptAt <= SWEEP_EVERY_MS) return;
    sweptAt = now();
    await sweepTries(db, new Date(now()));
  };
  return {
    async take(tried) {
      const db = await storage();
      await sweep(db);
      const { known } = countsOf(tried);
      const taken = await takeAll(db, tried, new Date(now()));
      return async () => {
        const at = new Date(now());
        for (const { what, isOwn } of taken) await (isOwn ? forgetTries(db, what) : giveTryBack(db, what, at));
        await remember(db, known, new Date(now() + KNOWN_MS), at);
      };
    },
  };
}

/** A count that was used. One's own is forgotten when the password was right; of others' only the try is given back. */
interface Taken {
  readonly what: string;
  readonly isOwn: boolean;
}

/** @throws Problem `too_many_attempts` */
async function takeAll(db: Db, tried: SignInTry, at: Date): Promise<Taken[]> {
  const { address, browser, browsers, pair, known, homes, account } = countsOf(tried);
  if (browser !== undefined) {
    await consume(db, browser, OF_PAIR, at);
    if ((await takeTry(db, browsers, OF_ACCOUNT, at)) === 0) return [own(browser), shared(browsers)];
    await giveTryBack(db, browser, at);
  }
  await consume(db, address, OF_ADDRESS, at);
  await consume(db, pair, OF_PAIR, at);
  if ((await isRemembered(db, known, at)) && (await takeTry(db, homes, OF_ACCOUNT, at)) === 0)
    return [shared(address), own(pair), shared(homes)];
  await consume(db, account, OF_ACCOUNT, at).catch(async (error: unknown) => {
    // No password was looked at: who has to wait for others does not use up what is their own.
    await giveTryBack(db, pair, at);
    throw error;
  });
  return [shared(address), own(pair), shared(account)];
}

const own = (what: string): Taken => ({ what, isOwn: true });
const shared = (what: string): Taken => ({ what, isOwn: false });

async function consume(db: Db, what: string, rule: TryRule, at: Date): Promise<void> {
  const waitMs = await takeTry(db, what, rule, at);
  if (waitMs > 0) throw tooMany(Math.ceil(waitMs / 1_000));
}

function countsOf({ address, account, browser }: SignInTry) {
  const subscriber = subscriberOf(address);
  return {
    address: `address ${subscriber}`,
    pair: `pair ${subscriber} ${account}`,
    known: `known ${subscriber} ${account}`,
    homes: `known addresses of ${account}`,
    account: `account ${account}`,
    browser: browser === undefined ? undefined : `browser ${browser} ${account}`,
    browsers: `known browsers of ${account}`,
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
