import { describe, expect, it } from 'vitest';
import { isKnownCommand } from './dispatch.ts';
import { effects, read } from './testing.ts';

it.each([
  ['rm.exe a', 'a'],
  ['/bin/rm a', 'a'],
  ['RM a', 'a'],
  ['gsed -i s/a/b/ f', 'f'],
  ['gcc-13 -o out f.c', 'out'],
  ['npx rimraf@5 dist', 'dist'],
  ['mkfs.ext4 f', 'f'],
  ['-o t rm a', 't a'],
  ['alias q=rm; q a', 'a'],
  ['alias rm="rm -i"; rm a', 'a'],
  ['f() { touch "$1"; }; f a', 'a'],
  ["echo 'rm ../a' > x/s.sh; x/s.sh", 'x/s.sh ../a'],
  ["echo 'rm $1' > x/s.sh; x/s.sh ../a", 'x/s.sh ../a'],
  ["echo 'rm ../a' > s.sh; s.sh", 's.sh'],
  ['mise exec -- rm ../a', '../a'],
  ['cd src; touch a', 'src/a'],
  ["printf '#!/usr/bin/python\\nrm ../a' > x/s.sh; x/s.sh", 'x/s.sh'],
])('finds the command of %s, and what it writes', (command, expected) => {
  expect(effects(command).replace(/ \?$/, '')).toBe(expected);
});

it.each(['$x a', 'mkfifo p', 'r* a', 'cat <(rm a) | "$(cat b)" c'])('cannot tell what is written by %s', (command) => {
  expect(effects(command)).toContain('?');
});

it('takes a directory for gone that the line may have removed', () => {
  expect(effects('rm -rf src; cd src; touch a').split(' ')).toEqual(expect.arrayContaining(['src/a', 'a']));
});

it('does nothing without a command', () => {
  expect([effects('""'), effects('X=1')]).toEqual(['', '']);
});

it('gives the words of an unknown program, and its directory, and not those of a known one', () => {
  const given = (command: string) => read(command).given.map(({ path, to }) => `${to} ${path}`);
  expect(given('cd src && unknown a')).toEqual(['unknown src/a', 'unknown src']);
  expect(given('cp --foo=../x a b')).toEqual(['cp ../x']);
  expect(given('cat ../x')).toEqual([]);
});

describe('a name', () => {
  it.each(['rm', 'RM', 'git', 'tee', 'cat', 'shellcheck', 'cmd'])('is known: %s', (name) => {
    expect(isKnownCommand(name)).toBe(true);
  });
  it.each(['unknown', ''])('is not known: %j', (name) => {
    expect(isKnownCommand(name)).toBe(false);
  });
});
