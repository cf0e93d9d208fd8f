import { builtinRegistry } from '@croft/components';
import { expect, it } from 'vitest';
import type { Step } from './chain.ts';
import { chosenRows, rankedRows, requestFrom } from './chosen-rows.ts';
import { fromComponents } from './from-components.ts';
import { readRequest } from './request-parts.ts';

const registry = builtinRegistry();
const clause = (text: string) => ({ text, masked: text, words: [] });
/** The components of a flow with the values that choose rows. */
function built(request: string) {
  const found = fromComponents(readRequest(request), registry);
  const values = found?.spec.config.filter(({ field }) => field === 'limit' || field === 'index');
  return [found?.from, values?.map(({ field, value }) => `${field} ${JSON.stringify(value)}`).join()];
}

it('keeps the first rows in the order of the step before, and no single one of them', () => {
  const sorted = 'CSV, JSON, YAML, Sort rows, Chat output';
  expect(built('read a.csv, sort by amount descending, take the first two')).toEqual([sorted, 'limit 2']);
  expect(built('read a.csv, sort by amount and keep the top 3')).toEqual([sorted, 'limit 3']);
  expect(built('the five largest of a.csv, sorted by size')).toEqual([sorted, 'limit 5']);
});

it('does not take rows that are first before they are sorted for those that are first after it', () => {
  expect(built('keep the first 3 rows of a.csv, sort by amount')[1]).toBe('');
  expect(requestFrom([clause('keep the first 3'), clause('sort it')], 1)).toBe('sort it');
  expect(requestFrom([clause('the top 3'), clause('sort it')], 1)).toBe('the top 3 sort it');
  expect(requestFrom([clause('sort it'), clause('keep the first 3')], 0)).toBe('sort it keep the first 3');
});

it.each([
  ['take the first row', 1],
  ['show the second item', 2],
  ['the third record', 3],
  ['give me the last row', -1],
])('takes one row by its place: %s', (text, index) => {
  const [step] = chosenRows(clause(text), [], registry) ?? [];
  expect([step?.descriptor.type, step?.config, step?.read]).toEqual(['ListItem', { index }, text]);
});

it('has read what a step before carries out, and nothing else', () => {
  const descriptor = registry.get('SortRows')?.descriptor as Step['descriptor'];
  const steps: Step[] = [{ descriptor, config: { limit: 2 } }];
  expect(chosenRows(clause('take the first three'), steps, registry)).toEqual([]);
  expect(steps[0]?.read).toBeUndefined();
  expect(chosenRows(clause('take the first two'), steps, registry)).toEqual([]);
  expect(steps[0]?.read).toBe('take the first two');
});

it.each(['take the first line', 'read a.csv', 'sort by amount, first 3', 'the fourth row'])(
  'leaves other clauses to other rules: %s',
  (text) => {
    expect(chosenRows(clause(text), [], registry)).toBeUndefined();
  },
);

it('asks no model about each row because of a word such as run', () => {
  const types = (request: string) => fromComponents(readRequest(request), registry)?.spec.nodes.map(({ type }) => type);
  expect(types('read a.csv, keep rows with amount over 20 and runs')).not.toContain('BatchRunComponent');
  expect(types('read a.csv and run each row through a model')).toContain('BatchRunComponent');
});

const ranked = (text: string) => rankedRows(clause(text), { before: [], clauses: [], columns: new Set() }, registry);

it.each([
  ['keep the 3 rows with the highest price', false, 3],
  ['show me the ten lowest records by the price of data/a.csv', true, 10],
  ['the top 5 rows by "price"', false, 5],
  ['take the entry with the smallest price.', true, 1],
])('keeps the rows with the values at one end of a column: %s', (text, ascending, limit) => {
  const config = { column_name: 'price', ascending, limit };
  expect(ranked(text)).toMatchObject({ descriptor: { type: 'SortRows' }, config, read: text });
});

it.each([
  'keep the rows with the highest price',
  'keep the 3 rows with the highest price per city',
  'keep the 3 rows with the oldest price',
  'drop the 3 rows with the highest price',
  'keep the 3 rows with the highest of them',
  'keep the 3 lines with the highest price',
])('leaves other choices to other rules: %s', (text) => {
  expect(ranked(text)).toBeUndefined();
});
