import { contentOf, type Edit, type FlowNode } from '@croft/flow';
import { expect, it } from 'vitest';
import { documentOf } from '../testing.ts';
import { createFlowComponents } from './flow-components.ts';

const CODE = 'class Mine {}';
const flow = documentOf('name: F\nnodes:\n  A: ChatInput', (_, id) => id);
const node = (type: string, more: object = {}) => ({ ...flow.nodes[0], id: type, type, ...more }) as FlowNode;

/** Components of a user with one stored component; `asked`: for whom the store was read. */
function start() {
  const asked: string[] = [];
  const components = createFlowComponents({
    list: async (userId) => {
      asked.push(userId);
      return {
        components: [{ className: 'Mine', code: CODE, origin: 'saved' } as never],
        skipped: [{ name: 'broken' } as never],
      };
    },
  });
  return { components, asked };
}
const codes = (edits: readonly Edit[]) => JSON.stringify(edits).split(CODE).length - 1;

it('puts the code of a stored component into new nodes that have none', async () => {
  const { components, asked } = start();
  const filled = await components.fillEdits('ann', [
    { kind: 'add_component', node: node('Mine') },
    { kind: 'batch', edits: [{ kind: 'add_component', node: node('Mine') }] } as Edit,
    { kind: 'set_flow', flow: contentOf({ ...flow, nodes: [node('Mine'), node('ChatInput')] }) },
    { kind: 'add_component', node: node('Mine', { code: 'own' }) },
    { kind: 'set_details', name: 'Mine' },
  ]);
  expect([codes(filled), asked]).toEqual([3, ['ann']]);
  expect(filled[3]).toEqual({ kind: 'add_component', node: node('Mine', { code: 'own' }) });
});

it('does the same for the nodes of a document', async () => {
  const { components } = start();
  const { nodes } = await components.fillFlow('ann', {
    nodes: [node('Mine'), node('Other'), node('Mine', { code: 'own' })],
  });
  expect(nodes.map(({ code }) => code)).toEqual([CODE, undefined, 'own']);
});

it('reads no file of the user where no node can need one', async () => {
  const { components, asked } = start();
  const edits: Edit[] = [
    { kind: 'add_component', node: node('ChatInput') },
    { kind: 'set_details', name: 'x' },
  ];
  expect(await components.fillEdits('ann', edits)).toBe(edits);
  expect(await components.fillFlow('ann', flow)).toBe(flow);
  const { registry, findings } = await components.forFlow('ann', flow);
  expect([registry.get('ChatInput') !== undefined, findings, asked]).toEqual([true, [], []]);
});

it('takes content that is checked only later', async () => {
  const { components } = start();
  for (const nodes of [undefined, 'x', [null, 5, { type: 5 }, node('Mine')]]) {
    const [edit] = await components.fillEdits('ann', [
      { kind: 'set_flow', flow: { ...contentOf(flow), nodes } as never },
    ]);
    expect(edit?.kind).toBe('set_flow');
    expect(codes(edit ? [edit] : [])).toBe(Array.isArray(nodes) ? 1 : 0);
  }
});

it('has the built-in components for everyone', () => {
  expect(start().components.builtins.get('ChatInput')?.descriptor.type).toBe('ChatInput');
});
