import { existsSync, mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { LOCK_NAME } from '../temp-name.ts';
import { makeScratch, type Scratch } from '../testing.ts';
import { type Dir, pathDir } from './dir.ts';
import { takeLockFile } from './lock-file.ts';

let scratch: Scratch;
let dir: Dir;
beforeEach(() => {
  scratch = makeScratch([]);
  dir = pathDir(scratch.workspace);
});
afterEach(() => scratch.remove());

it('one call has the lock at a time, until it releases it', () => {
  const release = takeLockFile(dir);
  expect(release).toBeTypeOf('function');
  expect(takeLockFile(dir)).toBeUndefined();
  expect(existsSync(dir.at(LOCK_NAME))).toBe(true);
  release?.();
  expect(existsSync(dir.at(LOCK_NAME))).toBe(false);
  takeLockFile(dir)?.();
});

it.each([
  ['a link', (at: string) => symlinkSync('/etc/passwd', at)],
  ['a directory', (at: string) => mkdirSync(at)],
  [
    'an old file without an owner',
    (at: string) => {
      writeFileSync(at, '');
      utimesSync(at, 1, 1);
    },
  ],
])('%s in place of the lock is cleared away, so that the next attempt has it', (_, make) => {
  make(dir.at(LOCK_NAME));
  expect(takeLockFile(dir)).toBeUndefined();
  const release = takeLockFile(dir);
  expect(release).toBeTypeOf('function');
  release?.();
});

it('a new file without an owner is left to the call that is writing it', () => {
  writeFileSync(dir.at(LOCK_NAME), '');
  expect(takeLockFile(dir)).toBeUndefined();
  expect(takeLockFile(dir)).toBeUndefined();
  expect(readdirSync(scratch.workspace)).toEqual([LOCK_NAME]);
});
