import { expect, it } from 'vitest';
import { effects } from './testing.ts';

it.each([
  ['echo "$(touch x)"', 'x'],
  ['echo `touch x`', 'x'],
  ['cat <(touch x)', 'x'],
  ['echo ${f:-$(touch x)}', 'x'],
  ['echo $(( $(touch x) ))', 'x'],
  ['[[ $(touch x) ]]', 'x'],
  ['for f in $(touch x); do :; done', 'x'],
  ['case $(touch x) in a) ;; esac', 'x'],
  ['a=($(touch x))', 'x'],
  ['x > "$(touch y; echo z)"', 'y ?'],
  ['(( $(touch x) + 1 ))', 'x'],
])('substitutions: finds what is written by %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each(["x='a[$(touch y)]'; [[ $x == 1 ]]", "[[ -f 'a[$(touch y)]' ]]"])(
  'substitutions: finds nothing that is written by %s',
  (command) => {
    expect(effects(command)).toBe('');
  },
);

it.each([
  "x='a[$(touch y)]'; [[ $x -gt 1 ]]",
  "[[ -v 'a[$(touch y)]' ]]",
  "x='a[$(touch y)]'; for ((i=x;i<1;i++)); do :; done",
])('substitutions: cannot tell what is written by %s', (command) => {
  expect(effects(command)).toBe('?');
});
