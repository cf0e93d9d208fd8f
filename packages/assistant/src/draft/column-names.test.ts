import type { FlowNode, Json } from '@croft/flow';
import { expect, it } from 'vitest';
import type { Step } from './chain.ts';
import { columnsIn, NAME, refers, summaryWords, unquoted, withColumns } from './column-names.ts';
import { descriptorOf } from './testing.ts';

const clause = (text: string) => ({ text, masked: text, words: [] });
const step = (config: Readonly<Record<string, Json>>): Step => ({ descriptor: descriptorOf('X'), config });
const sum = (name: string, operation = 'sum') => ({ column_name: 'amount', operation, name });
const SUMMED = step({ group_by: 'region, city', aggregations: [sum('sum of amount')] });
/** The column that a word of a clause is. */
const column = (word: string, text: string, before: readonly Step[] = [], columns: readonly string[] = []) =>
  withColumns({ column_name: word }, text, { before, clauses: [clause(text)], columns: new Set(columns) })?.[
    'column_name'
  ];

it('reads one word or a quoted text as a name', () => {
  const read = (text: string) => unquoted(new RegExp(`by ${NAME}`).exec(text)?.[1] ?? '');
  expect(['by price now', 'by "unit price" now', 'by “a, b”', 'by `x`'].map(read)).toEqual([
    'price',
    'unit price',
    'a, b',
    'x',
  ]);
});

it('knows words for rows and for what was said before', () => {
  expect(['those', 'They', 'it', 'rows', 'that'].every(refers)).toBe(true);
  expect(['total', 'value', 'item', 'theme'].some(refers)).toBe(false);
});

it.each([
  ['total', 'sort by total', 'total'],
  ['total', 'sort by the total', undefined],
  ['total', 'sort by the "total"', 'total'],
  ['total', 'sort by the total column', 'total'],
  ['price', 'sort by the price', 'price'],
])('takes %s in “%s” for the column %s', (word, text, expected) => {
  expect(column(word, text)).toBe(expected);
});

it('takes a word for a column that another part of the request, or the flow, uses as one', () => {
  const clauses = [clause('keep rows where total is over 5'), clause('sort by the total')];
  const values = { column_name: 'total' };
  expect(withColumns(values, 'sort by the total', { before: [], clauses, columns: new Set() })).toEqual(values);
  expect(column('total', 'sort by the total', [], ['total'])).toBe('total');
});

it.each([
  ['region', 'region'],
  ['city', 'city'],
  ['sum of amount', 'sum of amount'],
  ['total', 'sum of amount'],
  ['amount', 'sum of amount'],
  ['average', undefined],
  ['price', undefined],
])('after a summary, takes %s for the column %s', (word, expected) => {
  expect(column(word, `sort by the ${word}`, [SUMMED])).toBe(expected);
  expect(column(word, `sort by ${word}`, [SUMMED, step({ column_name: 'region' })])).toBe(expected);
});

it('does not choose between several summaries, and knows no columns after other steps', () => {
  const two = step({ aggregations: [sum('a'), sum('b')] });
  expect(column('total', 'sort by the total', [two])).toBeUndefined();
  expect(column('price', 'sort by price', [SUMMED, step({ code: 'x' })])).toBe('price');
  expect(column('total', 'sort by the total', [step({ aggregations: [sum('sum of a.b')] })])).toBeUndefined();
});

it('leaves other values as they are, and refuses a summary of a column that is not one', () => {
  const known = { before: [SUMMED], clauses: [], columns: new Set<string>() };
  expect(withColumns({ limit: 3 }, 'first 3', known)).toEqual({ limit: 3 });
  const counted = { aggregations: [{ column_name: '', operation: 'count', name: 'rows' }] };
  expect(withColumns(counted, 'count them', known)).toEqual(counted);
  expect(withColumns({ aggregations: [sum('x')] }, 'average amount', known)).toBeUndefined();
});

it('has the words for summaries, and the columns of a flow', () => {
  expect(summaryWords([sum('x')])).toEqual(['total', 'sum']);
  expect(summaryWords('sum')).toEqual([]);
  const node = (values: Record<string, Json>): FlowNode => ({ id: 'N', type: 'X', position: { x: 0, y: 0 }, values });
  const nodes = [node({ group_by: 'a, b', aggregations: [sum('total')] }), node({ column_name: 'c' }), node({})];
  expect([...columnsIn({ nodes })]).toEqual(['a', 'b', 'total', 'c']);
});
