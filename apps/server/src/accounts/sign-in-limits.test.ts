import { beforeEach, describe, expect, it } from 'vitest';
import { useSharedDatabase } from '../../../../tests/store/use-shared-database.ts';
import type { Problem } from '../problem.ts';
import type { Db } from '../store/database.ts';
import { signInCount } from '../store/schema.ts';
import { createSignInLimits } from './sign-in-limits.ts';

let db: Db;
let now: number;
const MINUTE_MS = 60_000;
const make = () =>
  createSignInLimits(
    async () => db,
    () => now,
  );

useSharedDatabase((database) => void (db = database.db));
beforeEach(async () => {
  now = Date.parse('2026-01-01T00:00:00Z');
  await db.delete(signInCount);
});

/** Seconds to wait; 0 for a try that was let through. */
async function attempt(address: string, account: string, browser?: string, limits = make()): Promise<number> {
  try {
    await limits.take({ address, account, browser });
    return 0;
  } catch (error) {
    return Number((error as Problem).headers['Retry-After']);
  }
}
const host = (index: number) => `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;
/** Guesses from many addresses, few from each. */
async function guessFromEverywhere(account: string, tries: number): Promise<number[]> {
  const limits = make();
  const waits = await Promise.all(
    Array.from({ length: tries }, (_, index) => attempt(host(index), account, undefined, limits)),
  );
  return waits.sort((a, b) => a - b);
}

describe('tries to sign in', () => {
  it('of one address at one account are eight in a quarter of an hour, and others are not stopped by them', async () => {
    for (let i = 0; i < 8; i++) expect(await attempt('10.0.0.1', 'ada')).toBe(0);
    expect(await attempt('10.0.0.1', 'ada')).toBe(900);
    expect(await attempt('10.0.0.2', 'ada')).toBe(0);
    expect(await attempt('10.0.0.1', 'ben')).toBe(0);
    now += 15 * MINUTE_MS;
    expect(await attempt('10.0.0.1', 'ada')).toBe(0);
  });

  it('that are refused for their account leave the attempts of others at the address', async () => {
    for (let i = 0; i < 8; i++) expect(await attempt('192.0.2.1', 'ada')).toBe(0);
    for (let i = 0; i < 30; i++) expect(await attempt('192.0.2.1', 'ada')).toBe(900);
    await guessFromEverywhere('grace', 40);
    for (let i = 0; i < 30; i++) expect(await attempt('192.0.2.1', 'grace')).toBeGreaterThan(0);
    for (let i = 0; i < 22; i++) expect(await attempt('192.0.2.1', `user-${i}`)).toBe(0);
    expect(await attempt('192.0.2.1', 'one-more')).toBe(600);
  });

  it('of one address are thirty in ten minutes, whatever the accounts; a network of IPv6 is one address', async () => {
    for (let i = 0; i < 30; i++) expect(await attempt(`2001:db8::${i.toString(16)}`, `user-${i}`)).toBe(0);
    expect(await attempt('2001:db8::ffff', 'one-more')).toBe(600);
    expect(await attempt('2001:db8:0:1::1', 'one-more')).toBe(0);
  });

  it('of many addresses at one account come slower and slower, and never to an end', async () => {
    expect(await guessFromEverywhere('ada', 30)).toEqual(Array(30).fill(0));
    const waits: number[] = [];
    for (let i = 0; i < 70; i++) {
      const waitS = i % 10 === 0 ? await attempt(`10.9.0.${i}`, 'ada') : waits.at(-1);
      waits.push(waitS ?? 0);
      now += (waitS ?? 0) * 1_000;
      expect(await attempt(`10.9.1.${i}`, 'ada')).toBe(0);
    }
    expect([...new Set(waits)]).toEqual([1, 2, 4, 8, 16, 32, 60]);
    expect(await attempt('10.9.9.9', 'ada')).toBe(60);
    now += 6 * 60 * MINUTE_MS;
    expect(await guessFromEverywhere('ada', 3)).toEqual([0, 0, 0]);
  });

  it('of strangers do not lock a user out of an address or a browser that the user signed in from', async () => {
    await (await make().take({ address: '192.0.2.1', account: 'ada' }))();
    await guessFromEverywhere('ada', 40);
    expect(await attempt('192.0.2.1', 'ada')).toBe(0);
    // Another address waits because of the guesses. Its own refused attempts do not add to that.
    for (let i = 0; i < 12; i++) expect(await attempt('192.0.2.2', 'ada')).toBe(1);
    expect(await attempt('192.0.2.2', 'ada', 'a-browser')).toBe(0);
    // Another user at the same address does not slow down the known browser either.
    for (let i = 0; i < 40; i++) await attempt('192.0.2.1', 'ada');
    expect(await attempt('192.0.2.1', 'ada')).toBeGreaterThan(0);
    expect(await attempt('192.0.2.1', 'ada', 'a-browser')).toBe(0);
    now += 31 * 1_440 * MINUTE_MS;
    await guessFromEverywhere('ada', 31);
    expect(await attempt('192.0.2.1', 'ada')).toBeGreaterThan(0);
  });

  it('in a known browser are eight in a quarter of an hour too', async () => {
    for (let i = 0; i < 8; i++) expect(await attempt(host(i), 'ada', 'a-browser')).toBe(0);
    expect(await attempt('10.0.1.1', 'ada', 'a-browser')).toBe(900);
    expect(await attempt('10.0.1.1', 'ada', 'another')).toBe(0);
  });

  it('of one who knew the password once are few, from however many browsers and addresses they signed in then', async () => {
    const limits = make();
    const wrong = async (index: number, browser?: string) => attempt(host(index), 'ada', browser, limits);
    for (let i = 0; i < 60; i++) await (await limits.take({ address: host(i), account: 'ada' }))();
    let guesses = 0;
    for (let i = 0; i < 40; i++) if ((await wrong(100, `browser-${i}`)) === 0) guesses++;
    // As many as all known browsers have together, and then those of any stranger.
    expect(guesses).toBe(30 + 8);
    guesses = 0;
    for (let i = 0; i < 60; i++) if ((await wrong(i)) === 0) guesses++;
    expect(guesses).toBe(30 + 22);
    // A known user waits for these guesses no longer than any stranger does.
    expect(await wrong(1, 'at-home')).toBeLessThanOrEqual(1);
    now += 1_000;
    expect(await wrong(1, 'at-home')).toBe(0);
  });

  it('do not count when they succeed, and a success does not reset the count of failures', async () => {
    const limits = make();
    for (let i = 0; i < 35; i++) {
      const ben = { address: '10.0.0.1', account: 'ben' };
      await (await limits.take(ben))();
    }
    await guessFromEverywhere('ada', 30);
    const ada = { address: '192.0.2.1', account: 'ada' };
    now += 1_000;
    await (await limits.take(ada))();
    expect(await guessFromEverywhere('ada', 3)).toEqual([0, 1, 1]);
  });

  it('are counted together by two servers, over a restart, and many at once are no more than many in a row', async () => {
    const servers = [make(), make()];
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, i) => attempt('10.0.0.1', 'ada', undefined, servers[i % 2])),
    );
    expect(all.filter((waitS) => waitS === 0)).toHaveLength(8);
    expect(await attempt('10.0.0.1', 'ada', undefined, make())).toBeGreaterThan(0);
  });

  it('leave no empty rows, and no names or addresses in the rows', async () => {
    await guessFromEverywhere('ada', 3);
    expect(JSON.stringify(await db.select().from(signInCount))).not.toMatch(/ada|10\.0/);
    now += 1_440 * MINUTE_MS;
    await attempt('10.0.0.1', 'ben');
    expect(await db.select().from(signInCount)).toHaveLength(3);
  });
});
