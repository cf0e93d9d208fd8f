import { expect, it } from 'vitest';
import { isValueType, schemaFault, type ValueSchema } from './value-schema.ts';

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

it('checks values without a type, and every type by its name', () => {
  const values = [{}, [], 'a', 1.5, 2, true, null];
  const types = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'] as const;
  expect(
    types.map((type) => values.map((value) => (schemaFault({ type }, value) === undefined ? 1 : 0)).join('')),
  ).toEqual(['1000000', '0100000', '0010000', '0001100', '0000100', '0000010', '0000001']);
  expect(types.map((type) => schemaFault({ type }, undefined))).toEqual([
    'must be an object',
    'must be a list',
    'must be a text',
    'must be a number',
    'must be a whole number',
    'must be true or false',
    'must be null',
  ]);
  expect([isValueType('object'), isValueType('toString'), isValueType(1)]).toEqual([true, false, false]);
});

it('has limits that a number may reach, and names places from the top', () => {
  const limits: ValueSchema = { minimum: 1, maximum: 2 };
  expect([0, 1, 2, 3].map((value) => schemaFault(limits, value))).toEqual([
    'must be a number of at least 1',
    undefined,
    undefined,
    'must be a number of at most 2',
  ]);
  expect(schemaFault({ enum: [{ a: 1 }] }, { a: 1 })).toBeUndefined();
  expect(schemaFault({ enum: ['a'] }, 'b')).toBe('must be one of "a"');
  expect(schemaFault({ required: ['a'] }, {})).toBe("needs 'a'");
  expect(schemaFault({ additionalProperties: false }, { a: 1 })).toBe("must not have 'a', only an empty object");
  expect(schemaFault({ properties: { a: { additionalProperties: false } } }, { a: { b: 1 } })).toBe(
    "must not have 'a.b', only an empty object",
  );
  expect(schemaFault({ items: { type: 'number' } }, [1, 'x'])).toBe("must have a number at '[1]'");
});
