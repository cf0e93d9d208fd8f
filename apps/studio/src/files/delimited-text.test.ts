import { expect, it } from 'vitest';
import { firstRows, isDelimited } from './delimited-text.ts';

const NO_LIMITS = { rows: 9, columns: 9, cells: 999 };

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
  ['name\nA, B\n"C, D"\n\nE, "F"', ['name'], [['A, B'], ['C, D'], ['E, "F"']]],
  ['"a, b, c, d";x;y\n1;2;3', ['a, b, c, d', 'x', 'y'], [['1', '2', '3']]],
  ['', [], []],
])('reads %j', (text, columns, rows) => {
  expect(firstRows(text, 'a.csv', NO_LIMITS)).toEqual({ columns, rows, hasMore: false, moreColumns: 0 });
});

it('reads a .tsv file with tabs', () => {
  const { columns, rows } = firstRows('City, State, Country\tPopulation\nOslo, , Norway\t7\n', 'a.tsv', NO_LIMITS);
  expect([columns, rows]).toEqual([['City, State, Country', 'Population'], [['Oslo, , Norway', '7']]]);
});

it('reads only the first rows, and says whether there are more', () => {
  const limits = { ...NO_LIMITS, rows: 2 };
  const all = { columns: ['n'], rows: [['1'], ['2']], moreColumns: 0 };
  expect(firstRows('n\n1\n2\n3\n', 'a.csv', limits)).toEqual({ ...all, hasMore: true });
  expect(firstRows('n\n1\n2\n', 'a.csv', limits)).toEqual({ ...all, hasMore: false });
});

it('reads only the first columns, also of a longer row, and says how many there are', () => {
  const limits = { ...NO_LIMITS, columns: 2 };
  const rows = [['1', '2'], ['3', '4'], ['5']];
  expect(firstRows('a,b,c\n1,2,3\n3,4,5,6,\n5\n', 'a.csv', limits)).toEqual({
    columns: ['a', 'b'],
    rows,
    hasMore: false,
    moreColumns: 3,
  });
  expect(firstRows(','.repeat(1 << 20), 'a.csv', limits)).toEqual({
    columns: ['', ''],
    rows: [],
    hasMore: false,
    moreColumns: (1 << 20) - 1,
  });
});

it('reads as many rows as the number of cells allows', () => {
  const read = (cells: number) => firstRows('a,b\n1,2\n3,4\n', 'a.csv', { ...NO_LIMITS, cells });
  expect([read(6), read(5)].map(({ rows, hasMore }) => [rows.length, hasMore])).toEqual([
    [2, false],
    [1, true],
  ]);
});
