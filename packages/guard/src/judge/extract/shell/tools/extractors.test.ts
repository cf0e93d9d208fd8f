import { expect, it } from 'vitest';
import { effects } from '../testing.ts';

it.each([
  ['unrar x a.rar', '.'],
  ['unrar x a.rar dir', 'dir'],
  ['unrar l a.rar', 'a.rar'],
  ['dtrx a.zip', '.'],
  ['aunpack -X dir a.zip', 'dir'],
  ['dpkg-deb -x a.deb dir', 'dir'],
  ['dpkg-deb -b dir a.deb', 'a.deb'],
  ['unsquashfs -d dir a.sq', 'dir'],
  ['jar xf a.jar', '.'],
  ['jar xf a.jar one', 'one'],
  ['jar cf a.jar x', 'a.jar'],
  ['degit user/repo', 'repo'],
  ['degit user/repo dir', 'dir'],
  ['cabextract a.cab', '.'],
])('extractors: finds what is written by %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each(['jar tf a.jar'])('extractors: finds nothing that is written by %s', (command) => {
  expect(effects(command)).toBe('');
});
