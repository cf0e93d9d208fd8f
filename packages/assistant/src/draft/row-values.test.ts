import type { Descriptor } from '@croft/flow';
import { describe, expect, it } from 'vitest';
import { rowValuesFor } from './row-values.ts';

const values = (type: string, clause: string, request = clause) =>
  rowValuesFor({ type } as Descriptor, clause, request);

describe('the values for sorted rows', () => {
  it.each([
    ['sort the rows by price', { column_name: 'price' }],
    ['sorts it by the "amount", highest first', { column_name: 'amount', ascending: false }],
    ['sort by date in ascending order', { column_name: 'date', ascending: true }],
    ['sort by price.', { column_name: 'price' }],
    ['sort by "unit price".', { column_name: 'unit price' }],
    ['sort by price and keep the first 3', { column_name: 'price', limit: 3 }],
    ['the five largest, sorted by size', { column_name: 'size', ascending: false, limit: 5 }],
    ['sort by the rows', {}],
    ['keep the first 3', {}],
  ])('of %j', (clause, expected) => {
    expect(values('SortRows', clause)).toEqual(expected);
  });

  it('come from the whole request where the clause has only the column', () => {
    expect(values('SortRows', 'sort by price', 'sort by price, newest first, top 10')).toEqual({
      column_name: 'price',
      ascending: false,
      limit: 10,
    });
  });
});

describe('the values for grouped rows', () => {
  it.each([
    [
      'sum of the amount per city',
      { group_by: 'city', aggregations: [{ column_name: 'amount', operation: 'sum', name: 'sum of amount' }] },
    ],
    ['the average price', { aggregations: [{ column_name: 'price', operation: 'average', name: 'average of price' }] }],
    [
      'maximum of score for each team',
      { group_by: 'team', aggregations: [{ column_name: 'score', operation: 'max', name: 'max of score' }] },
    ],
    [
      'count orders by city',
      { group_by: 'city', aggregations: [{ column_name: '', operation: 'count', name: 'orders' }] },
    ],
    [
      'count the rows per city',
      { group_by: 'city', aggregations: [{ column_name: '', operation: 'count', name: 'count' }] },
    ],
    ['count the words per line', {}],
    ['total of the rows', {}],
  ])('of %j', (clause, expected) => {
    expect(values('AggregateRows', clause)).toEqual(expected);
  });
});

it('has no values for other components', () => {
  expect(values('FilterRows', 'sort by price')).toEqual({});
});
