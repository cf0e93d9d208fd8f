import { expect, it } from 'vitest';
import { effects } from '../testing.ts';

it.each([
  ['sed -i s/a/b/ f g', 'f g'],
  ['sed -i.bak s/a/b/ f', 'f'],
  ["sed -i '' s/a/b/ f", 'f'],
  ['sed -i/tmp/x s/a/b/ f', '/tmp/x f'],
  ["sed 's/a/b/w out' f", 'out'],
  ["sed -n 'w out' f", 'out'],
  ["sed '1e touch y' f", 'y'],
  ["sed '/x/d; w last' f", 'last'],
  ['sed --in-place=.b s/a/b/ f', 'f'],
  ["sed 's|a|b|gw p' f", 'p'],
  ["sed 'y/ab/cd/;w q' f", 'q'],
  ["sed 's/a/b/w x' f", 'x'],
  ["sed -n 'w x' f", 'x'],
  ["sed 'e touch x' f", 'x'],
  ['sed -i../x/* s/a/b/ f', '../x/x f'],
  ["sed '/a/w x' f", 'x'],
])('sed: finds what is written by %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each([
  'sed s/a/b/ f',
  "sed 's/[/]/w/' f",
  "sed 's/[]/w x]/b/' f",
  "sed -e 'a w no' f",
  'sed -f s f',
  "sed '# w x' f",
  "sed 's/[/]w/x/' f",
  'sed -n 1p f',
  "sed 'a\\\ntext w y' f",
  "sed 'r x' f",
  "sed ':a;N;ba' f",
  'sed y/w/x/ f',
])('sed: finds nothing that is written by %s', (command) => {
  expect(effects(command)).toBe('');
});

it.each(["sed 's/a/touch x/e' f", "sed 's/a/b/e' f", 'sed e f', 'sed "$X" f', "sed 'k w /x' f"])(
  'sed: cannot tell what is written by %s',
  (command) => {
    expect(effects(command)).toBe('?');
  },
);
