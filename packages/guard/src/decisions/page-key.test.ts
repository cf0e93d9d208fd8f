import { expect, it } from 'vitest';
import { createPageKeys, sameSecret } from './page-key.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

function setUp() {
  let time = 1_700_000_000_000;
  const keys = createPageKeys(() => time);
  return { keys, pass: (ms: number) => void (time += ms) };
}

it('exchanges its code once, and no other text', () => {
  const { keys } = setUp();
  for (const other of ['', keys.code.slice(1), `${keys.code}x`]) expect(keys.redeem(other)).toBeUndefined();
  expect(keys.isKey(keys.redeem(keys.code))).toBe(true);
  expect(keys.redeem(keys.code)).toBeUndefined();
});

it('exchanges its code for ten minutes', () => {
  const late = setUp();
  late.pass(10 * MINUTE_MS + 1);
  expect(late.keys.redeem(late.keys.code)).toBeUndefined();
  const early = setUp();
  early.pass(10 * MINUTE_MS);
  expect(early.keys.redeem(early.keys.code)).toBeDefined();
});

it('accepts the key of a browser for a day', () => {
  const { keys, pass } = setUp();
  const key = keys.redeem(keys.code);
  pass(DAY_MS - 1);
  expect(keys.isKey(key)).toBe(true);
  pass(1);
  expect(keys.isKey(key)).toBe(false);
});

it('accepts no key that it did not sign: a changed one, one of another run, or one from the future', () => {
  const { keys, pass } = setUp();
  const key = keys.redeem(keys.code) ?? '';
  const [issued = '', signature = ''] = key.split('.');
  const later = (Number.parseInt(issued, 36) + 1).toString(36);
  for (const other of [undefined, '', '.', issued, `${later}.${signature}`, `${issued}.x`, `${key}.x`, `.${signature}`])
    expect(keys.isKey(other), other).toBe(false);
  expect(setUp().keys.isKey(key)).toBe(false);
  pass(-1);
  expect(keys.isKey(key)).toBe(false);
});

it('has no two codes alike', () => {
  expect(new Set(Array.from({ length: 100 }, () => createPageKeys().code)).size).toBe(100);
});

it('compares secrets of any length', () => {
  expect(sameSecret('a', 'a')).toBe(true);
  for (const other of ['b', 'aa', '']) expect(sameSecret('a', other)).toBe(false);
});
