import type { Descriptor, Field } from '@croft/flow';
import { expect, it } from 'vitest';
import { conditionFor, isWholeCondition } from './condition.ts';

const field = (name: string, more: Partial<Field>): Field => ({ name, label: name, kind: 'text', ...more });
const filterWith = (...options: string[]): Descriptor => ({
  type: 'Filter',
  label: 'Filter',
  description: '',
  category: 'logic',
  effects: [],
  fields: [field('column', { required: true }), field('operator', { kind: 'select', options }), field('value', {})],
  outputs: [],
});

it('reads column, option and value, and prefers the longest option', () => {
  expect(conditionFor(filterWith('greater', 'greater than'), 'rows where amount is greater than 15')).toEqual({
    column: 'amount',
    operator: 'greater than',
    value: '15',
  });
});

it('reads the options of a user’s own component as text, not as a regular expression', () => {
  expect(conditionFor(filterWith('(any)', '*'), 'amount * 15')).toMatchObject({ operator: '*', value: '15' });
});

it.each([
  ['keep rows where amount is at least 15', 'at least', '15'],
  ['keep rows where amount is greater than or equal to 15', 'at least', '15'],
  ['keep rows where amount is over 15.', 'more', '15'],
  ['keep rows where amount is more than ten', 'more', '10'],
])('does not take a longer condition for a shorter one: %s', (clause, kind, value) => {
  const operator = kind === 'more' ? 'greater than' : 'greater than or equal';
  expect(conditionFor(filterWith('greater than', 'greater than or equal'), clause)).toEqual({
    column: 'amount',
    operator,
    value,
  });
  expect(conditionFor(filterWith('greater than', 'less than'), clause)).toEqual(
    kind === 'more' ? { column: 'amount', operator, value } : {},
  );
});

it.each([
  ['removes the rows where amount is less than 10', true],
  ['keep only the rows where the amount is at least 10', true],
  ['removes the rows where amount is less than 10 in every second file', false],
  ['removes the last rows where amount is less than 10', false],
  ['removes the rows where amount is less than ten', true],
  ['counts the rows where amount is less than 10', false],
])('says whether nothing else is in a clause: %s', (clause, isWhole) => {
  const values = { column: 'amount', operator: 'greater than or equal', value: '10' };
  expect(isWholeCondition(clause, values)).toBe(isWhole);
});

const FOUR = ['greater than', 'less than', 'greater than or equal', 'less than or equal'];
it.each([
  ['greater than 10', 'less than or equal'],
  ['more than 10', 'less than or equal'],
  ['above 10', 'less than or equal'],
  ['less than 10', 'greater than or equal'],
  ['fewer than 10', 'greater than or equal'],
  ['below 10', 'greater than or equal'],
  ['under 10', 'greater than or equal'],
  ['at least 10', 'less than'],
  ['greater than or equal to 10', 'less than'],
  ['at most 10', 'greater than'],
  ['less than or equal 10', 'greater than'],
])('keeps the other rows where a clause removes those that are %s', (words, operator) => {
  expect(conditionFor(filterWith(...FOUR), `removes the rows where amount is ${words}`)).toEqual({
    column: 'amount',
    operator,
    value: '10',
  });
});

it('removes nothing by an option that has no opposite', () => {
  expect(conditionFor(filterWith('less than'), 'removes the rows where amount is less than 10')).toEqual({});
  const both = filterWith('equals', 'not equals');
  expect(conditionFor(both, 'removes the rows where amount equals 10')).toMatchObject({ operator: 'not equals' });
  expect(conditionFor(both, 'removes the rows where amount not equals 10')).toMatchObject({ operator: 'equals' });
});

it('reads several values for a condition that takes them, and no part of them otherwise', () => {
  const filter = filterWith('equals', 'not equals', 'is one of', 'is not one of');
  const clause = 'keep the rows where city is Oslo or Rome';
  const read = { column: 'city', operator: 'is one of', value: 'Oslo, Rome' };
  expect(conditionFor(filter, clause)).toEqual(read);
  expect(conditionFor(filter, clause.replace('keep', 'remove'))).toEqual({ ...read, operator: 'is not one of' });
  expect([isWholeCondition(clause, read), isWholeCondition(clause, { ...read, value: 'Oslo' })]).toEqual([true, false]);
  expect(conditionFor(filterWith('equals', 'contains'), clause)).toEqual({});
  expect(conditionFor(filterWith(...FOUR), 'keep rows where amount is over 10 or 20')).toEqual({});
});

it('reads quoted columns and values as a whole', () => {
  const read = { column: 'unit price', operator: 'equals', value: 'a b' };
  const clause = 'keep the rows where "unit price" equals "a b"';
  expect(conditionFor(filterWith('equals', 'contains'), clause)).toEqual(read);
  expect(isWholeCondition(clause, read)).toBe(true);
});
