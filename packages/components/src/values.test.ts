import { describe, expect, it } from 'vitest';
import { refusalOf } from '@croft/workspace/testing';
import {
  asNumber,
  compareValues,
  isRow,
  joinTexts,
  namesIn,
  OPERATORS,
  requireColumn,
  toData,
  toRows,
  toText,
  valueAt,
} from './values.ts';

describe('a value', () => {
  it('is a text', () => {
    expect([toText('a'), toText({ text: 'b', other: 1 }), toText(['a', { text: 'b' }, 1]), toText(7)]).toEqual([
      'a',
      'b',
      'a\nb\n1',
      '7',
    ]);
  });

  it('is rows', () => {
    expect([toRows([{ a: 1 }, [{ b: 2 }], 'x', null]), toRows(undefined), toRows('x')]).toEqual([
      [{ a: 1 }, { b: 2 }, { text: 'x' }],
      [],
      [{ text: 'x' }],
    ]);
  });

  it('is one record', () => {
    expect([toData({ a: 1 }), toData([{ a: 1 }]), toData([{ a: 1 }, { b: 2 }]), toData([])]).toEqual([
      { a: 1 },
      { a: 1 },
      { rows: [{ a: 1 }, { b: 2 }] },
      { rows: [] },
    ]);
    expect([{}, [], null, 'x'].map(isRow)).toEqual([true, false, false, false]);
  });

  it('has its own values at a path', () => {
    const value = { a: [{ b: 1 }], 'x.y': 2, x: { y: 3, z: 4 } };
    const paths = ['x.y', 'x.z', 'x.y.z', 'a.0.b', 'a.1', 'a.length', 'constructor', 'a.0.b.c'];
    expect(paths.map((path) => valueAt(value, path))).toEqual([2, 4, undefined, 1, undefined, 1, undefined, undefined]);
  });

  it('is a number where it says one', () => {
    expect([7, '7.5', ' 8 ', '', ' ', 'x', Number.NaN, Infinity, true].map(asNumber)).toEqual([
      7,
      7.5,
      8,
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect([
      compareValues(9, '10') < 0,
      compareValues('b', 'a') > 0,
      compareValues('a', 'a'),
      compareValues('9', 'x') < 0,
    ]).toEqual([true, true, 0, true]);
  });
});

it('refuses a text of too many characters, and reads no further', () => {
  let read = 0;
  const long = 'x'.repeat(20 * 1024 * 1024);
  const join = () => joinTexts([1, 2, 3], ',', () => (++read > 0 ? long : ''));
  expect([refusalOf(join), read]).toEqual(['The text has more than 33554432 characters.', 2]);
  expect(joinTexts([1, 2], ', ', String)).toBe('1, 2');
});

it('requires a column that rows with values have', () => {
  const rows = [{ a: 1 }, { b: { c: 2 } }, {}];
  for (const path of ['a', 'b.c'])
    expect(
      refusalOf(() => requireColumn(rows, path)),
      path,
    ).toBe('accepted');
  expect([refusalOf(() => requireColumn([], 'x')), refusalOf(() => requireColumn([{}], 'x'))]).toEqual([
    'accepted',
    'accepted',
  ]);
  expect(refusalOf(() => requireColumn(rows, 'x'))).toBe("No row has a column 'x'.");
  const many = Object.fromEntries(Array.from({ length: 22 }, (_, i) => [`n${i}`, i]));
  expect([namesIn([{ a: 1 }, { b: 1, a: 2 }]), namesIn([many]).endsWith('n19 and 2 more')]).toEqual(['a, b', true]);
});

it.each([
  ['equals', 'a', 'a', 'b'],
  ['not equals', 'a', 'b', 'a'],
  ['contains', 'abc', 'b', 'x'],
  ['not contains', 'abc', 'x', 'b'],
  ['starts with', 'abc', 'ab', 'bc'],
  ['ends with', 'abc', 'bc', 'ab'],
  ['greater than', '10', '9', '10'],
  ['less than', '9', '10', '9'],
  ['greater than or equal', '10', '10', '11'],
  ['less than or equal', '10', '10', '9'],
])('%s: %j %j, not %j', (operator, value, other, wrong) => {
  const compare = OPERATORS[operator];
  expect([compare?.(value, other), compare?.(value, wrong)]).toEqual([true, false]);
});

it('knows empty texts', () => {
  expect([
    OPERATORS['is empty']?.(' ', ''),
    OPERATORS['is empty']?.('x', ''),
    OPERATORS['is not empty']?.(' ', ''),
  ]).toEqual([true, false, false]);
});
