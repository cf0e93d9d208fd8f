import { expect, it } from 'vitest';
import { fillVariables, tableOf, textBeginning, textOf, variableParts, variablesIn } from './variables.ts';

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

it('finds the names of variables, each once, and no other braces', () => {
  expect(variablesIn('{b} {a.x.0} {b} {{c}} {1d} { e } {_f}')).toEqual(['b', 'a', '_f']);
  expect(variableParts('x {a.b} {{c}}{d}')).toEqual([
    { text: 'x ', isVariable: false },
    { text: '{a.b}', isVariable: true },
    { text: ' {{c}}', isVariable: false },
    { text: '{d}', isVariable: true },
  ]);
  expect([variableParts(''), variableParts('{a}')]).toEqual([[], [{ text: '{a}', isVariable: true }]]);
  expect(variableParts('{a} end')).toEqual([
    { text: '{a}', isVariable: true },
    { text: ' end', isVariable: false },
  ]);
});

it.each([
  ['{a} and {a.b.0}', '{"b":["x"]} and x'],
  ['{{a}} {gone} {a.gone}{a.b.0.c}{a.toString}.', '{a} {gone} .'],
  ['{n} {t} {s} {none}{empty} {m}', '1 true text  said'],
  ['{m.more}', '2'],
])('fills %j with values', (text, expected) => {
  const values: Record<string, unknown> = {
    a: { b: ['x'] },
    n: 1,
    t: true,
    s: 'text',
    none: null,
    empty: '',
    m: { text: 'said', more: 2 },
  };
  expect(fillVariables(text, (name) => values[name])).toBe(expected);
});

it('fills a text up to the most characters that it may have', () => {
  const half = 'x'.repeat(33_554_432 / 2);
  expect(fillVariables('{a}{a}', () => half)).toHaveLength(33_554_432);
  expect(() => fillVariables('{a}{a}.', () => half)).toThrow(
    'The text has more than 33554432 characters. Use fewer variables or shorter values.',
  );
});

it('makes a table of the first twenty columns of records', () => {
  expect(tableOf([])).toEqual({ columns: [], rows: [], moreColumns: 0 });
  expect(
    tableOf([
      { a: 1, b: null },
      { b: [1], c: 'x', a: undefined },
    ]),
  ).toEqual({
    columns: ['a', 'b', 'c'],
    rows: [
      ['1', '', ''],
      ['', '[1]', 'x'],
    ],
    moreColumns: 0,
  });
  const wide = tableOf([Object.fromEntries(Array.from({ length: 23 }, (_, column) => [`c${column}`, column]))]);
  expect([wide.columns.length, wide.rows[0]?.at(-1), wide.moreColumns]).toEqual([20, '19', 3]);
});
