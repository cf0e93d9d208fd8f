import { beforeEach, expect, it } from 'vitest';
import { useTestDatabase } from '../../../../tests/store/use-test-database.ts';
import type { Db } from './database.ts';
import { signInCount } from './schema.ts';
import {
  forgetTries,
  giveTryBack,
  isRemembered,
  remember,
  sweepTries,
  takeTry,
  type TryRule,
} from './sign-in-counts.ts';

const MINUTE_MS = 60_000;
const WINDOW: TryRule = { kind: 'window', tries: 3, windowMs: MINUTE_MS };
const WAIT: TryRule = { kind: 'wait', tries: 2, windowMs: 60 * MINUTE_MS, mostMs: 4_000 };
const START = Date.parse('2030-01-01T00:00:00Z');

let db: Db;
useTestDatabase(({ database }) => void ({ db } = database));
beforeEach(() => db.delete(signInCount));

const at = (ms: number) => new Date(START + ms);
const take = (rule: TryRule, ms: number, what = 'ada') => takeTry(db, what, rule, at(ms));

it('allows the attempts of a window, refuses the next, and says how long to wait', async () => {
  for (const ms of [0, 1_000, 2_000]) expect(await take(WINDOW, ms)).toBe(0);
  expect(await take(WINDOW, 20_000)).toBe(MINUTE_MS - 20_000);
  expect(await take(WINDOW, 20_000, 'ben')).toBe(0);
  expect(await take(WINDOW, MINUTE_MS)).toBe(0);
});

it('counts attempts at the same time like those one after another', async () => {
  const waits = await Promise.all(Array.from({ length: 20 }, () => take(WINDOW, 0)));
  expect(waits.filter((wait) => wait === 0)).toHaveLength(3);
});

it('lets an account wait after its first attempts, and doubles the wait every ten up to its most', async () => {
  let now = 0;
  const waitAfter = async (attempts: number) => {
    for (let count = 0; count < attempts; count++) {
      expect(await take(WAIT, now)).toBe(0);
      now += 4_000;
    }
    return take(WAIT, now - 4_000 + 1).then((wait) => wait + 1);
  };
  expect(await waitAfter(2)).toBe(1_000);
  expect(await waitAfter(10)).toBe(2_000);
  expect(await waitAfter(10)).toBe(4_000);
  expect(await waitAfter(10)).toBe(4_000);
});

it('gives one attempt back, or forgets all of them', async () => {
  for (const ms of [0, 1, 2]) await take(WINDOW, ms);
  await giveTryBack(db, 'ada', at(3));
  expect([await take(WINDOW, 4), (await take(WINDOW, 5)) > 0]).toEqual([0, true]);
  await forgetTries(db, 'ada');
  expect(await take(WINDOW, 6)).toBe(0);
});

it('remembers a mark until its time, and sweeps what has expired', async () => {
  await remember(db, 'browser', at(1_000), at(0));
  expect([await isRemembered(db, 'browser', at(999)), await isRemembered(db, 'browser', at(1_000))]).toEqual([
    true,
    false,
  ]);
  expect(await isRemembered(db, 'other', at(0))).toBe(false);
  await take(WINDOW, 0);
  await sweepTries(db, at(2_000));
  expect(await db.select().from(signInCount)).toHaveLength(1);
  await sweepTries(db, at(MINUTE_MS + 1));
  expect(await db.select().from(signInCount)).toEqual([]);
});

it('stores no names', async () => {
  await take(WINDOW, 0, 'ada@example.test');
  expect(JSON.stringify(await db.select().from(signInCount))).not.toContain('ada');
});
