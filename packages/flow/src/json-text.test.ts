import { describe, expect, it } from 'vitest';
import { isLongJson, jsonBeginning, jsonOf, MAX_TEXT_CHARS } from './json-text.ts';

/** A list in a list, this many times. */
const nested = (depth: number): unknown[] => (depth === 0 ? [] : [nested(depth - 1)]);

describe('the JSON of a value', () => {
  it('is that of JSON.stringify', () => {
    const value = { a: [1, null, 'x"'], b: { c: undefined, d: () => 1 }, e: true };
    expect(jsonOf(value)).toBe(JSON.stringify(value));
  });

  it('is not made where rows share a text that is too long together', () => {
    const text = 'x'.repeat(1_000_000);
    const rows = (count: number) => Array.from({ length: count }, () => ({ text }));
    expect(jsonOf(rows(2))).toHaveLength(JSON.stringify(rows(2)).length);
    expect(() => jsonOf(rows(34))).toThrow(`The text has more than ${MAX_TEXT_CHARS} characters`);
  });

  it('is refused for a circle and for more than 1,000 levels', () => {
    const circle: unknown[] = [];
    circle.push(circle);
    expect(() => jsonOf(circle)).toThrow('or its data more than 1000 levels. Split the data first.');
    expect(jsonOf(nested(1_000))).toHaveLength(2_002);
    expect(() => jsonOf(nested(1_001))).toThrow('levels');
  });
});

it('counts the characters of a JSON without escapes', () => {
  expect(JSON.stringify(['ab', 1])).toHaveLength(8);
  // Each item counts with a comma.
  expect([isLongJson(['ab', 1], 9), isLongJson(['ab', 1], 8)]).toEqual([false, true]);
  expect([isLongJson('ab', 4), isLongJson('ab', 3), isLongJson(undefined, 0)]).toEqual([false, true, false]);
});

describe('the beginning of a JSON', () => {
  it('is the whole one where it is short enough', () => {
    expect(jsonBeginning({ a: [1, 2] }, 100)).toBe('{"a":[1,2]}');
  });

  it('begins the same where it is longer, and does not grow with the data', () => {
    const value = { a: 'first', list: Array.from({ length: 100_000 }, (_, at) => ({ at, text: 'x'.repeat(50) })) };
    const beginning = jsonBeginning(value, 200);
    expect(JSON.stringify(value).startsWith(beginning.slice(0, 100))).toBe(true);
    expect(beginning.length).toBeLessThan(2_000);
    expect(jsonBeginning({ a: 'x'.repeat(500) }, 50).length).toBeLessThan(80);
  });
});
