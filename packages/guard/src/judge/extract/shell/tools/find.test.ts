import { expect, it } from 'vitest';
import { effects } from '../testing.ts';

it.each([
  ['find . -delete', './* .'],
  ['find . -type f -exec rm {} +', './*'],
  [String.raw`find src -exec touch {}.x \;`, 'src/*.x'],
  ['find . -fprint out', 'out'],
  [String.raw`find . -execdir touch y \;`, 'y'],
  ['find /etc -delete', '/etc/* /etc'],
  ["printf 'a b' | xargs touch", 'a b'],
  [String.raw`printf 'a\0b' | xargs -0 touch`, 'a b'],
  ["printf 'a' | xargs -I % touch %.x", 'a.x'],
  ['fd pattern src -X touch', 'src/*'],
])('find, fd and xargs: finds what is written by %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each(['find . -name x -print', 'fd pattern', 'xargs'])(
  'find, fd and xargs: finds nothing that is written by %s',
  (command) => {
    expect(effects(command)).toBe('');
  },
);

it.each([
  String.raw`find . -exec {} \;`,
  'find -files0-from l -delete',
  'ls | xargs rm',
  'xargs -a list rm',
  'fd -xrm',
])('find, fd and xargs: cannot tell what is written by %s', (command) => {
  expect(effects(command)).toBe('?');
});
