import { builtinRegistry } from '@croft/components';
import { buildFromSpec, emptyFlow, type FlowDocument } from '@croft/flow';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { componentId, flowId, flowInfo, headOf, ifRevision, infoOf, shapeOf } from './shown.ts';

const registry = builtinRegistry();
const built = buildFromSpec(
  'name: Echo\nnodes:\n  I: ChatInput\n  O: ChatOutput\nedges:\n  I.message -> O.input_value\n',
  registry,
  (_, id) => id,
) as { flow: FlowDocument };
const flow = {
  ...built.flow,
  description: 'Repeats',
  nodes: built.flow.nodes.map((node) => (node.id === 'O' ? { ...node, name: 'Out', run: { frozen: true } } : node)),
} as FlowDocument;

it('shows the head and the shape of a flow', () => {
  const head = { id: 'f', name: 'Echo', description: 'Repeats', revision: 7 };
  expect(headOf({ id: 'f', version: 7, name: 'Echo', description: 'Repeats' })).toEqual(head);
  const { graph, spec_summary, ...counts } = shapeOf(flow);
  expect(counts).toEqual({ node_count: 2, edge_count: 1 });
  expect(graph).toBe('[ChatInput]\n  message -> ChatOutput.input_value\n    [ChatOutput]');
  expect(spec_summary).toContain('ChatOutput');
  const info = infoOf({ id: 'f', version: 7, document: flow, registry: registry as never });
  expect(info).toMatchObject({ ...head, ...counts, graph, spec_summary });
  expect(info.components).toEqual([
    { id: 'I', type: 'ChatInput', display_name: 'Chat input', frozen: false },
    { id: 'O', type: 'ChatOutput', display_name: 'Out', frozen: true },
  ]);
  expect(info.inputs).toMatchObject([{ id: 'I' }]);
  expect(info.outputs).toMatchObject([{ id: 'O' }]);
});

it('says that a flow is too large to draw', () => {
  const nodes = Array.from({ length: 5_000 }, (_, at) => ({
    id: `n${at}`,
    type: 'ChatInput',
    position: { x: 0, y: 0 },
    values: {},
  }));
  const edges = nodes.slice(1).map(({ id }, at) => ({
    from: { node: `n${at}`, port: 'message' },
    to: { node: id, port: 'input_value' },
  }));
  const { graph } = shapeOf({ ...emptyFlow(), nodes, edges } as FlowDocument);
  expect(graph).toBe('(too large to draw)');
});

it('describes results and arguments as they are shown', () => {
  const info = z.toJSONSchema(z.object(flowInfo)).properties;
  expect(Object.entries(info ?? {}).map(([name, of]) => `${name}: ${(of as { type: string }).type}`)).toEqual([
    'id: string',
    'name: string',
    'description: string',
    'revision: number',
    'node_count: number',
    'edge_count: number',
    'graph: string',
    'spec_summary: string',
    'components: array',
    'inputs: array',
    'outputs: array',
  ]);
  expect(z.toJSONSchema(flowInfo.components.element).properties).toEqual({
    id: { type: 'string' },
    type: { type: 'string' },
    display_name: { type: 'string' },
    frozen: { type: 'boolean' },
  });
  expect([flowId.description, componentId.description, ifRevision.description]).toEqual([
    'The id of the flow.',
    'The id of the component.',
    'Refuses the change if the flow has another revision. Tools that read a flow give it.',
  ]);
});

it('bounds ids and revisions', () => {
  const takes = (schema: { safeParse: (value: unknown) => { success: boolean } }, value: unknown) =>
    schema.safeParse(value).success;
  expect([1, 100, 101, 0].map((length) => takes(flowId, 'x'.repeat(length)))).toEqual([true, true, false, false]);
  expect([1, 200, 201, 0].map((length) => takes(componentId, 'x'.repeat(length)))).toEqual([true, true, false, false]);
  expect([1, 0, 1.5, undefined].map((revision) => takes(ifRevision, revision))).toEqual([true, false, false, true]);
});
