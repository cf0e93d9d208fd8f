import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
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
