import { expect, it } from 'vitest';
import { portsOf, runSpec, textsOf } from '../testing.ts';
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

it('keeps or drops the rows with one of several values', () => {
  const rows = ['Oslo', 'Rome', 'Oslo, Rome', '', 'New York'].map((city) => ({ city }));
  const kept = (operator: string, value: string) => run(operator, value, 'city', rows).map(({ city }) => city);
  expect(kept('is one of', 'Rome , New York')).toEqual(['Rome', 'New York']);
  expect(kept('is one of', 'Oslo,,')).toEqual(['Oslo']);
  expect(kept('is not one of', 'Rome, Oslo')).toEqual(['Oslo, Rome', '', 'New York']);
  expect(run('is one of', '10, 20')).toEqual(ROWS.slice(1));
});

it('compares numbers with a number, and does not match empty cells', () => {
  const rows = [{ n: '90' }, { n: '' }, { n: null }, {}, { n: 1200 }, { n: ' 300 ' }];
  expect(run('greater than', '100', 'n', rows)).toEqual([{ n: 1200 }, { n: ' 300 ' }]);
  expect(run('less than', '100', 'n', rows)).toEqual([{ n: '90' }]);
});

it('fails where a number is compared with a column that has texts, and says how many', () => {
  const rows = [{ n: '9 kg' }, { n: '1,200' }, { n: '' }, { n: 300 }];
  for (const operator of ['greater than', 'less than', 'greater than or equal', 'less than or equal'])
    expect(() => run(operator, '100', 'n', rows), operator).toThrow(
      "The column 'n' has 2 values that are not numbers, such as '9 kg'.",
    );
  expect(() => run('less than', '100', 'n', [{ n: 'abc' }, { n: 1 }])).toThrow('has 1 value that is not a number');
  expect(run('contains', '9', 'n', rows)).toEqual([{ n: '9 kg' }]);
});

it('compares texts, such as dates, with a text', () => {
  const rows = [{ n: '2026-01-31' }, { n: '2026-02-01' }, { n: 3 }];
  expect(run('less than', '2026-02-01', 'n', rows)).toEqual([{ n: '2026-01-31' }]);
});

it('needs a value for conditions that each row meets without one, unless the value is connected', async () => {
  const lines = ['nodes:', '  V: TextInput', '  F: FilterRows', '  R: ReadData', 'config:', '  R.source: Text'];
  const config = ['  R.text: "n\\n5"', '  F.column_name: n'];
  const ended = async (operator: string, more: readonly string[] = []) => {
    const own = [`  F.operator: ${operator}`, 'edges:', '  R.dataframe -> F.df', ...more];
    return (await runSpec([...lines, ...config, ...own])).failure?.message;
  };
  const missing = /^Required input 'filter_value' \(Value\) of F\S* has no value\. Set it or connect it\.$/;
  for (const operator of [
    'contains',
    'not contains',
    'starts with',
    'ends with',
    'greater than',
    'less than or equal',
    'is one of',
    'is not one of',
  ])
    expect(await ended(operator), operator).toMatch(missing);
  for (const operator of ['equals', 'not equals', 'is empty', 'is not empty'])
    expect(await ended(operator), operator).toBeUndefined();
  expect(await ended('contains', ['  V.text -> F.filter_value'])).toBeUndefined();
});

it('needs a column that a row has', () => {
  expect(() => run('equals', '1', 'none')).toThrow('none');
  expect(run('equals', '1', 'none', [])).toEqual([]);
});

it('has ports that stored flows name', () => {
  expect(portsOf(new FilterRows())).toEqual([
    'df: handle Table Data list required',
    'column_name: text default="" required variables=false',
    'operator: select default="equals" of equals|not equals|contains|not contains|starts with|ends with|greater than|less than|greater than or equal|less than or equal|is one of|is not one of|is empty|is not empty',
    'filter_value: text Message default="" required if operator contains|not contains|starts with|ends with|greater than|less than|greater than or equal|less than or equal|is one of|is not one of',
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
    'filter_value: Value | Several values of “is one of” are separated by commas.',
    'output: Rows',
  ]);
});
