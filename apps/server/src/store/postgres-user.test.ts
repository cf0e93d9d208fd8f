import { chmodSync, chownSync, mkdirSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { canReach, choosePostgresUser } from './postgres-user.ts';

const isRoot = process.getuid?.() === 0;
const NOBODY = 65_534;

it.skipIf(isRoot)('is this account', () => {
  const dir = testDir();
  const { uid, gid, username } = userInfo();
  expect(choosePostgresUser(dir, join(dir, 'data'))).toEqual({ uid, gid, dropped: false, clientName: username });
});

it.runIf(isRoot)('is the owner of the data, else of the base directory, and never root', () => {
  const baseDir = testDir();
  const data = join(baseDir, 'data');
  const choose = () => choosePostgresUser(baseDir, data);
  expect(choose()).toMatchObject({ dropped: true, clientName: userInfo().username });
  expect(choose().uid).toBe(NOBODY);
  chownSync(baseDir, 1, 1);
  expect(choose()).toMatchObject({ uid: 1, dropped: true });
  mkdirSync(data);
  expect(choose().uid).toBe(1);
  chownSync(data, 2, 2);
  expect(choose().uid).toBe(2);
  chownSync(data, 54_321, 54_321);
  expect(choose().uid).toBe(1);
});

it('reaches a directory only where it may pass through every one above', () => {
  const baseDir = testDir();
  const [outer, inner] = [join(baseDir, 'outer'), join(baseDir, 'outer/inner')];
  mkdirSync(inner, { recursive: true });
  const stranger = { uid: 54_321, gid: 54_321, dropped: true, clientName: 'x' };
  const own = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0, dropped: false, clientName: 'x' };
  for (const dir of [baseDir, outer, inner]) chmodSync(dir, 0o711);
  expect([canReach(inner, stranger), canReach(inner, own)]).toEqual([true, true]);
  chmodSync(outer, 0o710);
  expect([canReach(inner, stranger), canReach(inner, { ...stranger, gid: own.gid })]).toEqual([false, true]);
  chmodSync(outer, 0o011);
  expect(canReach(inner, own)).toBe(false);
  chmodSync(outer, 0o700);
  expect([canReach(inner, own), canReach(inner, { ...stranger, gid: own.gid })]).toEqual([true, false]);
});
