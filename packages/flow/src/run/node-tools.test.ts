import { expect, it } from 'vitest';
import type { Field, FlowTool, NodeCall } from '../component.ts';
import { createRegistry } from '../registry.ts';
import { anyField, fakeComponent, flowOf } from '../testing.ts';
import { runToEnd } from './run-flow.ts';

const output = (name: string) => ({ name, label: name, types: ['Message' as const] });

it.each([
  ['RandomMenuItem', ['build_output'], undefined, 'random_menu_item'],
  ['HTTPClient', ['process'], undefined, 'http_client'],
  ['S3Bucket', ['run'], undefined, 's3_bucket'],
  ['WeatherComponent', ['output'], undefined, 'weather'],
  ['RandomMenuItem', ['menu_item'], undefined, 'menu_item'],
  ['RandomMenuItem', ['output', 'price'], undefined, 'random_menu_item'],
  ['RandomMenuItem', ['output'], 'Pick a dish', 'Pick-a-dish'],
])(
  'a tool of the type %s with the outputs %j and the name %s is %s for the model',
  async (type, outputs, name, tool) => {
    let names: readonly string[] = [];
    const own = fakeComponent(type, { descriptor: { tool: true, outputs: outputs.map(output) } });
    const agent = fakeComponent('Agent', {
      fields: [anyField('tools', { accepts: ['Tool'], list: true })],
      run: ({ inputs }) => {
        names = (inputs['tools'] as readonly FlowTool[]).map((each) => each.name);
        return { out: 1 };
      },
    });
    const flow = flowOf({ T: { type, toolMode: true, ...(name !== undefined && { name }) }, A: 'Agent' }, [
      'T.component_as_tool -> A.tools',
    ]);
    await runToEnd(flow, { registry: createRegistry([own, agent]), services: undefined });
    expect(names).toEqual([tool]);
  },
);

/** The tools of a component in tool mode, as a run gives them to a component that uses tools, and what `use` does with them. */
async function withTools(
  parts: Parameters<typeof fakeComponent>[1],
  use: (tools: readonly FlowTool[]) => unknown,
  values: Record<string, never> = {},
): Promise<unknown> {
  let result: unknown;
  const agent = fakeComponent('Agent', {
    fields: [anyField('tools', { accepts: ['Tool'], list: true })],
    run: async ({ inputs }) => {
      result = await use(inputs['tools'] as readonly FlowTool[]);
      return { out: 1 };
    },
  });
  const own = fakeComponent('Own', {
    ...parts,
    descriptor: { tool: true, description: 'Does it.', ...parts?.descriptor },
  });
  const flow = flowOf({ T: { type: 'Own', toolMode: true, values }, A: 'Agent' }, ['T.component_as_tool -> A.tools']);
  await runToEnd(flow, { registry: createRegistry([own, agent]), services: undefined });
  return result;
}

it('has the parameters that a model may fill in, by the kind of their fields', async () => {
  const parameter = (name: string, more: Partial<Field>) =>
    anyField(name, { label: `The ${name}`, toolParameter: true, ...more });
  const tool = (await withTools(
    {
      fields: [
        parameter('number', { kind: 'number', min: 1, max: 9, required: true }),
        parameter('slider', { kind: 'slider', help: 'Slide it.' }),
        parameter('integer', { kind: 'integer', min: 0 }),
        parameter('on', { kind: 'switch' }),
        parameter('one', { kind: 'select', options: ['a', 'b'] }),
        parameter('any', { kind: 'select' }),
        parameter('pairs', { kind: 'key-value' }),
        parameter('json', { kind: 'json' }),
        parameter('texts', { kind: 'text', list: true }),
        parameter('text', { kind: 'multiline', required: true, default: 'x' }),
        anyField('hidden', { kind: 'text' }),
      ],
    },
    ([first]) => first,
  )) as FlowTool;
  expect({ ...tool, call: undefined }).toEqual({
    name: 'out',
    description: 'Does it.',
    parameters: {
      type: 'object',
      properties: {
        number: { type: 'number', description: 'The number', minimum: 1, maximum: 9 },
        slider: { type: 'number', description: 'Slide it.' },
        integer: { type: 'integer', description: 'The integer', minimum: 0 },
        on: { type: 'boolean', description: 'The on' },
        one: { type: 'string', description: 'The one', enum: ['a', 'b'] },
        any: { type: 'string', description: 'The any' },
        pairs: { type: 'object', description: 'The pairs', additionalProperties: true },
        json: { type: 'object', description: 'The json', additionalProperties: true },
        texts: { type: 'array', items: { type: 'string' }, description: 'The texts' },
        text: { type: 'string', description: 'The text' },
      },
      required: ['number'],
      additionalProperties: false,
    },
    readOnly: true,
    call: undefined,
  });
});

it.each([
  [['none', 'network-read'], true],
  [['workspace-read', 'workspace-write'], false],
  [['model'], false],
] as const)('only reads with the effects %j: %s', async (effects, readOnly) => {
  expect(await withTools({ descriptor: { effects } }, ([tool]) => tool?.readOnly)).toBe(readOnly);
});

it('takes the parameters of a call and no other values, and gives the only output or all', async () => {
  const { signal } = new AbortController();
  const seen: unknown[] = [];
  const call = (args: Record<string, unknown>) => async (tools: readonly FlowTool[]) =>
    tools[0]?.call(args as never, signal);
  const fields = [anyField('a', { kind: 'text', toolParameter: true }), anyField('b', { kind: 'text' })];
  const run = ({ inputs, stepKey }: NodeCall<unknown>) => {
    seen.push([inputs, stepKey]);
    return { out: 'only' };
  };
  const values = { a: 'own', b: 'kept' } as never;
  expect(await withTools({ fields, run }, call({ a: 'model', b: 'other', c: 1 }), values)).toBe('only');
  expect(seen).toMatchObject([[{ a: 'model', b: 'kept' }, expect.stringMatching(/.+/)]]);
  expect(await withTools({ fields, run: () => ({ x: 1, y: 2 }) }, call({}))).toEqual({ x: 1, y: 2 });
  async function* streaming() {
    yield { kind: 'log', text: 'line' } as const;
    return { out: 'streamed' };
  }
  const reports: unknown[] = [];
  const reporting = async (tools: readonly FlowTool[]) => tools[0]?.call({}, signal, (each) => reports.push(each));
  expect(await withTools({ fields, run: streaming as never }, reporting)).toBe('streamed');
  expect(reports).toEqual([{ kind: 'log', text: 'line' }]);
  expect(await withTools({ fields, run: streaming as never }, call({}))).toBe('streamed');
});
