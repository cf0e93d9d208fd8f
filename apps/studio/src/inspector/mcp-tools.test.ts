import { type Json, schemaFault } from '@croft/flow';
import { expect, it } from 'vitest';
import { argumentWords, serverOf, toolSchema } from './mcp-tools.ts';

const field = (name: string, value: Json, isConnected = false) => ({
  field: { name, label: name, kind: 'text' as const },
  value,
  isOwn: true,
  sources: isConnected ? [{ node: 'A', port: 'out' }] : [],
  variables: [],
});

it('names the server that the shown fields name, and none that an edge brings', () => {
  expect(serverOf([field('url', ' https://a.example/mcp '), field('credential', 'KEY')])).toEqual({
    kind: 'http',
    url: 'https://a.example/mcp',
    credential: 'KEY',
  });
  expect(serverOf([field('command', 'npx server')])).toEqual({ kind: 'command', command: 'npx server' });
  expect(serverOf([field('url', ''), field('tool', 'x')])).toBeUndefined();
  expect(serverOf([field('url', 'https://a.example/mcp', true)])).toBeUndefined();
});

const SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    path: { type: 'string', minLength: 1 },
    limit: { type: 'integer', minimum: 1 },
    mode: { enum: ['a', 'b'] },
    size: { anyOf: [{ type: 'string' }, { type: 'number' }] },
    maybe: { type: 'string', nullable: true },
  },
  required: ['path'],
  additionalProperties: false,
};

it.each([
  [{}, "needs 'path'"],
  [{ path: 1 }, "must have a text at 'path'"],
  [{ path: 'a', limit: 0 }, "must have a number of at least 1 at 'limit'"],
  [{ path: 'a', mode: 'c' }, 'must have one of "a", "b" at \'mode\''],
  [{ path: 'a', size: [1], maybe: null }, undefined],
])('arguments %j of a tool: %s', (value, fault) => {
  expect(schemaFault(toolSchema(SCHEMA), value)).toBe(fault);
});

it('refuses nothing because of keywords that it does not know', () => {
  const loose = {
    properties: { a: { $ref: '#/$defs/a', type: 'string' }, b: { prefixItems: [{}], items: { type: 'string' } } },
    patternProperties: { '^x': {} },
    additionalProperties: false,
    enum: [{ a: 1 }],
  };
  expect(schemaFault(toolSchema(loose), { a: 1, b: [1, 2], xyz: 1 })).toBeUndefined();
  expect(toolSchema('no schema')).toEqual({});
});

it('lists the arguments of a tool in words', () => {
  const words = argumentWords({ name: 'a', description: '', parameters: SCHEMA, readOnly: false });
  expect(words).toEqual(['path (text, required)', 'limit (whole number)', 'mode', 'size', 'maybe']);
});
