import type { Field } from '@croft/flow';
import { expect, it } from 'vitest';
import { inputsOf } from './code-inputs.ts';

const field = (name: string, kind: Field['kind'], more: Partial<Field> = {}) =>
  ({ name, label: name, kind, ...more }) as Field;

it('gives texts where a field is a text, and declared values only', () => {
  const fields = [
    field('a', 'text'),
    field('b', 'multiline'),
    field('c', 'integer'),
    field('d', 'text', { list: true }),
    field('e', 'text'),
  ];
  expect(inputsOf(fields, { a: { text: 'x' }, b: 7, c: 7, d: [1], other: 1 })).toEqual({
    a: expect.any(String),
    b: '7',
    c: 7,
    d: [1],
  });
});
