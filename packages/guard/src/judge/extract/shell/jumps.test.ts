import { expect, it } from 'vitest';
import { writes } from './testing.ts';

it.each([
  ['f() { cd ..; return; cd src; }; f; touch x', '../src/x ../x'],
  ['f() { if a; then cd ..; return; fi; }; f; touch x', '../x x'],
  ['f() { X=..; return; X=a; }; f; touch $X/x', '../x a/x'],
  ['for i in 1; do cd ..; break; cd src; done; touch x', '../src/x ../x'],
  ['for i in 1 2; do cd ..; break; done; touch x', '../../x ../x'],
  ['for i in 1 2; do cd ..; continue; cd src; done; touch x', '../../src/x ../../x ../src/x ../x'],
  ['for X in .. a; do break; done; touch $X/x', '../x a/x'],
  ['while a; do X=..; break; X=a; done; touch $X/x', '../x a/x'],
  [". /dev/stdin <<< 'X=..; return; X=a'; touch $X/x", '../x a/x'],
  ["echo 'X=..; return; X=a' > s; . ./s; touch $X/x", '../x a/x s'],
  ['f() { X=a; . /dev/stdin <<< return; X=..; }; f; touch $X/x', '../x a/x'],
  ['f() { (cd ..; return); touch x; }; f; touch x', 'x'],
  ['for i in 1; do (cd ..; break); done; touch x', 'x'],
  ['f() { echo $(cd ..; return); }; f; touch x', 'x'],
  ['f() { { cd ..; return; } | cat; }; f; touch x', 'x'],
  ['f() { { cd ..; return; } & }; f; touch x', 'x'],
])('commands that end a function or a loop: finds what is written by %s', (command, expected) => {
  expect(writes(command).toSorted().join(' ')).toBe(expected);
});
