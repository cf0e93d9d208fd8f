import { expect, it } from 'vitest';
import { fillVariables, textBeginning, textOf } from './variables.ts';

const shared = { value: 'a'.repeat(1_000_000) };
const MESSAGE = 'more than 33554432 characters';

it('makes a text of rows that share a long text up to a number of characters, and reads no row behind', () => {
  let reads = 0;
  const row = Object.defineProperty({}, 'value', { enumerable: true, get: () => (reads++, shared.value) });
  const table = Array<object>(60).fill(row);
  for (const make of [() => textOf(table), () => textOf({ rows: table }), () => fillVariables('{t}', () => table)])
    expect(make).toThrow(MESSAGE);
  expect(reads).toBeLessThan(3 * 40);
});

it('does not count the text of rows in rows', () => {
  const levels = Array.from({ length: 6 }).reduce<object>((inner) => [inner, inner], shared);
  expect(() => textOf(levels)).toThrow(MESSAGE);
  const circle: unknown[] = [];
  circle.push(circle, circle);
  expect(() => textOf(circle)).toThrow('more than 1000 levels');
});

it('gives the JSON of other values as it is', () => {
  const value = { a: [1, null, true, 'x"\n'], b: {}, none: undefined, at: new Date(0) };
  expect([textOf(value), textBeginning(value, 100)]).toEqual([JSON.stringify(value), JSON.stringify(value)]);
});

it('gives the beginning of a long JSON', () => {
  const table = Array.from({ length: 50 }, (_, at) => ({ at, list: [at, 'xyz'] }));
  const text = textBeginning(table, 200);
  expect(text.slice(0, 200)).toBe(JSON.stringify(table).slice(0, 200));
  expect(text.length).toBeLessThan(1_000);
  expect(textBeginning(shared, 100).length).toBeLessThan(110);
});
