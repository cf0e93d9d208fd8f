import { describe, expect, it } from 'vitest';
import { createRegistry } from '../registry.ts';
import { anyField, fakeComponent, flowOf } from '../testing.ts';
import { validateFlow } from '../validate.ts';
import type { RunEvent } from './events.ts';
import { withoutUnmappedTools } from './leave-out-tools.ts';
import { runToEnd } from './run-flow.ts';

const agent = fakeComponent('Agent', {
  fields: [anyField('tools', { accepts: ['Tool'], list: true }), anyField('in')],
  run: ({ inputs }) => ({ out: (inputs['tools'] as unknown[] | undefined)?.length ?? 0 }),
});
const registry = createRegistry([agent, fakeComponent('Step')]);
const imported = { type: 'Elsewhere', toolMode: true, original: { data: {} } };

async function run(flow: ReturnType<typeof flowOf>) {
  const events: RunEvent[] = [];
  const result = await runToEnd(flow, { registry, services: undefined }, (event) => void events.push(event));
  return { result, events };
}

describe('an imported node without a component', () => {
  it('is left out with a warning where it is only a tool', async () => {
    const flow = flowOf({ T: imported, A: 'Agent' }, ['T.component_as_tool -> A.tools']);
    expect(validateFlow(flow, registry).filter(({ severity }) => severity === 'error')).toEqual([]);
    const { result, events } = await run(flow);
    expect(result).toMatchObject({ status: 'completed', outputs: { A: { out: 0 } } });
    expect(events).toContainEqual({
      kind: 'log',
      node: 'T',
      path: '',
      text: 'Left out: this Croft does not have the imported tool.',
    });
  });

  it.each([
    ['gives a value to another node as well', ['T.component_as_tool -> A.tools', 'T.out -> A.in']],
    ['takes a value from another node', ['T.component_as_tool -> A.tools', 'S.out -> T.in']],
  ])('stops the run before it starts where it %s', async (_, edges) => {
    const { result, events } = await run(flowOf({ S: 'Step', T: imported, A: 'Agent' }, edges));
    expect(result).toMatchObject({ status: 'failed', failure: { node: 'T' } });
    expect(events.map(({ kind }) => kind)).toEqual(['run_started', 'run_finished']);
  });

  it('stops the run where an output of its own has the name of the tool', async () => {
    const own = { type: 'Elsewhere', original: { data: {} } };
    const { result } = await run(flowOf({ T: own, A: 'Agent' }, ['T.component_as_tool -> A.in']));
    expect(result).toMatchObject({ status: 'failed', failure: { node: 'T' } });
  });
});

describe('a flow without such tools', () => {
  const groups = [{ id: 'g', name: 'G', nodes: ['T', 'A'] }];
  const edges = ['T.component_as_tool -> A.tools', 'S.out -> A.in'];

  it('has no node, edge or member of a group for them', () => {
    const flow = { ...flowOf({ S: 'Step', T: imported, A: 'Agent' }, edges), groups };
    expect(withoutUnmappedTools(flow, registry)).toEqual({
      flow: {
        ...flow,
        nodes: flow.nodes.filter(({ id }) => id !== 'T'),
        edges: flow.edges.slice(1),
        groups: [{ id: 'g', name: 'G', nodes: ['A'] }],
      },
      leftOut: ['T'],
    });
  });

  it.each([
    ['all components are known', { ...imported, type: 'Step' }, edges],
    ['the tool was not imported', { type: 'Elsewhere', toolMode: true }, edges],
    ['it is not in tool mode', { type: 'Elsewhere', original: {} }, edges],
    ['it has another edge', imported, [...edges, 'T.out -> A.in']],
    ['it takes a value', imported, [...edges, 'S.out -> T.in']],
    ['it has no edge', imported, []],
  ])('is the same where %s', (_, node, all) => {
    const flow = flowOf({ S: 'Step', T: node, A: 'Agent' }, all);
    const result = withoutUnmappedTools(flow, registry);
    expect([result.flow === flow, result.leftOut]).toEqual([true, []]);
  });
});
