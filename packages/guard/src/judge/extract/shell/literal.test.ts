import { expect, it } from 'vitest';
import { literal } from './literal.ts';
import { ANY, HOME } from './marks.ts';

it.each([
  ['~', '~', HOME],
  ['~/x', '~/x', `${HOME}/x`],
  ['~ann/x', '~ann/x', `${HOME}ann/x`],
  ['~+/x', '~+/x', `${ANY}/x`],
  ['~-', '~-', ANY],
  ['of=~/x', 'of=~/x', `of=${HOME}/x`],
  ['a/~', 'a/~', 'a/~'],
  ['\\~', '~', '~'],
  ['x', 'x', 'x'],
  ['a b=~', 'a b=~', 'a b=~'],
])('expands the tilde of %s', (text, value, expected) => {
  expect(literal(text, value)).toBe(expected);
});
