import { expect, it } from 'vitest';
import { firstRows, isDelimited } from './delimited-text.ts';

it('knows tables by their extension', () => {
  expect(['a.csv', 'A.TSV', 'csv', 'a.csv.txt'].map(isDelimited)).toEqual([true, true, false, false]);
});

it.each([
  ['a,b\n1,2\n', ['a', 'b'], [['1', '2']]],
  ['\ufeffa;b;c,d\r\n1;2;3\r\n', ['a', 'b', 'c,d'], [['1', '2', '3']]],
  ['a\tb\r1\t2', ['a', 'b'], [['1', '2']]],
  ['a,b\n"x, ""y""\nz",', ['a', 'b'], [['x, "y"\nz', '']]],
  [
    'a,b\n"open,2\nq"r,"s"t',
    ['a', 'b'],
    [
      ['"open', '2'],
      ['q"r', '"s"t'],
    ],
  ],
  ['a,b\n\n1\n1,2,3', ['a', 'b', ''], [['1'], ['1', '2', '3']]],
  ['', [], []],
])('reads %j', (text, columns, rows) => {
  expect(firstRows(text, 9)).toEqual({ columns, rows, hasMore: false });
});

it('reads only the first rows, and says whether there are more', () => {
  expect(firstRows('n\n1\n2\n3\n', 2)).toEqual({ columns: ['n'], rows: [['1'], ['2']], hasMore: true });
  expect(firstRows('n\n1\n2\n', 2).hasMore).toBe(false);
});
