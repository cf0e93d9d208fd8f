import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { keepServedGuard, readServedGuards } from './served-guards.ts';

const guardOn = (port: number, secret = 'secret') => ({ port, origin: `http://127.0.0.1:${port}`, secret });

it('keeps the guards of a base directory by port, for this user only', () => {
  const base = testDir();
  expect(readServedGuards(base)).toEqual([]);
  keepServedGuard(base, guardOn(7862));
  const forget = keepServedGuard(base, guardOn(865));
  expect(readServedGuards(base)).toEqual([guardOn(865), guardOn(7862)]);
  for (const path of ['guard', 'guard/serve-127.0.0.1%3A865.json'])
    expect(statSync(join(base, path)).mode & 0o077, path).toBe(0);
  forget();
  forget();
  expect(readdirSync(join(base, 'guard'))).toEqual(['serve-127.0.0.1%3A7862.json']);
});

it('keeps guards of one port at several addresses apart', () => {
  const base = testDir();
  const forget = keepServedGuard(base, guardOn(7861));
  keepServedGuard(base, { ...guardOn(7861), origin: 'http://[::1]:7861' });
  forget();
  expect(readServedGuards(base).map(({ origin }) => origin)).toEqual(['http://[::1]:7861']);
});

it('replaces what a killed guard left on the port, and never keeps its permissions', () => {
  const base = testDir();
  keepServedGuard(base, guardOn(7861, 'old'));
  chmodSync(join(base, 'guard/serve-127.0.0.1%3A7861.json'), 0o644);
  keepServedGuard(base, guardOn(7861, 'new'));
  expect(readServedGuards(base)).toEqual([guardOn(7861, 'new')]);
  expect(statSync(join(base, 'guard/serve-127.0.0.1%3A7861.json')).mode & 0o077).toBe(0);
});

it('reads nothing from other files and broken ones', () => {
  const base = testDir();
  mkdirSync(join(base, 'guard/serve-7.json'), { recursive: true });
  const whole = JSON.stringify(guardOn(1));
  for (const [name, text] of [
    ['serve-1.json', '{'],
    ['serve-2.json', 'null'],
    ['serve-3.json', '{"port":3,"origin":"http://127.0.0.1:3"}'],
    ['serve-4.json', '{"port":4,"secret":"s"}'],
    ['serve-5.json', '{"port":5,"origin":5,"secret":"s"}'],
    ['serve-6.json', '{"port":6,"origin":"o","secret":6}'],
    ['serve-9.json', '{"port":"9","origin":"o","secret":"s"}'],
    ['serve-8.json.12.new', whole],
    ['decisions.1.ndjson', whole],
  ] as const)
    writeFileSync(join(base, 'guard', name), text);
  expect(readServedGuards(base)).toEqual([]);
});
