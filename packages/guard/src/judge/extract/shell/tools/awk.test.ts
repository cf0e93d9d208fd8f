import { expect, it } from 'vitest';
import { effects } from '../testing.ts';

it.each([
  [`awk '{print > "out"}' f`, 'out'],
  [`awk '{print $1 >> "log.txt"}' f`, 'log.txt'],
  [`awk '{print | "tee x"}' f`, 'x'],
  [`awk 'BEGIN { system("touch y") }'`, 'y'],
  ["awk -i inplace '{print}' f g", 'f g'],
  [String.raw`awk '{print > "a\x62"}'`, 'ab'],
  ["awk --dump-variables=v '{print}'", 'v'],
  ["awk -dvars.txt '{print}'", 'vars.txt'],
])('awk: finds what is written by %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each([
  `awk 'BEGIN { "cat z" | getline line }'`,
  "awk '$1 > 3 {print $2}' f",
  `awk '{print "a > b"}' f`,
  `awk '# print > "x"' f`,
  `awk '/a > "b"/ {print}' f`,
  "awk '{print (1 > 2)}' f",
  'awk -v a=1 -f prog.awk f',
  "awk 'a || b {print}' f",
])('awk: finds nothing that is written by %s', (command) => {
  expect(effects(command)).toBe('');
});

it.each(["awk '{print > $1}' f", `awk '@load "x"'`, "awk '{print | cmd}' f"])(
  'awk: cannot tell what is written by %s',
  (command) => {
    expect(effects(command)).toBe('?');
  },
);
