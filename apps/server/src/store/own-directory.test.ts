import { chmodSync, chownSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { ownDirectory } from './own-directory.ts';

let dir: string;
beforeEach(() => void (dir = testDir()));
const modeOf = (path: string) => statSync(path).mode & 0o777;

it('creates a directory with exactly the rights that it is given, and its parents', () => {
  ownDirectory(join(dir, 'a/b'), 0o700);
  expect(modeOf(join(dir, 'a/b'))).toBe(0o700);
});

it('takes rights of others from a directory that exists', () => {
  mkdirSync(join(dir, 'open'));
  chmodSync(join(dir, 'open'), 0o777);
  ownDirectory(join(dir, 'open'), 0o700);
  expect(modeOf(join(dir, 'open'))).toBe(0o700);
});

it('refuses a file and a link, and leaves the rights of its target', () => {
  mkdirSync(join(dir, 'target'));
  chmodSync(join(dir, 'target'), 0o755);
  symlinkSync('target', join(dir, 'link'));
  expect(() => ownDirectory(join(dir, 'link'), 0o700)).toThrow(
    expect.objectContaining({
      code: 'base_unusable',
      message: `${join(dir, 'link')} is not a directory: remove it, or choose another CROFT_BASE_DIR.`,
    }),
  );
  expect(modeOf(join(dir, 'target'))).toBe(0o755);
  writeFileSync(join(dir, 'file'), '');
  expect(() => ownDirectory(join(dir, 'file'), 0o700)).toThrow();
});

it.skipIf(process.getuid?.() !== 0)('refuses the directory of another user, into which it could lead root', () => {
  mkdirSync(join(dir, 'theirs'));
  chownSync(join(dir, 'theirs'), 65_534, 65_534);
  expect(() => ownDirectory(join(dir, 'theirs'), 0o700)).toThrow(
    expect.objectContaining({
      code: 'base_unusable',
      message: `${join(dir, 'theirs')} belongs to user 65534: start Croft as that user, make it this user's (chown), or choose another base directory with CROFT_BASE_DIR.`,
    }),
  );
});
