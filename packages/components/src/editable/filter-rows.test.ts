import { expect, it } from 'vitest';
import { portsOf, textsOf } from '../testing.ts';
import { FilterRows } from './filter-rows.ts';

const ROWS = [
  { n: 5, a: { b: 'x' } },
  { n: 10, a: { b: 'y' } },
  { n: 20, a: { b: '' } },
];
const run = (operator: string, filter_value: unknown, column_name = 'n', df: unknown = ROWS) =>
  Object.assign(new FilterRows(), { df, operator, filter_value, column_name }).run().output;

it('keeps the rows whose column meets the condition, by number or text', () => {
  expect(run('greater than', '10')).toEqual([ROWS[2]]);
  expect(run('less than or equal', { text: '10' })).toEqual(ROWS.slice(0, 2));
  expect(run('equals', 'y', 'a.b')).toEqual([ROWS[1]]);
  expect(run('is empty', '', 'a.b')).toEqual([ROWS[2]]);
});

it('needs a column that a row has', () => {
  expect(() => run('equals', '1', 'none')).toThrow('none');
  expect(run('equals', '1', 'none', [])).toEqual([]);
});

it('has ports that stored flows name', () => {
  expect(portsOf(new FilterRows())).toEqual([
    'df: handle Table Data list required',
    'column_name: text default="" required variables=false',
    'operator: select default="equals" of equals|not equals|contains|not contains|starts with|ends with|greater than|less than|greater than or equal|less than or equal|is empty|is not empty',
    'filter_value: text Message default=""',
    'output: gives Table',
  ]);
});

it('shows these texts to people and models', () => {
  expect(textsOf(new FilterRows())).toEqual([
    'Filter rows (filter): Keeps the rows whose column meets a condition.',
    '',
    'df: Rows',
    'column_name: Column | A name, or a path such as address.city.',
    'operator: Condition',
    'filter_value: Value',
    'output: Rows',
  ]);
});
