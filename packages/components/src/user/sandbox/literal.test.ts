import { parseExpressionAt } from 'acorn';
import { describe, expect, it } from 'vitest';
import { literalValue, NotLiteral } from './literal.ts';

const read = (source: string) => literalValue(parseExpressionAt(source, 0, { ecmaVersion: 2023, locations: true }));

it.each<[string, unknown]>([
  ["'a'", 'a'],
  ['7', 7],
  ['-7', -7],
  ['--1'.replace('--', '- -'), 1],
  ['true', true],
  ['null', null],
  ['`a\\n`', 'a\n'],
  ['[1, [2]]', [1, [2]]],
])('reads %s', (source, expected) => {
  expect(read(source)).toEqual(expected);
});

it('reads an object that inherits nothing', () => {
  const value = read("{ a: 1, 'b c': [2], 3: 4, constructor: 5 }") as Record<string, unknown>;
  expect(Object.entries(value)).toEqual([
    ['3', 4],
    ['a', 1],
    ['b c', [2]],
    ['constructor', 5],
  ]);
  expect(Object.getPrototypeOf(value)).toBeNull();
});

it.each([
  'a',
  '/x/',
  '1n',
  '`${1}`',
  '+1',
  '!1',
  "-'a'",
  '[,1]',
  '[...[1]]',
  '{ [a]: 1 }',
  '{ ...a }',
  '{ get a() { return 1 } }',
  '{ __proto__: 1 }',
  "{ '__proto__': 1 }",
  '{ a() {} }',
  'f()',
  '1 + 1',
  'undefined',
])('refuses %s', (source) => {
  expect(() => read(source)).toThrow(NotLiteral);
});

describe('a refusal', () => {
  it('has the place of the part', () => {
    try {
      read('[\n  1,\n  abc]');
      expect.unreachable();
    } catch (error) {
      expect((error as NotLiteral).place).toEqual({ line: 3, column: 3 });
    }
  });

  it('comes at a depth of more than 50', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(() => read(nested(51))).not.toThrow();
    expect(() => read(nested(52))).toThrow(NotLiteral);
  });
});
