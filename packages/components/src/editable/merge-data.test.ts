import { describe, expect, it } from 'vitest';
import { runSpec, textsOf, portsOf } from '../testing.ts';
import { MergeData } from './merge-data.ts';

const PEOPLE = [
  { name: 'Ada', city: 'London', age: 36 },
  { name: 'Bob', city: 'Paris', age: '9' },
  { name: 'Cem', city: 'London', age: null },
];

describe('MergeData', () => {
  const CITIES = [
    { city: 'London', country: 'UK', name: 'London City' },
    { city: 'Rome', country: 'IT' },
  ];
  const merge = async (config: Readonly<Record<string, unknown>>) => {
    const isJoin = config['operation'] === 'Join';
    const lines = [
      'nodes:',
      '  A: ReadData',
      '  B: ReadData',
      '  M: MergeData',
      'edges:',
      '  A.dataframe -> M.data_inputs',
      `  B.dataframe -> M.${isJoin ? 'join_with' : 'data_inputs'}`,
      'config:',
      '  A.source: Text',
      '  B.source: Text',
      `  A.text: ${JSON.stringify(JSON.stringify(PEOPLE))}`,
      `  B.text: ${JSON.stringify(JSON.stringify(CITIES))}`,
      ...Object.entries(config).map(([name, value]) => `  M.${name}: ${JSON.stringify(value)}`),
    ];
    const ran = await runSpec(lines);
    return { ...ran, rows: Object.values(ran.outputs)[0]?.['merged_data'] };
  };
  const rows = async (config: Readonly<Record<string, unknown>>) => (await merge(config)).rows;

  it('joins by a column and keeps the columns of both', async () => {
    expect(await rows({ operation: 'Join', join_on: 'city' })).toEqual([
      { name: 'Ada', city: 'London', age: 36, country: 'UK', name_right: 'London City' },
      { name: 'Cem', city: 'London', age: null, country: 'UK', name_right: 'London City' },
    ]);
    expect(await rows({ operation: 'Join', join_on: 'city', how: 'outer' })).toHaveLength(4);
    expect(await rows({ operation: 'Join', join_on: 'city', how: 'left' })).toHaveLength(3);
  });

  it('appends rows, and merges records into one', async () => {
    expect(await rows({})).toHaveLength(5);
    expect(await rows({ operation: 'Merge' })).toEqual([
      { name: 'London City', city: 'Rome', age: null, country: 'IT' },
    ]);
  });

  it('refuses a join that would have too many rows', async () => {
    const same = JSON.stringify(Array.from({ length: 1_100 }, () => ({ k: 1 })));
    const lines = [
      'nodes:',
      '  A: ReadData',
      '  M: MergeData',
      'edges:',
      '  A.dataframe -> M.data_inputs',
      '  A.dataframe -> M.join_with',
      'config:',
      '  A.source: Text',
      `  A.text: ${JSON.stringify(same)}`,
      '  M.operation: Join',
      '  M.join_on: k',
    ];
    expect((await runSpec(lines)).failure?.fix).toContain('distinct values');
  });
});

it('has ports that stored flows name', () => {
  expect(portsOf(new MergeData())).toEqual([
    'data_inputs: handle Table Data list required',
    'operation: select default="Concatenate" of Concatenate|Merge|Join',
    'join_with: handle Table Data required if operation Join',
    'join_on: text required variables=false if operation Join',
    'how: select default="inner" of inner|left|outer if operation Join',
    'merged_data: gives Table',
  ]);
});

it('shows these texts to people and models', () => {
  expect(textsOf(new MergeData())).toEqual([
    'Merge data (merge): Appends tables, merges records into one, or joins two tables by a column.',
    '',
    'data_inputs: Tables or records | In the order of their connections.',
    'operation: Operation | Concatenate: all rows. Merge: one record; later values win. Join: rows with those of the second table.',
    'join_with: Second table',
    'join_on: Key column',
    'how: Rows to keep | inner: rows with a counterpart. left: all of the first table. outer: all of both.',
    'merged_data: Result',
  ]);
});
