import { expect, it } from 'vitest';
import { effects } from './testing.ts';

it.each([
  ['f=a.txt; touch ${f%.txt}.md', 'a.md'],
  ['f=a/b.c; touch ${f##*/}', 'b.c'],
  ['f=a/b.c; touch ${f%/*}/x', 'a/x'],
  ['f=ab; touch ${f/a/c}', 'cb'],
  ['f=ab; touch ${f:1}', 'b'],
  ['f=ab; touch ${f^^}', 'AB'],
  ['f=AB; touch ${f,,}', 'ab'],
  ['touch ${f:-x}', 'x ?'],
  ['touch ${f:=x}', 'x ?'],
  ['f=y; touch ${f:-x}', 'y'],
  ['f=y; touch ${f:+x}', 'x'],
  ['f=x; g=f; touch ${!g}', 'x'],
  ['set -- x y; touch $2', 'y ?'],
  ['set -- x y; touch "$@"', 'x y ?'],
  ['touch $HOME/x', '~/x'],
  ['touch "$PWD/x"', 'x'],
  ['touch ~/x', '~/x'],
  ['touch ~root/x', '~root/x'],
  ['touch ${f:+x}', 'x'],
  ['touch x${f:+}', 'x'],
  ['touch "x${f-}"', 'x ?'],
  ['f=a.b.c; touch ${f%%.*}', 'a'],
  ['f=a.b.c; touch ${f#*.}', 'b.c'],
  ['f=abab; touch ${f//a/c}', 'cbcb'],
  ['f=abc; touch ${f:0:2}', 'ab'],
  ['f=; touch ${f:-x}', 'x'],
  ['f=; touch a${f-x}', 'a'],
  ['a=(a.ts b.ts); touch "${a[@]%.ts}"', 'a b'],
  ['f=x; touch a${f/x/}', 'a'],
  ['f=ab; touch ${f/#a/c}', 'cb'],
  ['f=ab; touch ${f/%b/c}', 'ac'],
  ['f=ab; touch ${f//}', 'ab'],
])('parameters: finds what is written by %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each(['f=x; touch ${f/x}'])('parameters: finds nothing that is written by %s', (command) => {
  expect(effects(command)).toBe('');
});

it.each(['touch ${f:?}', 'a=(x y z); touch ${a[@]:1}', 'touch "${f:?}"'])(
  'parameters: cannot tell what is written by %s',
  (command) => {
    expect(effects(command)).toBe('?');
  },
);
