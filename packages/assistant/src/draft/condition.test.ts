import type { Descriptor, Field } from '@croft/flow';
import { expect, it } from 'vitest';
import { conditionFor } from './condition.ts';

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
