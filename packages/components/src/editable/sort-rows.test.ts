import { expect, it } from 'vitest';
import { portsOf, textsOf } from '../testing.ts';
import { SortRows } from './sort-rows.ts';

const run = (df: unknown, more: Partial<SortRows> = {}) =>
  Object.assign(new SortRows(), { df, column_name: 'n', ascending: true, limit: 0, ...more }).run().output;
const rows = (...values: unknown[]) => values.map((n) => ({ n }));

it('sorts numbers by their value, either way, and keeps equal rows in order', () => {
  expect(run(rows(10, 9, '2'))).toEqual(rows('2', 9, 10));
  expect(run(rows(9, 10, 2), { ascending: false })).toEqual(rows(10, 9, 2));
  const equal = [
    { n: 1, at: 'a' },
    { n: 1, at: 'b' },
  ];
  expect([run(equal), run(equal, { ascending: false })]).toEqual([equal, equal]);
});

it('keeps the first rows, or all for 0', () => {
  expect([run(rows(3, 1, 2), { limit: 1 }), run(rows(3, 1, 2)).length]).toEqual([rows(1), 3]);
});

it('reads a path, and needs a column that a row has', () => {
  expect(run([{ a: { b: 2 } }, { a: { b: 1 } }], { column_name: 'a.b' })).toEqual([{ a: { b: 1 } }, { a: { b: 2 } }]);
  expect(() => run(rows(1), { column_name: 'none' })).toThrow('none');
});

it('has ports that stored flows name', () => {
  expect(portsOf(new SortRows())).toEqual([
    'df: handle Table Data list required',
    'column_name: text default="" required variables=false',
    'ascending: switch default',
    'limit: integer default=0 min=0',
    'output: gives Table',
  ]);
});

it('shows these texts to people and models', () => {
  expect(textsOf(new SortRows())).toEqual([
    'Sort rows (arrow-down-narrow-wide): Sorts rows by a column, and keeps the first ones.',
    '',
    'df: Rows',
    'column_name: Column | A name, or a path such as address.city.',
    'ascending: Smallest first',
    'limit: Rows to keep | 0 keeps all.',
    'output: Rows',
  ]);
});
