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
  ['touch "x$(dirname -- -a/b)"', 'x-a'],
  ['cd "$(dirname /)" && touch x', '/x'],
  ['rm "$(basename /)etc"', '/etc'],
  ['rm "$(basename -s x ..x)/y"', '../y'],
  ['rm "$(basename -a ..)/y"', '../y'],
  ['rm "$(realpath -e x)"', 'x'],
  ['rm "$(readlink -f x)"', 'x'],
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
  'rm $(dirname a/b /etc/x/y)',
  'rm $(realpath a /etc/x)',
  'rm $(readlink -f a /etc/x)',
  'rm $(basename -a a ..)/y',
  'rm "$(realpath --relative-to=/a/b x)"',
  'rm "$(realpath --relative-base /a x)"',
])('known outputs: cannot tell what is written by %s', (command) => {
  expect(effects(command)).toBe('?');
});
