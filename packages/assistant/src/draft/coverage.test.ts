import { builtinRegistry } from '@croft/components';
import { createRegistry, type Descriptor, type Field, parseSpec } from '@croft/flow';
import { describe, expect, it } from 'vitest';
import {
  chosenIn,
  covers,
  fieldOf,
  missingIn,
  operationOf,
  uncovered,
  vocabularyOf,
  wordsOfValues,
} from './coverage.ts';
import { readRequest } from './request-parts.ts';
import { stemsOf } from './words.ts';

const registry = builtinRegistry();
const field = (name: string, more: Partial<Field> = {}): Field => ({ name, label: name, kind: 'text', ...more });
const component = (more: Partial<Descriptor>): Descriptor => ({
  type: 'Clean',
  label: 'Cleaner',
  description: 'Removes blanks.',
  category: 'logic',
  effects: [],
  fields: [],
  outputs: [],
  ...more,
});

describe('the vocabulary of a component', () => {
  it('is its names, description and keywords', () => {
    expect(vocabularyOf(component({ keywords: ['tidy'] }))).toEqual(stemsOf('Cleaner Clean Removes blanks tidy'));
  });

  it('is only its names where it has several operations', () => {
    const several = component({ keywords: ['tidy'], fields: [field('how', { kind: 'select', required: true })] });
    expect(vocabularyOf(several)).toEqual(stemsOf('Cleaner Clean'));
    expect(operationOf(several)?.name).toBe('how');
    for (const other of [
      { kind: 'text' as const, required: true },
      { kind: 'select' as const },
      { kind: 'select' as const, required: true, default: 'a' },
    ])
      expect(operationOf(component({ fields: [field('how', other)] }))).toBeUndefined();
  });
});

it('covers a clause when it has more than half of its words, or it has none', () => {
  const known = new Set(['a', 'b']);
  expect([covers(known, []), covers(known, ['a']), covers(known, ['a', 'x']), covers(known, ['a', 'b', 'x'])]).toEqual([
    true,
    true,
    false,
    true,
  ]);
});

const SORT = `nodes:
  R: ReadData
  S: SortRows
  O: ChatOutput
edges:
  R.dataframe -> S.df
  S.output -> O.input_value
config:
  R.path: orders.csv
  S.column_name: amount
  S.ascending: false
  S.limit: 3
`;
const missing = (request: string, more = {}) => missingIn(SORT, readRequest(request), registry, more);

describe('what a flow leaves out of a request', () => {
  it('is nothing where its components and values have the words', () => {
    expect(missing('read the rows of orders.csv, sort them by amount and keep the first three')).toEqual([]);
  });

  it('is a clause without its words, and values that no field has', () => {
    expect(missing('sort the rows of orders.csv and email them')).toEqual(['email them']);
    expect(missing('sort the rows of other.csv')).toEqual(['other.csv']);
    expect(missing('sort the rows of orders.csv by "price"')).toEqual(
      ['"price"'].map(() => expect.stringContaining('price')),
    );
    expect(missing('sort the rows of orders.csv and save them to out.csv')).toEqual([
      expect.stringContaining('out.csv'),
    ]);
    expect(missing('sort the rows of https://example.com/a')).toEqual(['https://example.com/a']);
  });

  it('is a deletion of files, which no component does, and a search for a kind of files that no pattern finds', () => {
    expect(missing('sort the rows and delete orders.csv')).toEqual(['delete orders.csv']);
    expect(missing('sort the rows and erase the files')).toEqual(['erase the files']);
    const covered = { words: new Set(stemsOf('list old file')), values: [], takesMessage: false };
    expect(uncovered(readRequest('list the old files'), covered, [])).toEqual(['list the old files']);
  });

  it('is not what the template says about itself, or a clause that a rule carried out', () => {
    expect(missing('sort the rows of orders.csv and email them', { about: 'Emails the rows' })).toEqual([]);
    expect(missing('sort the rows of orders.csv and email "them"', { read: ['email "them"'] })).toEqual([]);
  });

  it('gives details in the words of the user', () => {
    expect(missing('sort the rows of orders.csv in "deep blue" ink')).toEqual(['in "deep blue" ink']);
  });
});

describe('the words of values', () => {
  const chosen = (config: string) =>
    chosenIn(
      parseSpec(`nodes:\n  S: SortRows\n  A: AggregateRows\n  P: ParserComponent\nconfig:\n${config}`),
      registry,
    );

  it('are those of short texts and tables, numbers as words, and the order of rows', () => {
    expect(chosen('  S.column_name: unit price\n')).toEqual(stemsOf('unit price'));
    expect(chosen('  S.limit: 3\n')).toEqual(stemsOf('three'));
    expect(chosen('  S.ascending: false\n').length).toBeGreaterThan(0);
    expect(chosen('  S.ascending: false\n')).not.toEqual(chosen('  S.ascending: true\n'));
    expect(chosen('  A.aggregations: [{"column_name": "weight"}]\n')).toContain(stemsOf('weight')[0]);
    expect(chosen('  P.pattern: a long text\n')).toEqual([]);
    expect(chosen('  S.none: text\n')).toEqual([]);
  });

  it('of one component are all of them', () => {
    expect(wordsOfValues({ a: 'blue', b: 3, c: [{ d: 'green' }], e: true, ascending: true })).toEqual([
      ...stemsOf('blue'),
      ...stemsOf('three'),
      ...stemsOf('d green'),
      ...wordsOfValues({ ascending: true }),
    ]);
    expect(wordsOfValues({ ascending: true })).not.toEqual([]);
  });
});

it('finds the field of a value, where its component has it', () => {
  const spec = parseSpec(SORT);
  const kind = (node: string, name: string, among = registry) =>
    fieldOf(spec, { node, field: name, value: '' }, among as typeof registry)?.kind;
  expect([kind('S', 'limit'), kind('S', 'none'), kind('X', 'limit')]).toEqual(['integer', undefined, undefined]);
  expect(kind('S', 'limit', createRegistry([]) as never)).toBeUndefined();
});

it.each([
  ['data.md', 'a.md', ['a.md']],
  ['out.txt.bak', 'out.txt', ['out.txt']],
  ['docs/a.md', 'a.md', []],
  ['a.md, b.md', 'b.md', []],
])('a file of a request is not a part of the name of another: %s, %s', (value, file, missing) => {
  const parts = { ...readRequest(''), targets: [file] };
  expect(uncovered(parts, { words: new Set<string>(), values: [value], takesMessage: true }, [])).toEqual(missing);
});
