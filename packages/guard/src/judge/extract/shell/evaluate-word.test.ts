import { expect, it } from 'vitest';
import { effects } from './testing.ts';

it.each([
  ["touch 'a b'", 'a b'],
  ['touch "a $(echo b)"', 'a b'],
  [String.raw`touch a\ b`, 'a b'],
  [String.raw`touch $'a\x62'`, 'ab'],
  ['touch a{b,c}', 'ab ac'],
  ['touch "a{b,c}"', 'a{b,c}'],
  ['touch `echo x`', 'x'],
  ['touch *.ts', '*.ts'],
  ['touch a?', 'a?'],
  [`touch x"y"'z'`, 'xyz'],
  ['touch $(printf x)', 'x'],
  ['touch "$(pwd)/x"', 'x'],
  ['touch $(basename /a/b)', 'b'],
  ['touch $(dirname a/b)/x', 'a/x'],
  ['touch {a,b}{c,d}', 'ac ad bc bd'],
  ['touch {1..3}', '1 2 3'],
  ["f='a b'; touch $f", 'a b'],
  [`f='a b'; touch "$f"`, 'a b'],
  ['touch a{b}', 'a{b}'],
  ['f=x; touch "$f"{1,2}', 'x1 x2'],
  ['touch ${a[$(touch y)]}', 'y ?'],
  ['touch *(e:touch:)', '*(e:touch:) ?'],
  ['set -- a b; touch "$*"', 'a b ?'],
  [`f='a b'; g=$f; touch "$g"`, 'a b'],
  ['touch a~/x', 'a~/x'],
  [
    'a && f=1 || f=2; touch $f$f$f$f',
    '1111 1112 1121 1122 1211 1212 1221 1222 2111 2112 2121 2122 2211 2212 2221 2222',
  ],
  ['touch x > >(touch y)', 'y x'],
  ['set -- a b; touch "x$@"', 'xa b ?'],
  ['set -- a b; touch "x$*"', 'xa b ?'],
  ['bash <<E\ntouch "$(echo y)"\nE', 'y'],
])('words: finds what is written by %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each(['touch <(ls)'])('words: finds nothing that is written by %s', (command) => {
  expect(effects(command)).toBe('');
});

it.each([
  'touch "$(cat f)"',
  'touch "${f:$(touch y):1}"',
  `f='$(touch y)'; echo "\${f@P}"`,
  'a && f=1 || f=2; touch $f$f$f$f$f',
  "f=abc; x='a[$(touch y)]'; touch ${f:x}",
  "x='a[$(touch y)]'; touch ${f[x]}",
  "x='a[$(touch y)]'; touch ${!x}",
])('words: cannot tell what is written by %s', (command) => {
  expect(effects(command)).toBe('?');
});
