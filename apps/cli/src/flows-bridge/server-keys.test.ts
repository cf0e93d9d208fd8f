import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { keepKey, keyFor, localServer } from './server-keys.ts';

it('keeps a key for each server, in a file for this user only', () => {
  const base = join(testDir(), 'base');
  expect(keyFor('http://a', base, {})).toBeUndefined();
  keepKey('http://a', 'one', base);
  keepKey('http://b', 'two', base);
  keepKey('http://a', 'three', base);
  expect([keyFor('http://a', base, {}), keyFor('http://b', base, {}), keyFor('http://c', base, {})]).toEqual([
    'three',
    'two',
    undefined,
  ]);
  expect([readdirSync(base), statSync(join(base, 'server-keys.json')).mode & 0o777]).toEqual([
    ['server-keys.json'],
    0o600,
  ]);
});

it('uses the key of the environment first', () => {
  const base = testDir();
  keepKey('http://a', 'kept', base);
  expect(keyFor('http://a', base, { CROFT_API_KEY: ' given ' })).toBe('given');
  expect(keyFor('http://a', base, { CROFT_API_KEY: ' ' })).toBe('kept');
});

it('takes a damaged file for an empty one', () => {
  const base = testDir();
  for (const text of ['{', '[]', '{"http://a":7}', 'null']) {
    writeFileSync(join(base, 'server-keys.json'), text);
    expect(keyFor('http://a', base, {}), text).toBeUndefined();
  }
  keepKey('http://a', 'x', base);
  expect(keyFor('http://a', base, {})).toBe('x');
});

it('expects a server of this machine at its usual address', () => {
  expect(localServer(testDir())).toBe('http://127.0.0.1:7860');
});
