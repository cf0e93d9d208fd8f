import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useWorkspace } from '../../../../tests/support/use-workspace.ts';
import { runNode, runSpec } from '../testing.ts';

const { dir, workspace } = useWorkspace();

const PEOPLE = [
  { name: 'Ada', city: 'London', age: 36 },
  { name: 'Bob', city: 'Paris', age: '9' },
  { name: 'Cem', city: 'London', age: null },
];

describe('JSONQuery', () => {
  const query = (expression: string, value: unknown, output = 'dataframe') =>
    runNode({ type: 'JSONQuery', output, input: 'data', value, config: { expression } });

  it('selects rows and columns', async () => {
    expect((await query("[?city=='London'].{who: name}", PEOPLE)).value).toEqual([{ who: 'Ada' }, { who: 'Cem' }]);
    expect((await query('[].age | [0]', PEOPLE, 'message')).value).toEqual({ text: '36' });
  });

  it('ends a query that would run for years', async () => {
    const nested = 'map(&map(&map(&map(&map(&@, $), $), $), $), $)';
    const { failure } = await query(nested, `[${Array.from({ length: 2_000 }, (_, n) => n).join(',')}]`);
    expect(failure).toMatchObject({
      message: expect.stringContaining('takes longer than') as string,
      fix: expect.any(String) as string,
    });
  });

  it('holds no timer up while it searches', async () => {
    let ticks = 0;
    const timer = setInterval(() => ticks++, 10);
    const nested = 'map(&map(&map(&map(&map(&@, $), $), $), $), $)';
    await query(nested, `[${Array.from({ length: 2_000 }, (_, n) => n).join(',')}]`);
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(10);
  });

  it('reads JSON in a text', async () => {
    expect((await query('a[1]', '{"a":[1,{"b":2}]}', 'data_output')).value).toEqual({ b: 2 });
  });

  it('says how to correct a broken expression', async () => {
    const { failure } = await query('[?name=', PEOPLE);
    expect(failure).toMatchObject({
      message: expect.stringContaining('could not be applied'),
      fix: expect.any(String),
    });
  });

  it('finds nothing on the prototype', async () => {
    expect((await query('[0].constructor', [{ a: 1 }], 'message')).value).toEqual({ text: '' });
  });
});

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

describe('RegexExtractor', () => {
  it('ends with an error where the searches together take too long', async () => {
    const found = await runNode({
      type: 'RegexExtractor',
      output: 'data',
      input: 'input_text',
      value: 'a'.repeat(60_000),
      config: { pattern: '(a|aa)*b|a' },
    });
    expect(found.status).toBe('failed');
    expect(JSON.stringify(found)).toContain('takes too long');
  });

  it('ends a single search that takes too long, and holds no timer up meanwhile', async () => {
    let ticks = 0;
    const timer = setInterval(() => ticks++, 10);
    const { failure } = await extract('([a-z]{1,500})[0-9]', 'x'.repeat(900_000));
    clearInterval(timer);
    expect(failure?.message).toContain('takes too long');
    expect(ticks).toBeGreaterThan(10);
  });

  const extract = (pattern: string, text: string, output = 'data') =>
    runNode({ type: 'RegexExtractor', output, input: 'input_text', value: text, config: { pattern } });

  it('gives all matches with their groups', async () => {
    expect((await extract('(?P<key>\\w+)=(\\d+)', 'a=1, b=22')).value).toEqual([
      { match: 'a=1', group_1: 'a', group_2: '1', key: 'a' },
      { match: 'b=22', group_1: 'b', group_2: '22', key: 'b' },
    ]);
    expect((await extract('z+', 'abc', 'text')).value).toEqual({ text: 'No matches found' });
  });

  it('stays linear where a backtracking engine would not end', async () => {
    expect((await extract('(a+)+$', `${'a'.repeat(5_000)}!`)).status).toBe('completed');
  });

  it('refuses what RE2 does not have, with advice', async () => {
    expect((await extract('(a)\\1', 'aa')).failure?.fix).toContain('RE2');
  });
});

describe('ReadData', () => {
  const read = (config: Readonly<Record<string, unknown>>, output = 'dataframe') =>
    runNode({ type: 'ReadData', output, config, services: { workspace } });

  it.each([
    ['a.csv', '\ufeffname;n\n"A; B";1\n', [{ name: 'A; B', n: '1' }]],
    ['a.tsv', 'x\ty\n1\t2\n', [{ x: '1', y: '2' }]],
    ['a.json', '[{"n":1}]', [{ n: 1 }]],
    ['a.jsonl', '{"n":1}\n{"n":2}\n', [{ n: 1 }, { n: 2 }]],
    ['a.yml', '- n: 1\n- n: 2\n', [{ n: 1 }, { n: 2 }]],
  ])('reads %s', async (path, content, rows) => {
    writeFileSync(join(dir, path), content);
    expect((await read({ path })).value).toEqual(rows);
  });

  it('guesses the format of a text', async () => {
    expect((await read({ source: 'Text', text: 'a: 1\nb: [x]' }, 'data')).value).toEqual({ a: 1, b: ['x'] });
    expect((await read({ source: 'Text', text: 'a,b\n1,2' })).value).toEqual([{ a: '1', b: '2' }]);
  });

  it('names the file and the fault', async () => {
    writeFileSync(join(dir, 'broken.json'), '{"a":');
    expect((await read({ path: 'broken.json' })).failure?.message).toMatch(/^'broken.json' is not valid JSON: /);
  });

  it('refuses aliases that expand without bound', async () => {
    const levels = Array.from({ length: 12 }, (_, at) => `l${at + 1}: &l${at + 1} [${`*l${at},`.repeat(9)}*l${at}]`);
    const text = ['l0: &l0 [x]', ...levels].join('\n');
    expect((await read({ source: 'Text', format: 'yaml', text })).failure?.message).toContain('alias');
  });
});

describe('Switch', () => {
  const route = (text: string, cases: readonly string[] = ['alpha', 'beta']) =>
    runSpec([
      'nodes:',
      '  I: TextInput',
      '  S: Switch',
      '  A: TextOutput',
      '  B: TextOutput',
      '  D: TextOutput',
      'config:',
      `  I.input_value: ${text}`,
      `  S.cases: ${JSON.stringify(cases.map((match_text) => ({ match_text })))}`,
      'edges:',
      '  I.text -> S.input_value',
      '  S.case_1_result -> A.input_value',
      '  S.case_2_result -> B.input_value',
      '  S.default_result -> D.input_value',
    ]);
  const taken = async (text: string) => (await route(text)).events.filter(({ kind }) => kind === 'node_pruned').length;

  it('takes the first case that fits, else the default', async () => {
    expect((await route('Beta')).text).toBe('Beta');
    expect(await taken('Beta')).toBe(2);
    expect((await route('gamma')).text).toBe('gamma');
    expect(await taken('gamma')).toBe(2);
  });

  it('has only the outputs of its cases', async () => {
    await expect(route('x', ['alpha'])).rejects.toThrow('case_2_result');
  });
});

describe('a cancelled run', () => {
  it.each([
    ['JSONQuery', 'dataframe', 'data'],
    ['AggregateRows', 'output', 'df'],
    ['MergeData', 'merged_data', 'data_inputs'],
    ['RegexExtractor', 'data', 'input_text'],
    ['Rerank', 'dataframe', 'df'],
  ])('gives nothing from %s', async (type, output, input) => {
    const abort = new AbortController();
    const config = { pattern: 'x', query: 'x' };
    const own = type === 'RegexExtractor' ? { pattern: config.pattern } : type === 'Rerank' ? { query: 'x' } : {};
    const value = input === 'input_text' ? 'x' : PEOPLE;
    const node = { type, output, input, value, config: own };
    const onEvent = ({ kind }: { readonly kind: string }) => {
      if (kind === 'node_started') abort.abort();
    };
    const ran = await runNode(node, { signal: abort.signal, onEvent });
    expect([ran.status, ran.value]).toEqual(['cancelled', undefined]);
  });
});
