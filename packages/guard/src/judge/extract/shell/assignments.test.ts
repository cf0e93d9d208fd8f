import { expect, it } from 'vitest';
import { effects } from './testing.ts';

it.each([
  ['f=x; touch $f', 'x'],
  ['f=a; f+=b; touch $f', 'ab'],
  ['a=(x y); touch "${a[@]}"', 'x y'],
  ['a=(x y); touch ${a[1]}', 'y x'],
  ['export f=x; touch $f', 'x'],
  ['declare f=x; touch $f', 'x'],
  ['readonly f=x; touch $f', 'x ?'],
  ['f=x; f=y; touch $f', 'y'],
  ['if a; then f=x; else f=y; fi; touch $f', 'y x'],
  ['declare -a a; a=([0]=x); touch "${a[0]}"', 'x'],
  ['a=([1]=x [0]=y); touch ${a[0]}', 'x y'],
  ['a=(x); a+=(y); touch "${a[@]}"', 'x y'],
  ['f=a; f+=(b); touch "${f[@]}"', 'a b'],
])('assignments: finds what is written by %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each(['local f=x'])('assignments: finds nothing that is written by %s', (command) => {
  expect(effects(command)).toBe('');
});

it.each([
  'f=x touch $f',
  'touch $UNSET',
  'unset f; touch "$f"',
  'read f; touch $f',
  'PATH=/x',
  'export PATH=/x:$PATH; ls',
  'f+=b; touch $f',
])('assignments: cannot tell what is written by %s', (command) => {
  expect(effects(command)).toBe('?');
});
