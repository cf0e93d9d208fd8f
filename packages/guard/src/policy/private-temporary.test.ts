import { chmodSync, lstatSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { makePrivateTemporary, privateTemporary } from './private-temporary.ts';

it('is made below the base directory, closed to other users, and used again', () => {
  const dir = privateTemporary(join(testDir(), 'base'));
  expect(makePrivateTemporary(dir)).toBe(true);
  expect(lstatSync(dir).mode & 0o777).toBe(0o700);
  expect(makePrivateTemporary(dir)).toBe(true);
});

it.each([0o701, 0o710, 0o770, 0o777])('is not used with mode %o, which lets other users in', (mode) => {
  const dir = join(testDir(), 'tmp');
  mkdirSync(dir);
  chmodSync(dir, mode);
  expect(makePrivateTemporary(dir)).toBe(false);
});

it('is not a link, a file, or a directory of another user', ({ skip }) => {
  const dir = testDir();
  mkdirSync(join(dir, 'real'), { mode: 0o700 });
  symlinkSync(join(dir, 'real'), join(dir, 'link'));
  writeFileSync(join(dir, 'file'), '');
  expect(makePrivateTemporary(join(dir, 'link'))).toBe(false);
  expect(makePrivateTemporary(join(dir, 'file'))).toBe(false);
  expect(makePrivateTemporary(join(dir, 'file/below'))).toBe(false);
  if (process.getuid?.() === 0) skip('every directory here belongs to root');
  expect(makePrivateTemporary('/root')).toBe(false);
});
