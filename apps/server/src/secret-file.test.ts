import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { testDir } from '../../../tests/support/temp-dir.ts';
import { loadOrCreateSecret, type SecretKind } from './secret-file.ts';

const KIND: SecretKind = { what: 'key', pattern: /^k\d+$/, make: () => 'k1' };

it('is made once with its directory, for its owner only, and leaves no other file', () => {
  const file = join(testDir(), 'a/b/secret');
  expect(loadOrCreateSecret(file, KIND)).toBe('k1');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(loadOrCreateSecret(file, { ...KIND, make: () => 'k2' })).toBe('k1');
  expect(readdirSync(dirname(file))).toEqual(['secret']);
});

it('is that of the process which was first', () => {
  const file = join(testDir(), 'secret');
  const make = () => {
    writeFileSync(file, 'k7\n');
    return 'k1';
  };
  expect(loadOrCreateSecret(file, { ...KIND, make })).toBe('k7');
  expect(readdirSync(dirname(file))).toEqual(['secret']);
});

it('is closed to other accounts when it is read', () => {
  const file = join(testDir(), 'secret');
  writeFileSync(file, ' k9 \n');
  chmodSync(file, 0o644);
  expect(loadOrCreateSecret(file, KIND)).toBe('k9');
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

it('is not replaced where the file holds something else', () => {
  const file = join(testDir(), 'secret');
  for (const content of ['', 'x1', 'k1\nk2', 'k'.repeat(3)]) {
    writeFileSync(file, content);
    expect(() => loadOrCreateSecret(file, KIND)).toThrow(
      `${file} does not hold a key; delete it to have a new one made`,
    );
  }
  const directory = join(testDir(), 'secret');
  mkdirSync(directory);
  expect(() => loadOrCreateSecret(directory, KIND)).toThrow('EISDIR');
});

it('is not made where another failure than a missing file prevents reading it', () => {
  const file = join(testDir(), 'file');
  writeFileSync(file, '');
  expect(() => loadOrCreateSecret(join(file, 'secret'), KIND)).toThrow('ENOTDIR');
});

it('leaves no temporary file where it cannot get its name', () => {
  const directory = testDir();
  const file = join(directory, 'a/secret');
  const make = () => {
    mkdirSync(file);
    return 'k1';
  };
  expect(() => loadOrCreateSecret(file, { ...KIND, make })).toThrow('EISDIR');
  expect(readdirSync(dirname(file))).toEqual(['secret']);
});
