import { type Json, schemaFault } from '@croft/flow';
import { act } from 'react';
import { expect, it, vi } from 'vitest';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { argumentWords, serverOf, toolSchema, useMcpTools, withToolSchema } from './mcp-tools.ts';

const api = useFakeApi();
const page = usePage();

const field = (name: string, value: Json, isConnected = false) => ({
  field: { name, label: name, kind: 'text' as const },
  value,
  isOwn: true,
  isRequired: false,
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

it('takes from a schema what fields check', () => {
  const all = {
    type: ['string', 'null'],
    enum: ['a', null],
    minimum: 0,
    maximum: 9,
    items: { type: ['integer'] },
    properties: { a: { type: 'text' } },
    required: ['a', 7],
    additionalProperties: false,
    title: 'T',
  };
  const { title: _title, ...kept } = all;
  expect(toolSchema(all)).toEqual({ ...kept, properties: { a: {} }, required: ['a'] });
  expect(
    toolSchema({ ...all, nullable: true, minimum: '0', maximum: '9', prefixItems: [], properties: [], required: 'a' }),
  ).toEqual({});
  expect(toolSchema({ properties: {}, patternProperties: {}, additionalProperties: false })).toEqual({
    properties: {},
  });
  expect(toolSchema({ properties: {}, additionalProperties: true })).toEqual({ properties: {} });
});

it('reads a schema twenty levels deep', () => {
  let schema: object = { type: 'string' };
  for (let level = 0; level < 21; level++) schema = { items: schema };
  expect(JSON.stringify(toolSchema(schema)).match(/items/g)).toHaveLength(21);
  expect(JSON.stringify(toolSchema(schema))).not.toContain('string');
  expect(JSON.stringify(toolSchema((schema as { items: object }).items))).toContain('string');
});

it('names types and what is required', () => {
  const types = ['string', 'integer', 'boolean', 'array', 'null', 'number', ['string', 'null']];
  const parameters = {
    properties: Object.fromEntries(types.map((type, at) => [`a${at}`, { type }])),
    required: ['a6'],
  };
  expect(argumentWords({ name: 'a', description: '', parameters, readOnly: false } as never)).toEqual([
    'a0 (text)',
    'a1 (whole number)',
    'a2 (true or false)',
    'a3 (list)',
    'a4 (nothing)',
    'a5 (number)',
    'a6 (text or nothing, required)',
  ]);
  expect(argumentWords({ name: 'a', description: '', parameters: {}, readOnly: false } as never)).toEqual([]);
});

it('takes the schema of the arguments from the tool that is chosen', () => {
  const tools = [{ name: 't', description: '', parameters: { type: 'object' }, readOnly: false }];
  const mcp = { server: undefined, tools, failure: undefined, isListing: false, list: () => undefined } as never;
  const args = field('tool_arguments', {});
  expect(withToolSchema(args, 't', mcp)).toEqual({ ...args, field: { ...args.field, schema: { type: ['object'] } } });
  expect(withToolSchema(args, 'gone', mcp)).toBe(args);
  expect(withToolSchema(args, 't', undefined)).toBe(args);
  const other = field('other', {});
  expect(withToolSchema(other, 't', mcp)).toBe(other);
});

it('lists the tools of a server when it is asked to', async () => {
  const route = 'POST /api/v1/mcp-servers/tools';
  const fields = [field('command', 'npx server')];
  const client = testClient();
  const hook = await page.hook(() => useMcpTools('MCPTools', fields), inClient(client));
  const none = {
    server: { kind: 'command', command: 'npx server' },
    tools: undefined,
    failure: undefined,
    isListing: false,
  };
  expect([hook.current, api.requests]).toEqual([{ ...none, list: expect.any(Function) as () => void }, []]);
  const list = () => act(async () => hook.current?.list());
  api.answer(route, { tools: [{ name: 't' }], failure: null });
  await list();
  await vi.waitFor(() =>
    expect([hook.current?.tools, hook.current?.failure, hook.current?.isListing]).toEqual([
      [{ name: 't' }],
      undefined,
      false,
    ]),
  );
  expect(api.requests).toEqual([`${route} {"server":{"kind":"command","command":"npx server"}}`]);
  api.answer(route, { tools: [], failure: { message: 'It ended.', fix: 'Check it.' } });
  await list();
  await vi.waitFor(() =>
    expect([hook.current?.tools, hook.current?.failure]).toEqual([undefined, 'It ended. Check it.']),
  );
  const other = await page.hook(() => useMcpTools('Other', fields), inClient(client));
  expect(other.current).toBeUndefined();
});

it('says why the tools cannot be listed', async () => {
  api.answer('POST /api/v1/mcp-servers/tools', refusal(500, 'broken', 'It broke.'));
  const hook = await page.hook(() => useMcpTools('MCPTools', []), inClient(testClient()));
  expect(hook.current?.server).toBeUndefined();
  await act(async () => hook.current?.list());
  await vi.waitFor(() => expect(hook.current?.failure).toBe('It broke.'));
  expect(api.requests).toEqual(['POST /api/v1/mcp-servers/tools {"server":{"kind":"command","command":""}}']);
});
