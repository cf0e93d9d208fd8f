import fs, {
  existsSync,
  lstatSync,
  mkdirSync,
  type openSync,
  readdirSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LOCK_NAME, tempName } from '../temp-name.ts';
import { makeScratch, type Scratch, withReplaced } from '../testing.ts';
import { type Dir, pathDir } from './dir.ts';
import { takeLockFile } from './lock-file.ts';

let scratch: Scratch;
let dir: Dir;
beforeEach(() => {
  scratch = makeScratch([]);
  dir = pathDir(scratch.workspace);
});
afterEach(() => {
  vi.restoreAllMocks();
  scratch.remove();
});

it('one call has the lock at a time, until it releases it', () => {
  const release = takeLockFile(dir);
  expect(release).toBeTypeOf('function');
  expect(takeLockFile(dir)).toBeUndefined();
  expect(lstatSync(dir.at(LOCK_NAME)).mode & 0o777).toBe(0o600);
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
  [
    'a file of a process that is gone',
    // An earlier process with the id of this one.
    (at: string) => writeFileSync(at, tempName().replace(/[0-9a-f]{8}(?=-[0-9a-f]{12}$)/, 'ffffffff')),
  ],
])('%s in place of the lock is cleared away, so that the next attempt has it', (_, make) => {
  make(dir.at(LOCK_NAME));
  expect(takeLockFile(dir)).toBeUndefined();
  const release = takeLockFile(dir);
  expect(release).toBeTypeOf('function');
  release?.();
});

it('a file without an owner is left alone for ten seconds', () => {
  const at = dir.at(LOCK_NAME);
  writeFileSync(at, '');
  utimesSync(at, 1_000, 1_000);
  const now = vi.spyOn(Date, 'now').mockReturnValue(1_010_000);
  expect([takeLockFile(dir), existsSync(at)]).toEqual([undefined, true]);
  now.mockReturnValue(1_010_001);
  expect([takeLockFile(dir), existsSync(at)]).toEqual([undefined, false]);
});

it('a directory that may not be written is not locked, and other failures are passed on', async () => {
  const takeWith = (code: string) => {
    const fail = () => {
      throw Object.assign(new Error(code), { code });
    };
    return withReplaced(fs, { openSync: fail as unknown as typeof openSync }, () => typeof takeLockFile(dir));
  };
  for (const code of ['EACCES', 'EPERM', 'EROFS']) expect(await takeWith(code), code).toBe('function');
  await expect((async () => takeWith('EIO'))()).rejects.toThrow('EIO');
  expect(readdirSync(scratch.workspace)).toEqual([]);
});

it('a new file without an owner is left to the call that is writing it', () => {
  writeFileSync(dir.at(LOCK_NAME), '');
  expect(takeLockFile(dir)).toBeUndefined();
  expect(takeLockFile(dir)).toBeUndefined();
  expect(readdirSync(scratch.workspace)).toEqual([LOCK_NAME]);
});
