import { expect, it } from 'vitest';
import { changedLines } from './changed-lines.ts';

const shown = (before: string, after: string) => changedLines(before, after).map(({ sign, text }) => `${sign}${text}`);

it.each([
  ['a\nb\nc\nd\ne', 'a\nb\nX\nd\ne', [' b', '−c', '+X', ' d']],
  ['a\nb', 'a\nb\nc', [' b', '+c']],
  ['a\nb', 'b', ['−a', ' b']],
  ['b', 'a\nb', ['+a', ' b']],
  ['a\nb\nc\nd', 'x\nb\nc\ny', ['−a', '−b', '−c', '−d', '+x', '+b', '+c', '+y']],
  ['a\na\na', 'a', [' a', '−a', '−a']],
  ['a\nb\nc', 'b\nc', ['−a', ' b']],
  ['a', 'b', ['−a', '+b']],
  ['x\nx\nx', 'x\nx', [' x', '−x']],
])('shows the changed lines with one around them, from %j to %j', (before, after, lines) => {
  expect(shown(before, after)).toEqual(lines);
});

it('shows no change between equal texts', () => {
  expect([shown('a\nb', 'a\nb'), shown('', '')]).toEqual([[' b'], [' ']]);
});
