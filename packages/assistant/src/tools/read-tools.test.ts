import { builtinRegistry } from '@croft/components';
import {
  createRegistry,
  type Descriptor,
  emptyFlow,
  type FlowDocument,
  type FlowNode,
  type Registry,
  summariseFlow,
} from '@croft/flow';
import { expect, it } from 'vitest';
import { textParameters, type ToolContext } from './assistant-tool.ts';
import { EMPTY_CANVAS } from './offline-help.ts';
import { REDACTED } from '../hide-secrets.ts';
import { fieldValues, isSecretField, READ_TOOLS, summary } from './read-tools.ts';

const registry = createRegistry([
  {
    descriptor: {
      type: 'Vault',
      label: 'Vault',
      description: 'Opens a vault.',
      category: 'data',
      effects: ['none'],
      fields: [
        { name: 'pin', label: 'Pin', kind: 'secret' },
        { name: 'colour', label: 'Colour', kind: 'text' },
      ],
      outputs: [],
    },
  },
]);
const flow: FlowDocument = {
  ...emptyFlow('Vaults'),
  nodes: [
    {
      id: 'V',
      type: 'Vault',
      position: { x: 0, y: 0 },
      values: { pin: 'abcdef', api_key: 'ghijkl', colour: 'green' },
    },
  ],
};

it('says of an empty canvas that there is nothing to check, and no "no errors"', async () => {
  const check = READ_TOOLS.find(({ name }) => name === 'validate_flow');
  const emitted: unknown[] = [];
  const context = {
    working: { read: async () => emptyFlow() },
    turn: { registry, secrets: new Set() },
    emit: (event: unknown) => emitted.push(event),
  } as unknown as ToolContext;
  const result = await check?.run({}, context);
  expect(result).toMatchObject({ valid: false, text: expect.stringContaining('The canvas is empty') });
  expect([result?.['text'] === result?.['summary'], emitted]).toEqual([true, []]);
});

it('finds no component by a part of its secrets', async () => {
  const find = READ_TOOLS.find(({ name }) => name === 'find_nodes');
  const context = {
    working: { read: async () => flow },
    turn: { registry, secrets: new Set() },
  } as unknown as ToolContext;
  const count = async (query: string) => (await find?.run({ query }, context))?.['count'];
  expect(await count('gree')).toBe(1);
  expect(await count('abc')).toBe(0);
  expect(await count('ghi')).toBe(0);
});

/** Calls a tool for a flow of built-in components. */
async function call(
  name: string,
  args: object,
  of: FlowDocument = flow,
  known: Registry = registry,
  secrets: string[] = [],
) {
  const events: unknown[] = [];
  const context = {
    working: { read: async () => of },
    turn: { registry: known, secrets: new Set(secrets) },
    emit: (event: unknown) => events.push(event),
  } as unknown as ToolContext;
  const result = await READ_TOOLS.find((each) => each.name === name)?.run(args as never, context);
  return { result, events };
}
const builtin = builtinRegistry();
const position = { x: 0, y: 0 };
const words: FlowDocument = {
  ...emptyFlow('Words'),
  nodes: [
    { id: 'I', type: 'ChatInput', position, values: {} },
    { id: 'S', type: 'TextStatistics', name: 'Counter', position, values: {} },
    { id: 'O', type: 'ChatOutput', position, values: {} },
  ],
  edges: [{ from: { node: 'I', port: 'message' }, to: { node: 'S', port: 'text_input' } }],
};

it('lists the whole flow, or the components that contain a text in any case, with their connections', async () => {
  const all = await call('find_nodes', {}, words, builtin);
  expect(all.result).toEqual({ text: summariseFlow(words), count: 3 });
  const found = await call('find_nodes', { query: 'COUNTER' }, words, builtin);
  expect(found.result).toEqual({ text: summariseFlow({ ...words, nodes: [words.nodes[1] as FlowNode] }), count: 1 });
  const end = await call('find_nodes', { query: 'chatoutput' }, words, builtin);
  expect(end.result).toEqual({
    text: summariseFlow({ ...words, nodes: [words.nodes[2] as FlowNode], edges: [] }),
    count: 1,
  });
});

it('finds no component by a secret in its name or its values', async () => {
  const named = {
    ...flow,
    nodes: [{ ...(flow.nodes[0] as FlowNode), name: 'my canary-1', values: { colour: 'canary-1' } }],
  };
  const count = async (...secrets: string[]) =>
    (await call('find_nodes', { query: 'canary' }, named, registry, secrets)).result?.['count'];
  expect([await count(), await count('canary-1')]).toEqual([1, 0]);
});

it('cuts a long list of components', () => {
  const long = (count: number) => summary({ ...words, nodes: Array<FlowNode>(count).fill(words.nodes[0] as FlowNode) });
  expect(long(3)).not.toContain('truncated');
  const cut = long(300);
  expect([cut.length, cut.endsWith('\n... [truncated]')]).toEqual([2_016, true]);
});

it('gives the values of a component with defaults, without secrets, or one of them', async () => {
  const shown = { pin: REDACTED, api_key: REDACTED, colour: 'green', size: null };
  const sized = createRegistry(
    registry.entries.map((each) => ({
      descriptor: {
        ...each.descriptor,
        fields: [
          ...each.descriptor.fields,
          { name: 'size', label: 'Size', kind: 'number' as const },
          { name: 'shape', label: 'Shape', kind: 'json' as const, default: { a: 1 } },
        ],
      },
    })),
  );
  expect((await call('get_field_value', { component_id: 'V' }, flow, sized)).result).toEqual({
    component_id: 'V',
    fields: { ...shown, shape: { a: 1 } },
    summary: `- pin: ${REDACTED}\n- api_key: ${REDACTED}\n- colour: green\n- size: null\n- shape: {"a":1}`,
  });
  expect((await call('get_field_value', { component_id: 'V', field: 'colour' })).result).toEqual({
    component_id: 'V',
    field: 'colour',
    value: 'green',
    summary: '- colour: green',
  });
  const hidden = await call('get_field_value', { component_id: 'V', field: 'colour' }, flow, registry, ['green']);
  expect([hidden.result?.['value'], REDACTED]).toEqual(['***REDACTED***', '***REDACTED***']);
  const unset = { ...flow, nodes: [{ ...(flow.nodes[0] as FlowNode), values: { pin: '' } }] };
  expect(fieldValues(unset, { registry, secrets: new Set() }, 'V')).toEqual({
    component_id: 'V',
    fields: { pin: '', colour: null },
  });
});

it('says which components and fields there are where it finds none', async () => {
  const refusal = (error: string) => ({ error, text: error });
  expect((await call('get_field_value', { component_id: 'X' })).result).toEqual(
    refusal("Component 'X' not found. Available: ['V']"),
  );
  expect((await call('get_field_value', { component_id: 'V', field: 'x'.repeat(101) })).result).toEqual(
    refusal(`Field '${'x'.repeat(100)}' not found on 'V'. Available: ['pin', 'api_key', 'colour']`),
  );
});

it.each([
  ['api_key', true],
  ['my apikey', true],
  ['PASSWORD', true],
  ['client_secret', true],
  ['access_key', true],
  ['privatekey', true],
  ['api_token', true],
  ['accesstoken', true],
  ['passwords', false],
  ['token', false],
  ['secretary', false],
  ['pin', true],
  ['colour', false],
])('takes the field %s of a component for a secret: %s', (name, expected) => {
  expect(isSecretField(registry, 'Vault', name)).toBe(expected);
});

it('says what a flow takes in and gives', async () => {
  expect((await call('describe_flow_io', {}, words, builtin)).result).toMatchObject({
    summary: 'The flow takes in: I, O. It gives: S, O. Tools: nothing.',
    inputs: [{ id: 'I' }, { id: 'O' }],
  });
  const { result } = await call('describe_flow_io', {}, emptyFlow());
  expect(result).toEqual({ error: EMPTY_CANVAS, text: EMPTY_CANVAS });
});

it('checks a flow, and names components in the text for a person by their titles', async () => {
  const clean = { ...words, nodes: words.nodes.slice(0, 2) };
  const checked = await call('validate_flow', {}, clean, builtin);
  expect(checked.result).toMatchObject({ text: 'The flow has no errors. This check did not run it.', valid: true });
  const node = { id: 'step-1', type: 'Vault', name: 'My vault', position, values: {} };
  const required = createRegistry([
    {
      descriptor: {
        ...(registry.entries[0]?.descriptor as Descriptor),
        fields: [{ name: 'colour', label: 'Colour', kind: 'text', required: true }],
      },
    },
  ]);
  const check = (count: number) =>
    call(
      'validate_flow',
      {},
      { ...flow, nodes: Array.from({ length: count }, (_, at) => ({ ...node, id: `step-${at + 1}` })) },
      required,
    );
  const one = await check(1);
  expect(one.result).toMatchObject({ text: 'The flow has 1 error.', valid: false });
  const [problem] = (one.result?.['problems'] ?? []) as string[];
  expect(problem).toContain('step-1');
  expect(one.result?.['summary']).toBe(`The flow has 1 error.\n- ${problem?.replaceAll('step-1', 'My vault')}`);
  expect(one.events).toEqual([{ event: 'validated', errors: 1, warnings: 0, problems: [problem] }]);
  const many = await check(21);
  expect(many.result).toMatchObject({ text: 'The flow has 21 errors.' });
  expect(many.result?.['problems']).toHaveLength(20);
});

it('describes its tools to a model, and labels their calls', () => {
  expect(READ_TOOLS.map(({ name, description, label }) => [name, label({ component_id: 'V' }), description])).toEqual([
    [
      'find_nodes',
      'Reading the flow',
      'Lists the components and connections of the flow, or those whose id, type, name or text contains a query.',
    ],
    [
      'get_field_value',
      'Reading V',
      'Reads the values of a component, or one of them. Values of secret fields are not shown.',
    ],
    [
      'describe_flow_io',
      'Reading inputs and outputs',
      'Says where the flow takes values in, where it gives results, and which components are tools.',
    ],
    [
      'validate_flow',
      'Checking the flow',
      'Checks the flow without running it, and lists problems with component, field and a fix.',
    ],
  ]);
  expect(READ_TOOLS.map(({ parameters }) => parameters)).toEqual([
    textParameters({ 'query?': 'Words to look for.' }),
    textParameters({ component_id: 'The id of the component.', 'field?': 'The name of a field.' }),
    textParameters({}),
    textParameters({}),
  ]);
});
