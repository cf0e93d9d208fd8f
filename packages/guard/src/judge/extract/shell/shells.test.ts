import { expect, it } from 'vitest';
import { effects } from './testing.ts';

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
