import { expect, it } from 'vitest';
import { effects, outcome } from '../testing.ts';

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

it.each([
  ['sed -i s/a/b/ f g', 'f g'],
  ['sed --in-place s/a/b/ f', 'f'],
  ['sed --in-place=.bak s/a/b/ f', 'f (.bak)'],
  ['sed -I s/a/b/ f', 'f'],
  ["sed -i '' s/a/b/ f", 'f'],
  ['sed -ni p f', 'f'],
  ['sed --in-place=/x/* s/a/b/ f', '/x/x f (/x/*)'],
  ['sed s/a/b/ f', '<f'],
  ["sed -n -e p -e 'w out' f", 'out <f'],
  ["sed --expression='w out' f", 'out <f'],
  ['sed -f s.sed f', '<s.sed <f'],
  ['sed --file s.sed -i f', 'f <s.sed'],
  ['sed -l 5 p f', '<f'],
  ["sed -n 's/a/b/gw out' f", 'out <f'],
  ["sed 's/[/]/x/w out' f", 'out <f'],
  ["sed 's/[]/]/x/w out' f", 'out <f'],
  ["sed 's/[^]/]/x/w out' f", 'out <f'],
  ["sed 's/[[:alpha:]/]/x/w out' f", 'out <f'],
  ["sed 's/[[.x.]/]/x/w out' f", 'out <f'],
  ["sed 's/[[=x=]/]/x/w out' f", 'out <f'],
  ["sed 's/[[:alpha/x/w out' f", 'out <f'],
  ["sed 's/[a/x/w out' f", 'out <f'],
  ["sed 's/\\//x/w out' f", 'out <f'],
  ["sed 's,a,b,2w out' f", 'out <f'],
  ["sed 'y/ab/cd/' f", '<f'],
  ["sed 'y/[/]/;w out' f", 'out <f'],
  ["sed 's/a/b/e' f", '<f ? A sed script runs what it makes.'],
  ["sed 's/a/b/gpiImM3' f", '<f'],
  ["sed '/a/w out' f", 'out <f'],
  ["sed '/a/Iw out' f", 'out <f'],
  ["sed '\\,a,Mw out' f", 'out <f'],
  ["sed '1,$w out' f", 'out <f'],
  ["sed '1~2 { w out\n}' f", 'out <f'],
  ["sed '2!W out' f", 'out <f'],
  ["sed 'r in' f", '<in <f'],
  ["sed 'R in' f", '<in <f'],
  ["sed 'e touch x' f", 'x <f'],
  ['sed e f', '<f ? A sed script runs its input.'],
  ["sed '# w out' f", '<f'],
  ["sed '# c\nw out' f", 'out <f'],
  ["sed 'a text w out\nw out' f", 'out <f'],
  ["sed 'i one\\\\\ntwo w x\nw out' f", 'out <f'],
  ["sed 'c\\\\\ntext\nw out' f", 'out <f'],
  ["sed ':a;ba;ta;Ta;w out' f", 'out <f'],
  ["sed ':a w no\nw out' f", 'out <f'],
  ["sed '/x/bend}w out' f", 'out <f'],
  ["sed 'd;D;g;G;h;H;l;n;N;p;P;q;Q;x;z;=;F;v;w out' f", 'out <f'],
  ['sed "$X" f', "<f ? A sed script is not known. ? It is not known what 'sed' is given."],
  ['sed -n "p;$X" f', '<f ? A sed script is not known.'],
  ['sed "s/a/$X/" f', '<f'],
  ["sed 'k w /x' f", '<f ? A sed script could not be read.'],
  ["sed 'k w x' f", '<f'],
  ["sed 'ke ~x' f", '<f ? A sed script could not be read.'],
  ['sed $X', "? A sed script is not known. ? It is not known what 'sed' is given."],
  ['sed -i --follow-symlinks s/a/b/ f', 'f'],
  [
    'find . | xargs sed -i s/a/b/',
    "<. ? It is not known what 'sed' is given. ? It is not known what 'what is piped in' stands for.",
  ],
  ["find . -name '*.x' | xargs sed -i --follow-symlinks s/a/b/", './** ./*.x <.'],
  ['sed --in-place-x s/a/b/ f', 'f'],
  ['sed', ''],
  ["sed '/[/]/w c' f", 'c <f'],
  ['sed "s/a/b/$X" f', '<f ? A sed script is not known.'],
  ["sed 'a w c' f", '<f'],
])('sed: finds the effects of %s', (command, expected) => {
  expect(outcome(command)).toBe(expected);
});
