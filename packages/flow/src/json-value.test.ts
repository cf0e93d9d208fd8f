import { describe, expect, it } from 'vitest';
import { jsonRecordSchema, jsonSchema } from './json-value.ts';

/** The first fault of a value, with its place; `fine` without one. */
function fault(value: unknown, schema = jsonSchema as typeof jsonRecordSchema): string {
  const { success, error } = schema.safeParse(value);
  if (success) return 'fine';
  const [issue] = error.issues;
  return `${issue?.path.join('.')}: ${issue?.message}`;
}
const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);

describe('a JSON value', () => {
  it('is any text, number, list or object', () => {
    for (const value of ['', 0, -1.5, true, null, [], {}, { a: [{ b: null }] }, Object.create(null)])
      expect(fault(value)).toBe('fine');
  });

  it.each<[unknown, string]>([
    [{ a: [1, Number.NaN] }, 'a.1: must be a finite number'],
    [Number.POSITIVE_INFINITY, ': must be a finite number'],
    [{ a: { b: undefined } }, 'a.b: must be JSON: text, number, true or false, null, a list or an object'],
    [[new Date(0)], '0: must be JSON: text, number, true or false, null, a list or an object'],
    [() => 1, ': must be JSON: text, number, true or false, null, a list or an object'],
    [JSON.parse('{"a":{"__proto__":{}}}'), "a: has the key '__proto__', which no value may have"],
  ])('is not %j', (value, message) => {
    expect(fault(value)).toBe(message);
  });

  it('has a number of levels, and its fault names the first six keys', () => {
    const deepest = Array.from({ length: 2_000 }, (_, depth) => depth).findIndex(
      (depth) => fault(nested(depth)) !== 'fine',
    );
    expect(fault(nested(deepest - 1))).toBe('fine');
    expect(fault(nested(deepest))).toBe(`0.0.0.0.0.0: is nested deeper than ${deepest - 1} levels`);
    expect(fault(nested(100_000 / 20))).toContain('is nested deeper');
  });
});

it('an object of JSON values is neither a list nor a single value', () => {
  expect(fault({ a: 1 }, jsonRecordSchema)).toBe('fine');
  for (const value of [[], 'x', null, 7]) expect(fault(value, jsonRecordSchema)).toBe(': must be an object');
  expect(fault({ a: undefined }, jsonRecordSchema)).toContain('a: must be JSON');
});
