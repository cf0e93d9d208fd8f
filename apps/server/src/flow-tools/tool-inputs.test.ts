import { builtinRegistry } from '@croft/components';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { documentOf } from '../testing.ts';
import { shapeOfInputs, toolInputsOf, toolNameOf } from './tool-inputs.ts';

const registry = builtinRegistry();
const flow = documentOf(
  'name: F\nnodes:\n  A: ChatInput\n  B: TextInput\n  C: ChatOutput\nedges:\n  A.message -> C.input_value',
  (_, id) => id,
);
const withNodes = (change: (node: (typeof flow.nodes)[number]) => object) => ({
  ...flow,
  nodes: flow.nodes.map((node) => ({ ...node, ...change(node) }) as typeof node),
});

it('offers the inputs of a flow, in its order, and no outputs', () => {
  expect(toolInputsOf(flow, registry).map(({ node, field, type }) => [node, field, type])).toEqual([
    ['A', 'input_value', 'string'],
    ['B', 'input_value', 'string'],
  ]);
});

it('requires a value only where the flow has none of its own', () => {
  const valued = withNodes(({ id, values }) => (id === 'A' ? { values: { ...values, input_value: 'hi' } } : {}));
  expect(toolInputsOf(valued, registry).map(({ required }) => required)).toEqual([false, true]);
});

it('gives each input a free name that is a word, and a description without control characters', () => {
  const named = withNodes(() => ({ name: ' Größe\u0000\n (cm)! ' }));
  expect(toolInputsOf(named, registry).map(({ name, description }) => [name, description])).toEqual([
    ['gro_e_cm', 'Größe (cm)!'],
    ['gro_e_cm_2', 'Größe (cm)!'],
  ]);
  expect(
    toolInputsOf(
      withNodes(() => ({ name: '日本' })),
      registry,
    ).map(({ name }) => name),
  ).toEqual(['input', 'input_2']);
});

it('bounds names, descriptions and the number of inputs', () => {
  const [input] = toolInputsOf(
    withNodes(() => ({ name: 'a'.repeat(1_000) })),
    registry,
  );
  expect([input?.name.length, input?.description.length]).toEqual([58, 200]);
  const template = flow.nodes.find(({ id }) => id === 'B');
  const many = {
    ...flow,
    nodes: Array.from({ length: 60 }, (_, at) => ({ ...template, id: `B${at}` }) as never),
    edges: [],
  };
  expect(toolInputsOf(many, registry)).toHaveLength(50);
});

it('makes a schema of the inputs', () => {
  const input = { node: 'A', field: 'f', description: 'About.' };
  const shape = z.strictObject(
    shapeOfInputs([
      { ...input, name: 'text', type: 'string', required: true },
      { ...input, name: 'count', type: 'integer', required: false },
      { ...input, name: 'rate', type: 'number', required: false },
      { ...input, name: 'deep', type: 'boolean', required: false },
    ]),
  );
  expect(shape.parse({ text: 'a', count: 1, rate: 0.5, deep: true })).toBeTruthy();
  for (const wrong of [{}, { text: 1 }, { text: 'a', count: 0.5 }, { text: 'a', deep: 'x' }, { text: 'a', rate: 'x' }])
    expect(shape.safeParse(wrong).success).toBe(false);
  expect(shape.safeParse({ text: 'x'.repeat(1_000_001) }).success).toBe(false);
  expect(z.toJSONSchema(shape).properties?.['text']).toMatchObject({ description: 'About.' });
});

it('names the tool of a flow', () => {
  expect([toolNameOf('Résumé: daily!'), toolNameOf('日本'), toolNameOf('a'.repeat(99))]).toEqual([
    'flow_re_sume_daily',
    'flow_untitled',
    `flow_${'a'.repeat(58)}`,
  ]);
});
