import { expect, it } from 'vitest';
import { effects } from './testing.ts';

it.each([
  ['touch "$(echo x)"', 'x'],
  [`touch "$(printf 'a%s' b)"`, 'ab'],
  ['touch "$(basename a/b.c .c)"', 'b'],
  ['touch "$(dirname a/b)"', 'a'],
  ['touch "$(pwd)/x"', 'x'],
  ['touch "$(mktemp)"', '/tmp/tmp.XXXXXX'],
  ['touch "$(realpath x)"', 'x'],
  [String.raw`touch "$(echo -e 'a\x62')"`, 'ab'],
  [String.raw`touch "$(echo 'a\x62')"`, String.raw`a\x62 ab`],
  ['touch "$(echo -n x)"', 'x'],
  ['touch "$(dirname /a)/x"', '//x'],
  [`touch "$(printf '%s-%s' a b)"`, 'a-b'],
  [`touch "$(printf '%d' 5)"`, '5'],
  [`touch "$(printf '100%%')"`, '100%'],
  ['touch "$(basename .ts .ts)"', '.ts'],
  ['touch "$(cat <<< x)"', 'x'],
  ['echo x > f; touch "$(cat f)"', 'f x'],
  ['touch $(seq 2)', '1 2'],
  ['touch "$(dirname a)/x"', './x'],
])('known outputs: finds what is written by %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each([
  'touch "$(cat f)"',
  'touch "$(ls)"',
  'touch "$(seq 1 2)"',
  'touch "$(curl x)"',
  'touch "$(command -v node)"',
  `touch "$(printf 'a%.0s' 1)"`,
  `touch "$(printf '%q' 'a b')"`,
])('known outputs: cannot tell what is written by %s', (command) => {
  expect(effects(command)).toBe('?');
});
