import { expect, it } from 'vitest';
import { effects, outcome } from './testing.ts';

it.each([
  ["sh -c 'touch x'", 'x'],
  ["bash -lc 'touch x'", 'x'],
  ["bash -c 'touch $1' _ x", 'x'],
  ["echo 'touch x' | sh", 'x'],
  ["zsh -ic 'touch x'", 'x'],
  ["fish -C 'touch x' -c ls", 'x'],
])('shells in shells: finds what is written by %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each(['bash script.sh', 'bash'])('shells in shells: finds nothing that is written by %s', (command) => {
  expect(effects(command)).toBe('');
});

it.each(['curl x | sh', 'bash --rcfile r -c ls', 'bash -c "$X"', "nu -c 'x'"])(
  'shells in shells: cannot tell what is written by %s',
  (command) => {
    expect(effects(command)).toBe('?');
  },
);

it.each([
  ["sh -c 'touch a'", 'a'],
  ["bash -c 'touch a'", 'a'],
  ["zsh -c 'touch a'", 'a'],
  ["dash -c 'touch a'", 'a'],
  ["ksh -c 'touch a'", 'a'],
  ["ash -c 'touch a'", 'a'],
  ["fish -c 'touch a'", 'a'],
  ["fish --command='touch a'", '? It is not known what the shell runs.'],
  ["fish -C 'touch a'", 'a'],
  ["fish --init-command 'touch a'", 'a'],
  ["mksh -c 'touch a'", 'a'],
  ["rbash -c 'touch a'", 'a'],
  ["csh -c 'touch a'", 'a'],
  ["tcsh -c 'touch a'", 'a'],
  ["yash -c 'touch a'", 'a'],
  ["osh -c 'touch a'", 'a'],
  ["posh -c 'touch a'", 'a'],
  ["oksh -c 'touch a'", 'a'],
  ["lksh -c 'touch a'", 'a'],
  ["nu -c 'touch a'", "a ? 'nu' runs commands in a language that the guard does not read."],
  ["nu --commands 'x'", "<x ? 'nu' runs commands in a language that the guard does not read."],
  ["xonsh -c 'touch a'", "a ? 'xonsh' runs commands in a language that the guard does not read."],
  ["elvish -c 'touch a'", "a ? 'elvish' runs commands in a language that the guard does not read."],
  ["rc -c 'touch a'", "a ? 'rc' runs commands in a language that the guard does not read."],
  ["es -c 'touch a'", "a ? 'es' runs commands in a language that the guard does not read."],
  ["ion -c 'touch a'", "a ? 'ion' runs commands in a language that the guard does not read."],
  ["ysh -c 'touch a'", "a ? 'ysh' runs commands in a language that the guard does not read."],
  ['nu', "? 'nu' runs commands in a language that the guard does not read."],
  ['nu f', '<f'],
  ['echo x | nu', "? 'nu' runs commands in a language that the guard does not read."],
  ["bash -lc 'touch a'", 'a'],
  ["bash -o pipefail -c 'touch a'", 'a'],
  ["bash +x -c 'touch a'", 'a'],
  ['bash --rcfile f', '<f ? The shell reads a start file of its own.'],
  ["bash --init-file f -c 'touch a'", 'a <f ? The shell reads a start file of its own.'],
  ['bash -c', '? It is not known what the shell runs.'],
  [
    'bash -c $X',
    '? It is not known what the shell runs. ? Commands are made from text that is not known. ? The command that runs is not known.',
  ],
  [
    'bash -c "$X"',
    '? It is not known what the shell runs. ? Commands are made from text that is not known. ? The command that runs is not known.',
  ],
  ["bash -c 'touch $0 $1' a b", 'a b'],
  ["bash -c 'touch x$0'", 'xbash'],
  ["echo 'touch a' | bash", 'a'],
  ["echo 'touch a' | bash -s", 'a'],
  ["echo 'touch a' | bash -", 'a'],
  ["echo 'touch a' | bash /dev/stdin", 'a'],
  ['bash', ''],
  ['bash -s', ''],
  ['bash < f', '<f (f)'],
  ['bash f', '<f'],
  ['bash f /x', '<f (/x)'],
  ['bash <(echo touch a)', '? The shell runs a text that is not known.'],
  ['bash "$X"', '? The shell runs a text that is not known.'],
  ["echo 'touch $1' > f; bash f b", 'f b <f'],
  ["echo 'touch $0' > f; bash ./f", 'f ./f <./f'],
  ["bash -C 'touch a'", ''],
])('shells: finds the effects of %s', (command, expected) => {
  expect(outcome(command)).toBe(expected);
});
