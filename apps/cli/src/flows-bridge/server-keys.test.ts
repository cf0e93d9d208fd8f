import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { ADDRESS_FILE } from '../compose/served-address.ts';
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

/** A base directory of a server with this address. */
function served(address: string): string {
  const base = testDir();
  writeFileSync(join(base, ADDRESS_FILE), JSON.stringify({ address, pid: process.pid }));
  return base;
}

it('uses the token of this machine for the server of its base directory only', () => {
  const base = served('http://127.0.0.1:9000');
  expect(localServer(base)).toBe('http://127.0.0.1:9000');
  expect(keyFor('http://127.0.0.1:9000', base, {})).toBeUndefined();
  writeFileSync(join(base, 'mcp-token'), ' token\n');
  expect([keyFor('http://127.0.0.1:9000', base, {}), keyFor('http://127.0.0.1:9001', base, {})]).toEqual([
    'token',
    undefined,
  ]);
  keepKey('http://127.0.0.1:9000', 'kept', base);
  expect(keyFor('http://127.0.0.1:9000', base, {})).toBe('kept');
});

it('keeps the other keys of a file, and drops what is not a key', () => {
  const base = testDir();
  writeFileSync(join(base, 'server-keys.json'), '{"http://a":"one","http://b":7}');
  keepKey('http://c', 'two', base);
  expect(readFileSync(join(base, 'server-keys.json'), 'utf8')).toBe('{"http://a":"one","http://c":"two"}\n');
});
