import { builtinRegistry } from '@croft/components';
import type { Field } from '@croft/flow';
import { expect, it } from 'vitest';
import { bestStep, openFields, scoreOf } from './best-step.ts';
import type { KnownRows } from './column-names.ts';
import { descriptorOf } from './testing.ts';
import { stemsOf } from './words.ts';

const registry = builtinRegistry();
const field = (name: string, more: Partial<Field> = {}): Field => ({ name, label: name, kind: 'text', ...more });
const candidates = ['FilterRows', 'SortRows', 'ListItem', 'AggregateRows'].flatMap(
  (type) => registry.get(type)?.descriptor ?? [],
);
const rows: KnownRows = { before: [], clauses: [], columns: new Set() };
const best = (text: string) =>
  bestStep(candidates, { text, words: stemsOf(text) }, new Set(), { request: text, rows }).map(
    ({ descriptor: { type }, config, read }) => [type, config, read],
  );

it('gives the component with the words of a clause, with its values', () => {
  expect(best('sort rows by price')).toEqual([['SortRows', { column_name: 'price' }, undefined]]);
  const text = 'keep rows where price is over 5';
  const config = { column_name: 'price', operator: 'greater than', filter_value: '5' };
  expect(best(text)).toEqual([['FilterRows', config, text]]);
});

it.each(['sort rows by the sum', 'keep rows where those are over 5', 'take an item', 'aggregate rows'])(
  'gives nothing without a column or a value: %s',
  (text) => {
    expect(best(text)).toEqual([]);
  },
);

it('counts words of the name of a component twice', () => {
  const descriptor = descriptorOf('Sort', { description: 'Orders rows' });
  expect(scoreOf(descriptor, stemsOf('sort sorts rows pages'))).toBe(3);
});

it('leaves open the required fields without a value', () => {
  const fields = [
    field('open', { required: true }),
    field('empty', { required: true, default: '' }),
    field('table', { required: true, kind: 'table', default: [] }),
    field('given', { required: true }),
    field('filled', { required: true, default: 'a' }),
    field('optional'),
    field('hidden', { required: true, showWhen: { field: 'open', is: 'a' } as never }),
  ];
  expect(openFields(descriptorOf('Open', { fields }), { given: 1 }).map(({ name }) => name)).toEqual([
    'open',
    'empty',
    'table',
  ]);
});
