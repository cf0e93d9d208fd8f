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

/** One attempt to sign in. */
export interface SignInTry {
  readonly address: string;
  /** Normalized: each account has one spelling, or each spelling would have a count of its own. */
  readonly account: string;
  /** The id of the browser, if it proves that it signed in to this account before. */
  readonly browser?: string | undefined;
}

/** Limits how often a caller may try to sign in. */
export interface SignInLimits {
  /**
   * Counts an attempt. Call it before checking the password.
   *
   * @returns a function to call if the password is correct: it uncounts the attempt and makes the address known
   * @throws Problem `too_many_attempts` with Retry-After
   */
  take(tried: SignInTry): Promise<() => Promise<void>>;
}

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;
/** For one address that tries many accounts. */
const OF_ADDRESS: TryRule = { kind: 'window', tries: 30, windowMs: 10 * MINUTE_MS };
/** For one address, or one browser, that tries one account. */
const OF_PAIR: TryRule = { kind: 'window', tries: 8, windowMs: 15 * MINUTE_MS };
/** For many addresses that try one account: each attempt waits longer, but the account is never locked. */
const OF_ACCOUNT: TryRule = { kind: 'wait', tries: 30, windowMs: DAY_MS / 4, mostMs: MINUTE_MS };
const KNOWN_MS = 30 * DAY_MS;
const SWEEP_EVERY_MS = 10 * MINUTE_MS;

/**
 * Counts sign-in attempts in the database. Attempts of strangers slow down strangers only: an account under attack from
 * many addresses still opens from an address that signed in to it within 30 days, and in a browser that signed in
 * before, which has a count of its own. So an attacker cannot lock users out at their usual address or in their
 * browser.
 *
 * A person who knew an old password may have made many browsers and addresses known, and may guess the new password. So
 * all known browsers of an account share one count, and so do all known addresses. When it is used up, they count as
 * strangers.
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

/** A count that an attempt used. A correct password resets the caller's own counts, and uncounts it in shared ones. */
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
  // The password of a refused attempt was not checked: it must not use up counts of the caller, or of others at the address.
  const uncount =
    (...whats: readonly string[]) =>
    async (error: unknown) => {
      for (const what of whats) await giveTryBack(db, what, at);
      throw error;
    };
  await consume(db, address, OF_ADDRESS, at);
  await consume(db, pair, OF_PAIR, at).catch(uncount(address));
  if ((await isRemembered(db, known, at)) && (await takeTry(db, homes, OF_ACCOUNT, at)) === 0)
    return [shared(address), own(pair), shared(homes)];
  await consume(db, account, OF_ACCOUNT, at).catch(uncount(pair, address));
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
