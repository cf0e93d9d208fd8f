import { describe, expect, it } from 'vitest';
import { runNode, textsOf, portsOf } from '../testing.ts';
import { AggregateRows } from './aggregate-rows.ts';

const PEOPLE = [
  { name: 'Ada', city: 'London', age: 36 },
  { name: 'Bob', city: 'Paris', age: '9' },
  { name: 'Cem', city: 'London', age: null },
];

describe('AggregateRows', () => {
  const aggregate = (config: Readonly<Record<string, unknown>>, value: unknown = PEOPLE) =>
    runNode({ type: 'AggregateRows', output: 'output', input: 'df', value, config });

  it('groups rows and summarises columns; texts that are numbers count', async () => {
    const aggregations = [
      { column_name: 'age', operation: 'sum', name: 'years' },
      { column_name: 'name', operation: 'list' },
      { column_name: 'age', operation: 'count' },
    ];
    expect((await aggregate({ group_by: 'city', aggregations })).value).toEqual([
      { city: 'London', years: 36, list_name: ['Ada', 'Cem'], count_age: 1 },
      { city: 'Paris', years: 9, list_name: ['Bob'], count_age: 1 },
    ]);
  });

  it('counts all rows without a column, and has numbers in order of size', async () => {
    expect((await aggregate({})).value).toEqual([{ count: 3 }]);
    const aggregations = [{ column_name: 'age', operation: 'max', name: 'oldest' }];
    expect((await aggregate({ aggregations })).value).toEqual([{ oldest: 36 }]);
  });

  it('names the summaries that exist', async () => {
    const { failure } = await aggregate({ aggregations: [{ column_name: 'age', operation: 'median' }] });
    expect(failure?.fix).toContain('average');
  });
});

it('has ports that stored flows name', () => {
  expect(portsOf(new AggregateRows())).toEqual([
    'df: handle Table Data list required',
    'group_by: text default="" variables=false',
    'aggregations: table columns=[{"name":"column_name","label":"Column","kind":"text"},{"name":"operation","label":"Summary","kind":"select","options":["count","count distinct","sum","average","min","max","first","last","list"]},{"name":"name","label":"Name of the result","kind":"text"}] default=[]',
    'output: gives Table',
  ]);
});

it('shows these texts to people and models', () => {
  expect(textsOf(new AggregateRows())).toEqual([
    'Aggregate rows (sigma): Groups rows by columns, and counts, sums or otherwise summarises each group.',
    '',
    'df: Rows',
    'group_by: Group by | Columns separated by commas. Empty: one group with all rows.',
    'aggregations: Summaries | Empty: the number of rows as count. Values that are not numbers do not count in sums.',
    'output: Groups',
  ]);
});
