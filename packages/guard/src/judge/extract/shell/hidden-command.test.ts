import { expect, it } from 'vitest';
import { effects } from './testing.ts';

it.each([
  ["concurrently 'rm x' 'ls'", 'x'],
  ['some-tool -- touch x', 'x'],
  ['some-tool exec touch x', 'x'],
  ["some-tool --on-change='rm x'", 'x'],
  ["some-tool sh -c 'touch x'", 'x'],
])('hidden commands: finds what is written by %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each(["some-tool --message 'rm x'", 'some-tool rm', 'some-tool run build', "echo 'rm x'", "jest 'rm x'"])(
  'hidden commands: finds nothing that is written by %s',
  (command) => {
    expect(effects(command)).toBe('');
  },
);
