import { closeSandbox } from '@croft/components';
import { contentOf, type Edit, type FlowNode } from '@croft/flow';
import { afterAll, describe, expect, it } from 'vitest';
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

it.each<Edit>([
  { kind: 'add_component', node: node('Mine') },
  { kind: 'batch', edits: [{ kind: 'batch', edits: [{ kind: 'add_component', node: node('Mine') }] }] } as Edit,
  { kind: 'set_flow', flow: contentOf({ ...flow, nodes: [node('Mine')] }) },
])('finds the new nodes of %j', async (edit) => {
  expect(codes(await start().components.fillEdits('ann', [edit]))).toBe(1);
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

describe('the components', () => {
  const MINE =
    "export class Mine extends Component {\n  inputs = [{ name: 'text', kind: 'text' }];\n  outputs = [{ name: 'r', types: ['Data'], method: 'm' }];\n  m() { return {}; }\n}";
  const own = (list: readonly object[] = [{ className: 'Mine', code: MINE, origin: 'saved' }]) => {
    const asked: string[] = [];
    const components = createFlowComponents({
      list: async (userId) => {
        asked.push(userId);
        return { components: list as never, skipped: [{ name: 'broken' } as never] };
      },
    });
    return { components, asked };
  };
  afterAll(closeSandbox);

  it('of a user are the built-in ones and the stored ones, with those that are left out', async () => {
    const { components, asked } = own([
      { className: 'Mine', code: MINE, origin: 'saved' },
      { className: 'ChatInput', code: MINE, origin: 'saved' },
    ]);
    const { registry, leftOut, skipped } = await components.ofUser('ann');
    expect([registry.get('Mine')?.descriptor.type, registry.get('ChatInput')?.descriptor.type]).toEqual([
      'Mine',
      'ChatInput',
    ]);
    expect([leftOut.map(({ className }) => className), skipped, asked]).toEqual([
      ['ChatInput'],
      [{ name: 'broken' }],
      ['ann'],
    ]);
  });

  it('of a flow are the stored ones that it names without code of its own', async () => {
    const { components, asked } = own([
      { className: 'Mine', code: MINE, origin: 'saved' },
      { className: 'Other', code: MINE.replace('Mine', 'Other'), origin: 'saved' },
    ]);
    const { registry } = await components.forFlow('ann', { nodes: [node('Mine')] });
    expect([registry.get('Mine')?.descriptor.type, registry.get('Other'), asked]).toEqual(['Mine', undefined, ['ann']]);
    const unknown = await components.forFlow('ann', { nodes: [node('Unknown')] });
    expect(unknown.registry).toBe(components.builtins);
    const inFlow = await components.forFlow('bob', { nodes: [node('Mine', { code: MINE })] });
    expect([inFlow.registry.get('Mine')?.descriptor.type, asked]).toEqual(['Mine', ['ann', 'ann']]);
  });

  it('to build a flow are all of the user', async () => {
    const { components } = own();
    const building = await components.forBuilding('ann', { nodes: [] });
    expect([building.registry.get('Mine')?.descriptor.type, building.findings]).toEqual(['Mine', []]);
    expect((await own([]).components.forBuilding('ann', { nodes: [] })).registry.get('ChatInput')).toBeDefined();
  });

  it('of a text are the stored ones that it names', async () => {
    const { components, asked } = own();
    const named = await components.forText('ann', 'name: F\nnodes:\n  A: Mine');
    expect(named.registry.get('Mine')?.descriptor.type).toBe('Mine');
    const other = await components.forText('ann', 'name: F\nnodes:\n  A: ChatInput');
    expect([other.registry.get('Mine'), other.registry.get('ChatInput') !== undefined]).toEqual([undefined, true]);
    expect(asked).toEqual(['ann', 'ann', 'ann']);
  });
});
