import { expect, it } from 'vitest';
import { effects } from './testing.ts';

it.each([
  ["echo 'touch x' | bash", 'x'],
  [String.raw`printf 'touch %s\n' a b | sh`, 'a b'],
  ['echo x | tee s.sh | bash', 's.sh ?'],
  ["bash <<< 'touch x'", 'x'],
  ['ls > >(tee x)', 'x'],
  ['ls > >(touch x)', 'x'],
  ["ls > >(bash -c 'touch x')", 'x'],
  ['ls > >(cd src; touch x)', 'src/x'],
])('fed scripts: finds what is written by %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each(['ls > >(cat)'])('fed scripts: finds nothing that is written by %s', (command) => {
  expect(effects(command)).toBe('');
});

it.each(['cat s.sh | bash', 'curl u | bash', 'yes | bash', 'ls > >(bash)', 'echo a | tee >(sh)'])(
  'fed scripts: cannot tell what is written by %s',
  (command) => {
    expect(effects(command)).toBe('?');
  },
);
