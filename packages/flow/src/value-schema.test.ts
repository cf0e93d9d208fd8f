import { expect, it } from 'vitest';
import { schemaFault, type ValueSchema } from './value-schema.ts';

const ORDER: ValueSchema = {
  type: 'object',
  properties: {
    rows: {
      type: 'array',
      items: { type: 'object', properties: { price: { type: 'number', minimum: 0, maximum: 9 } }, required: ['price'] },
    },
    size: { enum: ['S', 'L', null] },
    note: { type: ['string', 'null'] },
    count: { type: 'integer' },
  },
  additionalProperties: false,
};

it.each<[unknown, string | undefined]>([
  [{}, undefined],
  [{ rows: [{ price: 1.5, more: true }], size: null, note: null, count: 2 }, undefined],
  [[], 'must be an object'],
  ['{}', 'must be an object'],
  [{ rows: {} }, "must have a list at 'rows'"],
  [{ rows: [{ price: 1 }, { price: '2' }] }, "must have a number at 'rows[1].price'"],
  [{ rows: [{ price: 10 }] }, "must have a number of at most 9 at 'rows[0].price'"],
  [{ rows: [{ price: -1 }] }, "must have a number of at least 0 at 'rows[0].price'"],
  [{ rows: [{}] }, "needs 'rows[0].price'"],
  [{ size: 'M' }, `must have one of "S", "L", null at 'size'`],
  [{ note: 1 }, "must have a text or null at 'note'"],
  [{ count: 1.5 }, "must have a whole number at 'count'"],
  [{ toString: 1 }, "must not have 'toString', only rows, size, note, count"],
])('names the place and the reason of the first fault in %j', (value, fault) => {
  expect(schemaFault(ORDER, value)).toBe(fault);
});

it('accepts every value where the schema is empty', () => {
  for (const value of [null, 1, 'a', [], [{}], { a: [1] }]) expect(schemaFault({}, value)).toBeUndefined();
});
