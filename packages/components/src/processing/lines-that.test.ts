import { expect, it } from 'vitest';
import { linesThat } from './lines-that.ts';

it.each([
  ['a\nb\nc', 'b', 'a\nc'],
  ['a\nb\nc', 'c', 'a\nb'],
  ['a\nb\nc\n', 'c', 'a\nb\n'],
  ['a\r\nb\r\nc', 'c', 'a\r\nb'],
  ['a\r\nb\r\n', 'a', 'b\r\n'],
  ['a\nb', 'a b', ''],
  ['\n\na', 'a', '\n'],
  ['', 'x', ''],
])('of %j without %j leaves %j', (text, dropped, left) => {
  const drops = dropped.split(' ');
  expect(linesThat(text, (line) => !drops.includes(line))).toBe(left);
});

it('gives the test each line with its number and the number of all', () => {
  const seen: unknown[] = [];
  const text = 'a\r\n\nc\n';
  expect(linesThat(text, (...given) => seen.push(given) > 0)).toBe(text);
  expect(seen).toEqual([
    ['a', 0, 3],
    ['', 1, 3],
    ['c', 2, 3],
  ]);
});
