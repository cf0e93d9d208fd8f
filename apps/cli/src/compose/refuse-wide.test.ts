import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { homedir } from 'node:os';
import { expect, it, vi } from 'vitest';
import { UsageError } from '../usage-error.ts';
import { refusalOf } from '@croft/workspace/testing';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { refuseWide } from './refuse-wide.ts';

it('refuses the disk, the home directory and those above it, by any name', () => {
  const top = testDir();
  const home = join(top, 'home/ann');
  mkdirSync(join(home, 'project'), { recursive: true });
  mkdirSync(join(top, 'home/ann2'));
  symlinkSync(home, join(top, 'link'));
  const said = (dir: string) => refusalOf(() => refuseWide(dir, 'Start it there', home));
  expect(said('/')).toBe('This is /, the whole disk. Start it there, or pass --dir /');
  expect(said(home)).toBe(`This is your home directory. Start it there, or pass --dir ${home}`);
  expect(said(join(top, 'link'))).toContain('This is your home directory');
  expect(said(join(top, 'home'))).toContain(`Your home directory is inside ${join(top, 'home')}.`);
  for (const dir of [join(home, 'project'), join(top, 'home/ann2'), join(top, 'none')])
    expect(said(dir), dir).toBe('accepted');
  expect(refusalOf(() => refuseWide(top, 'x', join(top, 'no-home')))).toBe('accepted');
});

it('says what to do, as an error of usage', () => {
  const top = testDir();
  mkdirSync(join(top, '..home'));
  expect(() => refuseWide('/', 'x', top)).toThrow(UsageError);
  expect(refusalOf(() => refuseWide(top, 'Go there', join(top, '..home')))).toBe('accepted');
});

it('takes the home directory of the environment, or of the account', () => {
  const home = testDir();
  vi.stubEnv('HOME', home);
  const own = refusalOf(() => refuseWide(home, 'x'));
  vi.stubEnv('HOME', undefined);
  const account = refusalOf(() => refuseWide(homedir(), 'x'));
  vi.unstubAllEnvs();
  expect(own).toBe(`This is your home directory. x, or pass --dir ${home}`);
  expect(account).toMatch(/^This is your home directory\./);
});
