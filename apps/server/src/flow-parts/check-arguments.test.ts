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

function nested(depth: number, innermost: unknown, wrap: (inner: unknown) => Record<string, unknown>) {
  let value = wrap(innermost);
  for (let at = 1; at < depth; at++) value = wrap(value);
  return value;
}

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
    ['an unknown one that every object inherits', { seats: 1, constructor: 2 }, "it has no argument 'constructor'."],
    ['one inside a list', { seats: 1, guests: [{ name: 'Ada' }, {}] }, "the argument 'guests[1].name' is missing."],
    ['one that fits no branch', { seats: 1, note: 5 }, 'expects a text of at most 3 characters, or null.'],
  ])('are refused with the tool, the argument and what it expects: %s', async (_, args, text) => {
    const said = await check(schema, args);
    expect(said).toMatch(/^The MCP tool 'book' was not called: /);
    expect(said).toContain(text);
  });

  const NAME_IS_NUMBER = "the argument 'name' is a number, and the tool expects a text.";
  const named = { properties: { name: { type: 'string' } } };
  it.each([
    ['one of several schemas', { allOf: [true, named] }, { name: 5 }, NAME_IS_NUMBER],
    [
      'a schema that names itself twice',
      { properties: { ...named.properties, next: { $ref: '#' }, other: { $ref: '#' } } },
      { name: 5 },
      NAME_IS_NUMBER,
    ],
    [
      'a required name that every object inherits',
      { required: ['constructor', 'name'] },
      {},
      "the argument 'constructor' is missing.",
    ],
  ])('are refused by %s', async (_, refusing, args, text) => {
    expect(await check(refusing, args)).toContain(text);
  });

  it.each<[object, unknown, string]>([
    [{ type: 'number', minimum: 1 }, 0, 'is a number, and the tool expects a number of at least 1.'],
    [{ type: 'number', exclusiveMinimum: 1 }, 1, 'is a number, and the tool expects a number above 1.'],
    [{ type: 'number', maximum: 1 }, 2, 'is a number, and the tool expects a number of at most 1.'],
    [{ type: 'number', exclusiveMaximum: 1 }, 1, 'is a number, and the tool expects a number below 1.'],
    [{ type: 'string', minLength: 2 }, 'x', 'is a text, and the tool expects a text of at least 2 characters.'],
    [{ type: 'string', maxLength: 0 }, 'x', 'is a text, and the tool expects a text of at most 0 characters.'],
    [{ type: 'array', minItems: 2 }, [1], 'is a list, and the tool expects a list of at least 2 entries.'],
    [{ type: 'array', maxItems: 0 }, [1], 'is a list, and the tool expects a list of at most 0 entries.'],
    [{ type: 'boolean' }, null, 'is null, and the tool expects true or false.'],
    [{ type: 'null' }, {}, 'is an object, and the tool expects null.'],
    [{ type: ['object', 'integer'] }, true, 'is true or false, and the tool expects an object or a whole number.'],
    [{ maxLength: 0 }, 'x', 'is a text, and the tool expects a value of at most 0 characters.'],
    [{ enum: ['x'.repeat(200)] }, 1, `is a number, and the tool expects one of "${'x'.repeat(99)}….`],
    [{ enum: [1, 2, 3, 4, 5, 6, 7, 8] }, 9, 'is a number, and the tool expects one of 1, 2, 3, 4, 5, 6, 7, 8.'],
    [{ enum: [1, 2, 3, 4, 5, 6, 7, 8, 9] }, 0, 'is a number, and the tool expects one of 1, 2, 3, 4, 5, 6, 7, 8, ….'],
    [
      { anyOf: [{ type: 'string' }, { type: 'string' }, false, { anyOf: [{ type: 'null' }] }] },
      1,
      'is a number, and the tool expects a text, or another value.',
    ],
  ])('are described with their limits: %j', async (property, value, text) => {
    const [is, wanted = ''] = text.split(', and the tool expects ');
    expect(await check({ properties: { a: property } }, { a: value })).toBe(
      `The MCP tool 'book' was not called: the argument 'a' ${is}, and the tool expects ${wanted} Change the argument 'a' to ${wanted}`,
    );
  });

  it('are named as a whole where the tool takes none, and by bounded names', async () => {
    const refused = "The MCP tool 'book' was not called: ";
    expect(await check({ minProperties: 1, type: 'array' }, {})).toBe(
      `${refused}the arguments are an object, and the tool expects a list. Change the arguments to a list.`,
    );
    expect(await check({ additionalProperties: false }, { a: 1 })).toBe(
      `${refused}it has no argument 'a'. Remove 'a'.`,
    );
    const inner = { properties: { a: { properties: { b: {} }, additionalProperties: false } } };
    expect(await check(inner, { a: { c: 1 } })).toBe(`${refused}it has no argument 'a.c'. Use these: a.b.`);
    expect(await check({ required: ['a'] }, {})).toBe(
      `${refused}the argument 'a' is missing. Set 'a' to another value.`,
    );
    expect(await check({ required: ['x'.repeat(101)] }, {})).toContain(`'${'x'.repeat(100)}…' is missing`);
    expect(await check({ required: ['x'.repeat(100)] }, {})).toContain(`'${'x'.repeat(100)}' is missing`);
    expect(await check({ additionalProperties: { type: 'null' } }, { a: null, b: 1 })).toContain("the argument 'b' is");
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
    ['a schema elsewhere', { properties: { a: { $ref: 'other.json#/d' } }, d: { type: 'string' } }, { a: 1 }],
    [
      'a schema with an address of its own',
      { properties: { a: { $id: 'https://example.com/', properties: { b: { $ref: '#/d' } } } }, d: { type: 'string' } },
      { a: { b: 1 } },
    ],
    ['items by their place', { properties: { a: { prefixItems: [true], items: { type: 'string' } } } }, { a: [1] }],
    ['a choice that is an object', { properties: { a: { enum: [{ b: 1 }] } } }, { a: { b: 2 } }],
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
    [
      'a nullable choice of schemas',
      { properties: { a: { anyOf: [{ type: 'string' }], nullable: true } } },
      { a: null },
    ],
    ['a nullable enum', { properties: { a: { type: 'string', enum: ['x'], nullable: true } } }, { a: null }],
  ])('are left to the server where the check is not certain or not bounded: %s', async (_, hostile, args) => {
    expect(await check(hostile, args)).toBe('accepted');
  });

  const many = (count: number) => Array.from({ length: count }, (_, at) => `name${at}`);
  const texts = (count: number) => Object.fromEntries(many(count).map((name) => [name, { type: 'string' }]));
  it.each([
    ['parts', { properties: texts(2_000) }, { name0: 1 }],
    ['choices', { properties: { a: { enum: many(2_000) } } }, { a: 1 }],
    ['levels', nested(40, { type: 'integer' }, (a) => ({ properties: { a } })), nested(40, 'text', (a) => ({ a }))],
    ['required arguments', { required: many(2_000) }, {}],
    [
      'items in a value',
      { properties: { a: { items: { enum: many(1_000) } } } },
      { a: Array.from({ length: 500 }, () => 1) },
    ],
    ['characters in a value', { properties: texts(1_000), maxProperties: 0 }, { name0: 'x'.repeat(32_000) }],
  ])('are left to the server where the check takes too long: too many %s', async (_, large, args) => {
    expect(await check(large, args)).toBe('accepted');
  });

  it('do not hold the process with a deep or a wide schema', async () => {
    const deep = nested(20_000, { type: 'integer' }, (a) => ({ properties: { a } }));
    const wide = { anyOf: Array.from({ length: 100_000 }, () => ({ type: 'null' })) };
    for (const hostile of [deep, wide]) expect(await check(hostile, { a: 'text' })).toBe('accepted');
  });

  it('do not hold the process with a schema that doubles with each reference', async () => {
    let reads = 0;
    const doubled = (at: number) => ({
      get anyOf() {
        reads++;
        return [{ $ref: `#/d${at + 1}` }, { $ref: `#/d${at + 1}` }];
      },
    });
    const schemas = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`d${at}`, doubled(at)]));
    expect(await check({ ...schemas, $ref: '#/d0' }, { a: 'text' })).toBe('accepted');
    expect(reads).toBeLessThan(2_000);
  });
});
