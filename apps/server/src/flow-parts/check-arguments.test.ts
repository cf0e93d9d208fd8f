import { describe, expect, it } from 'vitest';
import { checkArguments } from './check-arguments.ts';

const check = (inputSchema: unknown, args: Record<string, unknown>) =>
  checkArguments('book', inputSchema, args).then(
    () => 'accepted',
    (error: Error & { fix: string }) => `${error.message} ${error.fix}`,
  );

const seats = { type: 'integer', minimum: 1, maximum: 8 };
const schema = {
  type: 'object',
  properties: {
    seats,
    class: { enum: ['first', 'second'] },
    guests: { type: 'array', items: { $ref: '#/$defs/guest' } },
    note: { anyOf: [{ type: 'string', maxLength: 3 }, { type: 'null' }] },
  },
  required: ['seats'],
  additionalProperties: false,
  $defs: { guest: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } },
};

describe('arguments of an MCP tool', () => {
  it.each([
    [
      'a missing one',
      {},
      "the argument 'seats' is missing. Set 'seats' to a whole number of at least 1 and of at most 8.",
    ],
    ['one of another kind', { seats: 'two' }, "the argument 'seats' is a text, and the tool expects a whole number"],
    [
      'one out of range',
      { seats: 9 },
      "the argument 'seats' is a number, and the tool expects a whole number of at least 1",
    ],
    ['one that is not a choice', { seats: 1, class: 'third' }, 'expects one of "first", "second".'],
    ['an unknown one', { seats: 1, seat: 2 }, "it has no argument 'seat'. Use these: seats, class, guests, note."],
    ['one inside a list', { seats: 1, guests: [{ name: 'Ada' }, {}] }, "the argument 'guests[1].name' is missing."],
    ['one that fits no branch', { seats: 1, note: 5 }, 'expects a text of at most 3 characters, or null.'],
  ])('are refused with the tool, the argument and what it expects: %s', async (_, args, text) => {
    const said = await check(schema, args);
    expect(said).toMatch(/^The MCP tool 'book' was not called: /);
    expect(said).toContain(text);
  });

  it('are accepted where they fit', async () => {
    const args = { seats: 2, class: 'first', guests: [{ name: 'Ada', age: 36 }], note: null };
    expect(await check(schema, args)).toBe('accepted');
  });

  it('do not appear with their values in the refusal', async () => {
    expect(await check(schema, { seats: 'canary' })).not.toContain('canary');
  });

  it.each([
    ['a pattern', { properties: { a: { type: 'string', pattern: '(a+)+$' } } }, { a: `${'a'.repeat(40)}!` }],
    ['names by pattern', { patternProperties: { '(a+)+$': {} }, additionalProperties: false }, { ['a'.repeat(40)]: 1 }],
    [
      'a branch that only a pattern excludes',
      { properties: { a: { oneOf: [{ pattern: '^a' }, { pattern: '^b' }] } } },
      { a: 'b' },
    ],
    ['a schema elsewhere', { properties: { a: { $ref: 'https://example.com/schema.json' } } }, { a: 1 }],
    [
      'a schema that names itself',
      { properties: { a: { $ref: '#' } }, additionalProperties: { $ref: '#' } },
      { a: { b: {} } },
    ],
    ['a type that does not exist', { properties: { a: { type: 'any' } } }, { a: 1 }],
    ['keywords of wrong kinds', { type: 7, properties: [], required: 'a', anyOf: {}, items: 3 }, { a: 1 }],
    ['no schema', undefined, { a: 1 }],
    ['a name that every object inherits', { properties: { constructor: { type: 'string' } } }, {}],
    ['decimals', { properties: { a: { multipleOf: 0.1 } } }, { a: 0.3 }],
    [
      'a nullable reference',
      { properties: { a: { $ref: '#/d', nullable: true } }, d: { type: 'string' } },
      { a: null },
    ],
    ['a nullable enum', { properties: { a: { type: 'string', enum: ['x'], nullable: true } } }, { a: null }],
  ])('are left to the server where the check is not certain or not bounded: %s', async (_, hostile, args) => {
    expect(await check(hostile, args)).toBe('accepted');
  });

  it('do not hold the process with a deep, a wide or a doubling schema, or with a large value', async () => {
    let deep: unknown = { type: 'integer' };
    for (let at = 0; at < 20_000; at++) deep = { properties: { a: deep } };
    const wide = { anyOf: Array.from({ length: 100_000 }, () => ({ type: 'null' })) };
    const $defs: Record<string, unknown> = { d0: { type: 'null' } };
    for (let at = 1; at < 40; at++)
      $defs[`d${at}`] = { anyOf: [{ $ref: `#/$defs/d${at - 1}` }, { $ref: `#/$defs/d${at - 1}` }] };
    for (const hostile of [deep, wide, { $defs, $ref: '#/$defs/d39' }])
      expect(await check(hostile, { a: 'text' })).toBe('accepted');
    const many = { items: { anyOf: Array.from({ length: 1_000 }, () => ({ type: 'null' })) } };
    expect(await check({ properties: { a: many } }, { a: Array.from({ length: 1e5 }, () => 1) })).toBe('accepted');
  });
});
