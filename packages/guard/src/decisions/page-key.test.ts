import { expect, it } from 'vitest';
import { createPageKeys, makePageCode, makePageSecret, sameSecret } from './page-key.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

function setUp() {
  let time = 1_700_000_000_000;
  const now = () => time;
  const secret = makePageSecret();
  const keys = createPageKeys(secret, now);
  return { keys, secret, makeCode: () => makePageCode(secret, now), pass: (ms: number) => void (time += ms) };
}

it('exchanges each code once, and no other text', () => {
  const { keys, makeCode } = setUp();
  const code = makeCode();
  const [issued = '', signature = ''] = code.split('.');
  const wrong = ['', code.slice(1), `${code}x`, issued, `${issued}x.${signature}`, `${code}.x`, `.${signature}`];
  for (const other of [...wrong, makePageCode(makePageSecret())]) expect(keys.redeem(other), other).toBeUndefined();
  for (const each of [code, makeCode()]) {
    expect(keys.isKey(keys.redeem(each))).toBe(true);
    expect(keys.redeem(each)).toBeUndefined();
  }
});

it('takes no code for a key, and no key for a code', () => {
  const { keys, makeCode } = setUp();
  const code = makeCode();
  expect(keys.isKey(code)).toBe(false);
  expect(keys.redeem(keys.redeem(code) ?? '')).toBeUndefined();
});

it('exchanges a code for ten minutes, and only once in them', () => {
  const { keys, makeCode, pass } = setUp();
  const late = makeCode();
  pass(1);
  const last = makeCode();
  pass(10 * MINUTE_MS);
  expect(keys.redeem(late)).toBeUndefined();
  expect(keys.redeem(last)).toBeDefined();
  expect(keys.redeem(makeCode())).toBeDefined();
  expect(keys.redeem(last)).toBeUndefined();
  pass(-10 * MINUTE_MS - 1);
  expect(keys.redeem(last)).toBeUndefined();
});

it('accepts the key of a browser for a day', () => {
  const { keys, makeCode, pass } = setUp();
  const key = keys.redeem(makeCode());
  pass(DAY_MS - 1);
  expect(keys.isKey(key)).toBe(true);
  pass(1);
  expect(keys.isKey(key)).toBe(false);
});

it('accepts no key that it did not sign: a changed one, one of another run, or one from the future', () => {
  const { keys, makeCode, pass } = setUp();
  const key = keys.redeem(makeCode()) ?? '';
  const [issued = '', signature = ''] = key.split('.');
  const later = (Number.parseInt(issued, 36) + 1).toString(36);
  for (const other of [undefined, '', '.', issued, `${later}.${signature}`, `${issued}.x`, `${key}.x`, `.${signature}`])
    expect(keys.isKey(other), other).toBe(false);
  expect(setUp().keys.isKey(key)).toBe(false);
  pass(-1);
  expect(keys.isKey(key)).toBe(false);
});

it('makes no code and no secret twice', () => {
  for (const make of [setUp().makeCode, makePageSecret])
    expect(new Set(Array.from({ length: 100 }, make)).size).toBe(100);
});

it('compares secrets of any length', () => {
  expect(sameSecret('a', 'a')).toBe(true);
  for (const other of ['b', 'aa', '']) expect(sameSecret('a', other)).toBe(false);
});
