import { expect, it } from 'vitest';
import { objectFor } from './object-for.ts';

const schema = (properties: object) => ({ type: 'object', properties });

it('takes the values that the text names, by their types', () => {
  const person = schema({
    full_name: { type: 'string' },
    age: { type: 'integer' },
    is_admin: { type: 'boolean' },
    city: { type: ['string', 'null'] },
  });
  expect(objectFor(person, 'Full name: Ada Lovelace, age is 36. is_admin = yes; city was London.')).toEqual({
    full_name: 'Ada Lovelace',
    age: 36,
    is_admin: true,
    city: 'London',
  });
  expect(objectFor(person, 'nothing')).toEqual({ full_name: null, age: null, is_admin: null, city: null });
});

it('reads numbers with their units, and no number where there is none', () => {
  const price = schema({ price: { type: 'number' } });
  expect(objectFor(price, 'price: 12.50 EUR')).toEqual({ price: 12.5 });
  expect(objectFor(price, 'price: high')).toEqual({ price: null });
});

it.each([
  ['$ 1,204.50', 1204.5],
  ['1,204,000 EUR, paid', 1_204_000],
  ['-$5', -5],
  ['€.75', 0.75],
  ['12, city: Rome', 12],
  ['1.204,50 EUR', null],
  ['1,5', null],
  ['10-20', null],
  ['5 m2', null],
])('reads the whole number of “price: %s”, or none', (text, number) => {
  expect(objectFor(schema({ price: { type: 'number' } }), `price: ${text}`)).toEqual({ price: number });
});

it('has one entry for a list, or none', () => {
  const list = schema({ people: { type: 'array', items: schema({ name: { type: 'string' } }) } });
  expect(objectFor(list, 'name: Ada')).toEqual({ people: [{ name: 'Ada' }] });
  expect(objectFor(list, 'no one')).toEqual({ people: [] });
});

it('gives an empty object for another schema', () => {
  expect(objectFor(undefined, 'a: 1')).toEqual({});
  expect(objectFor({ type: 'unknown' }, 'a: 1')).toEqual({});
});
