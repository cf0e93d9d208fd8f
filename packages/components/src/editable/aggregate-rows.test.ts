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
    expect([failure?.message, failure?.fix]).toEqual([
      "There is no summary 'median'.",
      'Use one of these: count, count distinct, sum, average, min, max, first, last, list.',
    ]);
    const long = await aggregate({ aggregations: [{ operation: 'x'.repeat(101) }] });
    expect(long.failure?.message).toBe(`There is no summary '${'x'.repeat(100)}'.`);
    expect((await aggregate({ aggregations: [{ operation: 'toString' }] })).failure?.message).toContain("'toString'");
  });

  it('needs the columns that it groups by and summarises', async () => {
    const missing = async (config: Readonly<Record<string, unknown>>) => (await aggregate(config)).failure?.message;
    expect(await missing({ group_by: 'city, gone' })).toContain("'gone'");
    expect(await missing({ aggregations: [{ column_name: 'gone', operation: 'sum' }] })).toContain("'gone'");
  });

  it.each([
    ['count', 2],
    ['count distinct', 2],
    ['sum', 45],
    ['average', 22.5],
    ['min', '9'],
    ['max', 36],
    ['first', 36],
    ['last', '9'],
    ['list', [36, '9']],
  ])('has a summary %s', async (operation, value) => {
    const name = `${operation.replace(' ', '_')}_age`;
    expect((await aggregate({ aggregations: [{ column_name: ' age ', operation }] })).value).toEqual([
      { [name]: value },
    ]);
  });

  it('summarises no values, equal values, and rows without a column', async () => {
    const of = async (operation: string, ages: readonly unknown[]) =>
      (
        (await aggregate(
          { aggregations: [{ column_name: 'age', operation, name: 'x' }] },
          ages.map((age) => ({ age })),
        )) as { value: readonly { x: unknown }[] }
      ).value[0]?.x;
    const empty = [];
    for (const operation of ['average', 'min', 'first', 'last', 'sum', 'list']) empty.push(await of(operation, [null]));
    expect(empty).toEqual([null, null, null, null, 0, []]);
    expect([await of('count distinct', ['a', 'a', 'b']), await of('max', ['2', 2]), await of('min', [2, '2'])]).toEqual(
      [2, '2', 2],
    );
    expect((await aggregate({ aggregations: [{ operation: 'count' }, { name: ' all ' }] })).value).toEqual([
      { count: 3, all: 3 },
    ]);
  });

  it('groups by several columns, and has a group without rows only where it groups by none', async () => {
    expect((await aggregate({ group_by: ' city ,, age' })).value).toEqual([
      { city: 'London', age: 36, count: 1 },
      { city: 'Paris', age: '9', count: 1 },
      { city: 'London', age: null, count: 1 },
    ]);
    expect((await aggregate({}, [])).value).toEqual([{ count: 0 }]);
    expect((await aggregate({ group_by: 'city' }, [])).value).toEqual([]);
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
