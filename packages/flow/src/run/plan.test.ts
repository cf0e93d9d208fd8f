import { describe, expect, it } from 'vitest';
import { toEnd } from '../parts.ts';
import { createRegistry } from '../registry.ts';
import { anyField, anyOutput, fakeComponent, flowOf } from '../testing.ts';
import { planRun, planRunInParts } from './plan.ts';

const registry = createRegistry([
  fakeComponent('Step', { fields: [anyField('in'), { name: 'key', label: '', kind: 'secret' }] }),
  fakeComponent('Two', { outputs: [anyOutput('a'), anyOutput('b')] }),
  fakeComponent('Text', { fields: [{ name: 't', label: '', kind: 'multiline', accepts: ['Message'] }] }),
  fakeComponent('Tool', { fields: [anyField('in', { toolParameter: true })] }),
  fakeComponent('Shown', {
    fields: [anyField('in'), anyField('more', { showWhen: { field: 'in', is: ['x'] } })],
    outputs: [anyOutput('out'), anyOutput('also', { showWhen: { field: 'in', is: ['x'] } })],
  }),
  { ...fakeComponent('Ports'), ports: () => ({}) },
  fakeComponent('Loop', {
    outputs: [anyOutput('item', { loop: true }), anyOutput('done')],
    descriptor: { control: 'loop' },
  }),
  fakeComponent('Writer', { descriptor: { effects: ['workspace-write'] } }),
]);
const plan = (nodes: Parameters<typeof flowOf>[0], edges: readonly string[] = []) =>
  planRun(flowOf(nodes, edges), registry);
const wanted = (nodes: Parameters<typeof flowOf>[0], edges: readonly string[] = []) => [
  ...(plan(nodes, edges).nodes[0]?.wanted ?? []),
];

describe('a plan', () => {
  it('has the edges of each node in both directions', () => {
    const { nodes, edges } = plan({ a: 'Step', b: 'Step', c: 'Step', d: 'Step' }, [
      'a.out -> b.in',
      'a.out -> c.in',
      'a.out -> d.in',
      'b.out -> d.in',
    ]);
    expect(edges[0]).toEqual({ index: 0, from: 0, fromPort: 'out', to: 1, toPort: 'in', isFeedback: false });
    expect(
      nodes.map(({ incoming, outgoing }) => [incoming.map(({ index }) => index), outgoing.map(({ index }) => index)]),
    ).toEqual([
      [[], [0, 1, 2]],
      [[0], [3]],
      [[1], []],
      [[2, 3], []],
    ]);
  });

  it('knows secrets and effects', () => {
    const { nodes } = plan({ a: 'Step', b: 'Writer' });
    expect(nodes.map(({ setup }) => [setup.secretFields, setup.hasEffects])).toEqual([
      [['key'], false],
      [[], true],
    ]);
  });

  it('shares the setup of nodes whose values do not change their ports', () => {
    const { nodes } = plan({
      a: 'Step',
      b: 'Step',
      c: { type: 'Step', run: { onError: 'port' } },
      d: { type: 'Text', values: { t: '{x}' } },
      e: { type: 'Text', values: { t: '{y}' } },
    });
    const [a, b, c, d, e] = nodes.map(({ setup }) => setup);
    expect([a === b, a === c, d === e]).toEqual([true, false, false]);
    expect([d?.variableInputs.map(({ name }) => name), e?.variableInputs.map(({ name }) => name)]).toEqual([
      ['x'],
      ['y'],
    ]);
  });

  it('has the component and the ports of a node', () => {
    const { nodes, reread, back } = plan({ a: { type: 'Text', values: { t: '{x}' }, run: { onError: 'port' } } });
    const setup = nodes[0]?.setup;
    expect(setup).toEqual({
      component: registry.get('Text'),
      fields: [{ name: 't', label: '', kind: 'multiline', accepts: ['Message'] }],
      inputs: new Map([
        ['t', expect.objectContaining({ name: 't' })],
        ['x', expect.objectContaining({ name: 'x', variableOf: 't' })],
      ]),
      hasPruningInput: expect.any(Boolean),
      variableInputs: [setup?.inputs.get('x')],
      outputs: [anyOutput('out'), expect.objectContaining({ name: 'error' })],
      outputNames: new Set(['out', 'error']),
      allowedOutputs: new Set(['out', 'error']),
      connectedOne: new Map([
        ['t', new Set(['t'])],
        ['x', new Set(['x'])],
      ]),
      secretFields: [],
      hasEffects: false,
    });
    expect([nodes[0]?.kind, nodes[0]?.index, reread, back]).toEqual(['node', 0, new Set(), new Set()]);
  });

  it('does not share the setup of a tool, nor of nodes whose values show ports', () => {
    const { nodes } = plan({
      a: { type: 'Tool', toolMode: true },
      b: 'Tool',
      c: 'Shown',
      d: 'Shown',
      e: 'Ports',
      f: 'Ports',
    });
    const [a, b, c, d, e, f] = nodes.map(({ setup }) => setup);
    expect([a === b, c === d, e === f]).toEqual([false, false, false]);
    expect([[...(a?.outputNames ?? [])], [...(b?.outputNames ?? [])]]).toEqual([['component_as_tool'], ['out']]);
  });

  it('wants the outputs with an edge and the selected one, or all', () => {
    expect(wanted({ a: 'Two' })).toEqual(['a', 'b']);
    expect(wanted({ a: 'Two', s: 'Step' }, ['a.b -> s.in'])).toEqual(['b']);
    expect(wanted({ a: { type: 'Two', selectedOutput: 'a' } })).toEqual(['a']);
    expect(wanted({ a: { type: 'Two', selectedOutput: 'a' }, s: 'Step' }, ['a.b -> s.in'])).toEqual(['b', 'a']);
  });
});

it.each([
  ['a.none -> b.in', 'a', 'none', "Output 'none' not found on component 'a'. Available: ['out']"],
  ['a.out -> b.none', 'b', 'none', "Input 'none' not found on component 'b'. Available: ['in']"],
  ['a.out -> b.out', 'b', 'out', "Input 'out' not found on component 'b'. Available: ['in']"],
  ['a.out -> l.done', 'l', 'done', "Input 'done' not found on component 'l'. Available: ['in']"],
  ['l.none -> b.in', 'l', 'none', "Output 'none' not found on component 'l'. Available: ['item', 'done']"],
])('refuses the edge %s', (edge, node, field, message) => {
  expect(() => plan({ a: 'Step', b: 'Step', l: 'Loop' }, [edge])).toThrow(
    expect.objectContaining({ code: 'unknown_port', place: { node, field }, message }),
  );
});

it('reads the edges into a loop again in each round', () => {
  const { edges, reread, back } = plan({ a: 'Step', l: 'Loop', b: 'Step', c: 'Step' }, [
    'a.out -> l.in',
    'l.item -> b.in',
    'b.out -> l.item',
    'l.done -> c.in',
  ]);
  expect(edges.map(({ isFeedback }) => isFeedback)).toEqual([false, false, true, false]);
  expect([[...reread], [...back]]).toEqual([[1], []]);
});

it('refuses a component that it does not know', () => {
  expect(() => plan({ a: 'None' })).toThrow("Node 'a' has the type 'None', which this Croft does not have.");
});

it('plans a thousand nodes in one part', () => {
  const parts = (count: number) => {
    const nodes = Object.fromEntries(Array.from({ length: count }, (_, at) => [`n${at}`, 'Step']));
    const work = planRunInParts(flowOf(nodes), registry);
    let pauses = 0;
    for (;;) {
      const { done, value } = work.next();
      if (done === true) return [pauses, value.nodes.length];
      pauses++;
    }
  };
  expect([parts(1_000), parts(1_001), parts(2_001)]).toEqual([
    [0, 1_000],
    [1, 1_001],
    [2, 2_001],
  ]);
  expect(toEnd(planRunInParts(flowOf({ a: 'Step' }), registry)).nodes).toHaveLength(1);
});
