import { expect, it } from 'vitest';
import { boundSchema } from './bounded-schema.ts';

const schemaOf = (root: unknown) => boundSchema(root)?.schema;

it('keeps types, numbers, choices and members', () => {
  const schema = {
    type: 'object',
    properties: { a: { type: ['string', 'null'], maxLength: 5 }, b: { enum: ['x', 1] }, c: { const: true } },
    required: ['a'],
    additionalProperties: false,
    minProperties: 1,
  };
  expect(schemaOf(schema)).toEqual({
    type: ['object'],
    minProperties: 1,
    properties: { a: { type: ['string', 'null'], maxLength: 5 }, b: { enum: ['x', 1] }, c: { enum: [true] } },
    required: ['a'],
    additionalProperties: false,
  });
  expect(schemaOf({ type: 'array', items: { type: 'number', minimum: 0 } })).toEqual({
    type: ['array'],
    items: { type: ['number'], minimum: 0 },
  });
});

it('leaves out what a hostile server could use to hold this process', () => {
  const hostile = {
    type: 'string',
    pattern: '(a+)+$',
    format: 'email',
    not: {},
    if: {},
    dependentSchemas: {},
    contains: {},
  };
  expect(schemaOf(hostile)).toEqual({ type: ['string'] });
  expect(schemaOf({ enum: [{ a: 1 }] })).toEqual({});
  expect(schemaOf({ type: 'made-up' })).toEqual({});
  expect(schemaOf({ items: {}, prefixItems: [] })).toEqual({});
  expect(schemaOf({ additionalProperties: false, patternProperties: {} })).toEqual({});
  expect(schemaOf({ required: [1] })).toEqual({});
});

it('replaces references inside the document, and accepts everything for others', () => {
  const defs = { $defs: { 'a/b~': { type: 'integer' } } };
  expect(schemaOf({ ...defs, properties: { x: { $ref: '#/$defs/a~1b~0' } } })).toEqual({
    properties: { x: { type: ['integer'] } },
  });
  for (const $ref of ['https://evil.test/schema', '#/$defs/none', '#anchor', 5])
    expect(schemaOf({ ...defs, items: { $ref } })).toEqual({ items: true });
  expect(schemaOf({ ...defs, items: { $ref: '#/$defs/a~1b~0', nullable: true } })).toEqual({ items: true });
  expect(schemaOf({ items: { $id: 'x', type: 'string' } })).toEqual({ items: true });
});

it('ends a reference that leads to itself', () => {
  const tree = { type: 'object', properties: { child: { $ref: '#' } } };
  expect(schemaOf(tree)).toEqual({
    type: ['object'],
    properties: { child: { type: ['object'], properties: { child: true } } },
  });
});

it('weakens alternatives, of which one may be true, and keeps those that all are', () => {
  const [text, count] = [{ type: 'string' }, { type: 'number' }];
  const any = { anyOf: [{ type: ['string'] }, { type: ['number'] }] };
  expect([schemaOf({ anyOf: [text, count] }), schemaOf({ oneOf: [text, count] })]).toEqual([any, any]);
  expect(schemaOf({ allOf: [text] })).toEqual({ allOf: [{ type: ['string'] }] });
  expect(schemaOf({ anyOf: [] })).toEqual({});
  expect(schemaOf({ anyOf: [text], allOf: [text], nullable: true })).toEqual({});
});

it('accepts null where OpenAPI writes nullable', () => {
  expect(schemaOf({ type: 'string', nullable: true, enum: ['a'] })).toEqual({
    type: ['string', 'null'],
    enum: ['a', null],
  });
});

it('accepts everything below 32 levels, and refuses a schema with more than 2,000 parts', () => {
  let deep: object = { type: 'string' };
  for (let level = 0; level < 40; level++) deep = { items: deep };
  expect(JSON.stringify(schemaOf(deep))).toBe(`${'{"items":'.repeat(33)}true${'}'.repeat(33)}`);
  const wide = (count: number) => ({ enum: Array.from({ length: count }, (_, at) => at) });
  expect(boundSchema(wide(1_999))?.size).toBe(2_000);
  expect(boundSchema(wide(2_000))).toBeUndefined();
  const names = { required: Array.from({ length: 2_000 }, String) };
  expect(boundSchema(names)).toBeUndefined();
  expect(boundSchema(true)).toEqual({ schema: true, size: 1 });
  expect(boundSchema('text')).toEqual({ schema: true, size: 1 });
});
