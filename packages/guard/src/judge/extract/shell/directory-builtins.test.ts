import { expect, it } from 'vitest';
import { effects, outcome } from './testing.ts';

it.each([
  ['cd src && touch x', 'src/x'],
  ['cd /etc && touch x', '/etc/x'],
  ['cd .. && touch x', '../x'],
  ['cd && touch x', '~/x'],
  ['pushd src && touch x && popd && touch y', 'src/x y'],
  ['(cd src && touch x); touch y', 'src/x y'],
  ['cd src; touch x', 'src/x'],
  ['cd src || exit; touch x', 'src/x'],
  ['cd -P src && touch x', 'src/x'],
  ['cd nowhere && touch x', 'nowhere/x'],
  ['pushd src; pushd; touch x', 'x src/x'],
  ['popd; touch x', 'x ?'],
  ['cd src && cd - && touch x', 'x'],
  ['cd "" && touch x', 'x'],
  ['HOME=/h; cd; touch x', '/h/x x ?'],
  ['cd src/../.. && touch x', '../x'],
  ['mkdir d && cd d && touch x', 'd d/x'],
  ['cd "$X" && cd /src && touch y', '/src/y ?'],
  ['pushd src && popd && popd; touch x', 'x ?'],
])('cd and pushd: finds what is written by %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each([
  'cd - && touch x',
  'cd "$D" && touch x',
  'cd "$X/src" && touch x',
  'cd "x$X" && touch y',
  'cd "$X" && cd src && touch y',
  'cd -L$X && touch y',
])('cd and pushd: cannot tell what is written by %s', (command) => {
  expect(effects(command)).toBe('?');
});

it.each([
  ['cd src; touch a', 'src/a'],
  ['chdir src; touch a', 'src/a a'],
  ['z src; touch a', 'src/a a'],
  ['pushd src; touch a', 'src/a a'],
  ['pushd src; popd; touch a', 'a'],
  ['pushd src; pushd; touch a', 'a src/a'],
  ['pushd src; pushd +1; touch a', 'a src/a'],
  [
    'popd; touch a',
    "a ? It is not known what 'a' stands for. ? It is not known in which directory later commands run. Put this command in parentheses, ( … ), or go back at its end.",
  ],
  ['cd src; cd -; touch a', 'a'],
  [
    'cd -; touch a',
    "a ? It is not known what 'a' stands for. ? It is not known in which directory later commands run. Put this command in parentheses, ( … ), or go back at its end.",
  ],
  ['cd; touch a', '~/a'],
  ['HOME=/h; cd; touch a', "/h/a a ? The variable 'HOME' has another value for later commands."],
  ["cd ''; touch a", 'a'],
  ['cd ..; touch a', '../a'],
  ['cd ../..; touch a', '../../a'],
  ['cd src/..; touch a', 'a'],
  ['cd other; touch a', 'other/a a'],
  ['cd other && touch a', 'other/a'],
  ['cd other || touch a', 'a'],
  ['mkdir other; cd other; touch a', 'other other/a'],
  ['mkdir other && cd other && touch a', 'other other/a'],
  ['rm -r src; cd src; touch a', 'src src/a a'],
  ['cd /; touch a', '/a'],
  ['cd ~; touch a', '~/a'],
  [
    'cd "$X"; touch a',
    "a ? It is not known what 'a' stands for. ? It is not known in which directory later commands run. Put this command in parentheses, ( … ), or go back at its end.",
  ],
  [
    'cd "a$X"; touch b',
    "b ? It is not known what 'b' stands for. ? It is not known in which directory later commands run. Put this command in parentheses, ( … ), or go back at its end.",
  ],
  [
    'cd /a"$X"; touch b',
    "/* b ? It is not known what 'b' stands for. ? It is not known in which directory later commands run. Put this command in parentheses, ( … ), or go back at its end.",
  ],
  [
    'cd "$X"; cd a; touch b',
    "a/b b ? It is not known what 'b' stands for. ? It is not known in which directory later commands run. Put this command in parentheses, ( … ), or go back at its end.",
  ],
  [
    'cd "$X"; cd /a; touch b',
    "/a/b b ? It is not known what 'b' stands for. ? It is not known in which directory later commands run. Put this command in parentheses, ( … ), or go back at its end.",
  ],
  [
    'cd s*; touch a',
    's*/a a ? It is not known in which directory later commands run. Put this command in parentheses, ( … ), or go back at its end.',
  ],
  [
    'cd s*/..; touch a',
    "a ? It is not known what 'a' stands for. ? It is not known in which directory later commands run. Put this command in parentheses, ( … ), or go back at its end.",
  ],
  ['cd -P src; touch a', 'src/a'],
  ['cd -- src; touch a', 'src/a'],
  [
    'cd $X; touch a',
    "a ? It is not known what 'a' stands for. ? It is not known in which directory later commands run. Put this command in parentheses, ( … ), or go back at its end.",
  ],
  ["cd '~'; touch a", '~/a a'],
  ['cd src; pwd; touch "$(pwd)/a"', 'src/a'],
])('directories: finds the effects of %s', (command, expected) => {
  expect(outcome(command)).toBe(expected);
});
