import { createRegistry } from '@croft/flow';
import { expect, it } from 'vitest';
import { readRequest } from '../draft/request-parts.ts';
import { flowOf, toolContext } from '../../../../tests/support/tool-context.ts';
import { addApproval } from './add-approval.ts';

const WRITES =
  'nodes:\n  I: ChatInput\n  W: SaveToFile\n  O: ChatOutput\nedges:\n  I.message -> W.input\n  I.message -> O.input_value\nconfig:\n  W.file_name: out.txt\n';
const TWO = `${WRITES.replace('  O:', '  V: SaveToFile\n  O:').replace('edges:', 'edges:\n  I.message -> V.input')}  V.file_name: other.txt\n`;

async function add(spec: string, message = 'add a step that asks me before it writes', run = false) {
  const { context, canvas } = await toolContext(flowOf(spec));
  const result = (await addApproval(readRequest(message), run, context)) as Record<string, any>;
  const typeOf = (id: string) => canvas.flow.nodes.find((node) => node.id === id)?.type;
  return {
    result,
    canvas,
    edges: canvas.flow.edges.map(({ from, to }) => `${typeOf(from.node)} -> ${typeOf(to.node)}`),
  };
}

it('asks before the component that writes, and not before the answer', async () => {
  const { result, edges } = await add(WRITES);
  expect(edges.sort()).toEqual([
    'ChatInput -> ChatOutput',
    'ChatInput -> HumanApproval',
    'HumanApproval -> SaveToFile',
  ]);
  expect(result['summary']).toMatch(/^Added “.*”, before “Write file”: it writes only what you approve\.$/);
  expect(result).not.toHaveProperty('next');
  expect((await add(WRITES, undefined, true)).result['next']).toEqual({ tool: 'run_flow', arguments: {} });
});

it('names the file in the question, where the component has one', async () => {
  const questionIn = async (spec: string) =>
    (await add(spec)).canvas.flow.nodes.find(({ type }) => type === 'HumanApproval')?.values;
  expect(await questionIn(WRITES)).toEqual({ question: 'Write this to out.txt?' });
  expect(await questionIn(WRITES.replace(/config:[\s\S]*/, ''))).toEqual({});
});

it('needs one component that writes what the message names', async () => {
  const none = await add('nodes:\n  I: ChatInput\n');
  expect(none.result['error']).toContain(
    'no component of the flow writes anything. Add that step first, write: add a step that writes the result to out.txt.',
  );
  const other = await add(WRITES, 'add a step that asks me before it writes a.txt');
  expect(other.result['error']).toContain(
    'no component of the flow writes a.txt. Add that step first, write: add a step that writes the result to a.txt.',
  );
  const two = await add(TWO);
  expect(two.result['error']).toContain(
    'several components write: “Write file” (W-1), “Write file” (V-1). Name the file',
  );
  expect([none, other, two].map(({ canvas }) => canvas.version)).toEqual([1, 1, 1]);
  expect((await add(TWO, 'add a step that asks me before it writes other.txt')).result['summary']).toContain('Added');
});

it('adds no second one', async () => {
  const { canvas } = await add(WRITES);
  const { context, canvas: again } = await toolContext(canvas.flow);
  const result = await addApproval(readRequest('add a step that asks me before it writes'), false, context);
  expect([result['error'], again.version]).toEqual([
    expect.stringMatching(/^Nothing was added: “.*” is before “Write file” already\.$/),
    1,
  ]);
});

it('needs a component that asks', async () => {
  const { context } = await toolContext(flowOf(WRITES));
  const without = { ...context, turn: { ...context.turn, registry: createRegistry([]) } };
  expect((await addApproval(readRequest('x'), false, without))['error']).toBe(
    'Nothing was added: no component here asks a person.',
  );
});
