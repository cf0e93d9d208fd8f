import { expect, it } from 'vitest';
import { effects, outcome } from '../testing.ts';

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

it.each([
  ['awk \'{print > "out"}\' f', 'out <f'],
  ['awk \'{print $1 >> "log.txt"}\' f', 'log.txt <f'],
  ['awk \'{printf "%s", $1 > "out"}\' f', 'out <f'],
  ['awk \'{print > ("out")}\' f', 'out <f'],
  ['awk \'{print > "a" ".b"}\' f', '<f ? An awk program writes to a file whose name is not known.'],
  ["awk '{print > $1}' f", '<f ? An awk program writes to a file whose name is not known.'],
  ["awk '{print (1 > 2)}' f", '<f'],
  ['awk \'{print a[1 > 2] > "out"}\' f', 'out <f'],
  ['awk \'{print | "tee x"}\' f', 'x <f'],
  ['awk \'{print |& "tee x"}\' f', 'x <f'],
  ["awk '{print | cmd}' f", '<f ? An awk program runs a command that is not known.'],
  ["awk '{print a || b}' f", '<f'],
  ['awk \'{print a || b > "out"}\' f', 'out <f'],
  ['awk \'BEGIN { "touch z" | getline line }\'', 'z'],
  ['awk \'BEGIN { "touch z" |& getline }\'', 'z'],
  ["awk 'BEGIN { cmd | getline }'", '? An awk program runs a command that is not known.'],
  ['awk \'BEGIN { system("touch y") }\'', 'y'],
  ['awk \'BEGIN { system("touch " x) }\'', '? An awk program runs a command that is not known.'],
  ["awk 'BEGIN { system(x) }'", '? An awk program runs a command that is not known.'],
  ["awk -i inplace '{print}' f g", 'f g'],
  ["awk --include=inplace '{print}' f", 'f'],
  ["awk -i other '{print}' f", '<f'],
  ["awk -l ext '{print}' f", '<f ? awk loads another library.'],
  ["awk --load ext '{print}' f", '<f ? awk loads another library.'],
  ["awk --dump-variables=v --pretty-print=p --profile=q '{print}'", 'v p q'],
  ["awk -dv '{print}'", ''],
  ['awk -e \'{print > "a"}\' --source \'{print > "b"}\' f', 'a b <f'],
  ['awk -f prog.awk f', '<f'],
  ['awk --file prog.awk f', '<f'],
  ['awk -E prog.awk f', '<f'],
  ['awk --exec prog.awk f', '<f'],
  ["awk -F : -v a=1 --field-separator , --assign b=2 '{print}' c=3 f", '<f'],
  ['awk \'@load "x"\'', '? An awk program loads or calls unknown code.'],
  ['awk \'@include "x"\'', '? An awk program loads or calls unknown code.'],
  ["awk 'BEGIN { INPLACE = 1 }'", '? An awk program loads or calls unknown code.'],
  ['awk \'BEGIN { @f("x") }\'', '? An awk program loads or calls unknown code.'],
  ['awk "{print > \\"$X\\"}" f', "<f ? It is not known what '…' stands for."],
  ['awk "{$X}" f', '<f'],
  ['awk "{print $X}" f', '<f'],
  ['awk \'# print > "x"\' f', '<f'],
  ['awk \'/a > "b"/ {print}\' f', '<f'],
  ['awk \'$1 ~ /print > "x"/ {print}\' f', '<f'],
  ['awk \'{ x = 4 / 2; print > "out"; y = 1 / 2 }\' f', 'out <f'],
  ['awk \'{print > "a\\x62\\143\\n\\t\\q"}\' f', 'abc\n\tq <f'],
  ['echo \'{print > "out"}\' | awk -f - f', 'out <f'],
  ['echo \'{print > "out"}\' | awk -f /dev/stdin f', 'out <f'],
  ['awk -f - f', '<f'],
  ['awk', ''],
  ['echo \'BEGIN { print > "x" }\' | awk --file=-', 'x'],
  ['awk "{ print > $X }"', '? An awk program is not known. ? An awk program writes to a file whose name is not known.'],
  ['awk \'{ print >>"x" }\' f', 'x <f'],
  ['awk \'{ print a |&"touch x" }\'', 'x'],
  ['awk \'{ print a |"touch x" }\'', 'x'],
])('awk: finds the effects of %s', (command, expected) => {
  expect(outcome(command)).toBe(expected);
});
