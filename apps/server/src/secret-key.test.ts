import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { testDir } from '../../../tests/support/temp-dir.ts';
import { deriveKey, deriveKeys, loadOrCreateSecretKey } from './secret-key.ts';

it('uses the configured key, and writes no file', () => {
  const dir = testDir();
  expect(loadOrCreateSecretKey(dir, 'configured')).toBe('configured');
  expect(statSync(join(dir, 'secret-key'), { throwIfNoEntry: false })).toBeUndefined();
});

it('makes a key once, which only its owner can read', () => {
  const dir = testDir();
  const key = loadOrCreateSecretKey(dir, undefined);
  expect(key).toMatch(/^[\w-]{43}$/);
  expect(loadOrCreateSecretKey(dir, undefined)).toBe(key);
  expect(statSync(join(dir, 'secret-key')).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(dir, 'secret-key'), 'utf8').trim()).toBe(key);
  expect(loadOrCreateSecretKey(testDir(), undefined)).not.toBe(key);
});

it('refuses a file that holds no key', () => {
  const dir = testDir();
  writeFileSync(join(dir, 'secret-key'), 'short', { mode: 0o600 });
  expect(() => loadOrCreateSecretKey(dir, undefined)).toThrow();
});

it('derives another key for each purpose and each secret, and always the same one', () => {
  const key = deriveKey('secret', 'sessions');
  expect(key).toBe(deriveKey('secret', 'sessions'));
  expect(new Set([key, deriveKey('secret', 'runs'), deriveKey('other', 'sessions')]).size).toBe(3);
  expect(key).not.toContain('secret');
});

it('derives the keys of earlier secrets after the current one', () => {
  expect(deriveKeys(['new', 'old', 'older'], 'runs')).toEqual(
    ['new', 'old', 'older'].map((key) => deriveKey(key, 'runs')),
  );
});
