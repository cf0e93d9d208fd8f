import { describe, expect, it } from 'vitest';
import type { Field } from '../component.ts';
import type { FlowNode } from '../document.ts';
import { createRegistry } from '../registry.ts';
import { anyField, fakeComponent, flowOf } from '../testing.ts';
import { EdgeValues } from './edge-values.ts';
import { inputsOf } from './node-inputs.ts';
import { planRun } from './plan.ts';

/** The inputs of a node `n`. `brought`: values of edges by the input. */
function inputs(
  fields: readonly Field[],
  node: Partial<FlowNode> = {},
  { brought = {}, given }: { brought?: Record<string, readonly unknown[]>; given?: Record<string, unknown> } = {},
) {
  const registry = createRegistry([fakeComponent('Source'), fakeComponent('Step', { fields })]);
  const names = Object.entries(brought).flatMap(([name, values]) => values.map((value) => [name, value] as const));
  const sources = Object.fromEntries(names.map((_, at) => [`s${at}`, 'Source']));
  const flow = flowOf(
    { ...sources, n: node },
    names.map(([name], at) => `s${at}.out -> n.${name}`),
  );
  const plan = planRun(flow, registry);
  const edges = new EdgeValues(plan.edges.length, plan.reread, plan.back);
  for (const edge of plan.edges) edges.deliver([edge], { out: names[edge.index]?.[1] });
  const own = plan.nodes.find((each) => each.node.id === 'n');
  const found = inputsOf(own as never, edges, given);
  expect('toString' in found.inputs).toBe(false);
  return { inputs: { ...found.inputs }, connected: [...found.connected] };
}
const text = (name: string, more: Partial<Field> = {}): Field => ({
  name,
  label: `The ${name}`,
  kind: 'text',
  variables: false,
  ...more,
});

describe('the value of a field', () => {
  it('is that of an edge, else of the run, else its own, else its default', () => {
    const fields = [anyField('a', { default: 'default' })];
    expect(inputs(fields)).toEqual({ inputs: { a: 'default' }, connected: [] });
    expect(inputs(fields, { values: { a: 'own' } }).inputs).toEqual({ a: 'own' });
    expect(inputs(fields, { values: { a: 'own' } }, { given: { a: 'given' } }).inputs).toEqual({ a: 'given' });
    expect(inputs(fields, { values: { a: 'own' } }, { given: { a: 'given' }, brought: { a: ['edge'] } })).toEqual({
      inputs: { a: 'edge' },
      connected: ['a'],
    });
    expect(inputs([anyField('a')])).toEqual({ inputs: {}, connected: [] });
  });

  it('is a list of all edges where the field takes one, else the last', () => {
    const brought = { a: [[1, 2], 3] };
    expect(inputs([anyField('a', { list: true })], {}, { brought }).inputs).toEqual({ a: [1, 2, 3] });
    expect(inputs([anyField('a', { list: true, keepsLists: true })], {}, { brought }).inputs).toEqual({
      a: [[1, 2], 3],
    });
    expect(inputs([anyField('a', { list: true })], {}, { brought: { a: [1, 2] } }).inputs).toEqual({ a: [1, 2] });
    expect(inputs([anyField('a')], {}, { brought }).inputs).toEqual({ a: 3 });
    const two = inputs([anyField('a'), anyField('b')], {}, { brought: { a: [1], b: [2] } });
    expect(two).toEqual({ inputs: { a: 1, b: 2 }, connected: ['a', 'b'] });
  });

  it('is not a property of every object', () => {
    expect(inputs([text('constructor')], {}, { given: {} }).inputs).toEqual({});
  });
});

describe('a required field', () => {
  const required = text('a', { required: true });

  it.each([[undefined], [''], [null]])('has no value %j', (value) => {
    expect(() => inputs([required], { values: value === undefined ? {} : { a: value } })).toThrow(
      "Required input 'a' (The a) of n has no value. Set it or connect it.",
    );
  });

  it('that can only be connected is not said to be set', () => {
    expect(() => inputs([anyField('a', { required: true })], {})).toThrow(
      "Required input 'a' (a) of n has no value. Connect it.",
    );
  });

  it('takes 0 and false, and needs no value where a model fills it in or it is hidden', () => {
    for (const a of [0, false]) expect(inputs([required], { values: { a } }).inputs).toEqual({ a });
    const tool = text('a', { required: true, toolParameter: true });
    expect(inputs([tool], { toolMode: true }).inputs).toEqual({});
    expect(() => inputs([required], { toolMode: true })).toThrow('Required input');
    expect(() => inputs([tool])).toThrow('Required input');
    const hidden = text('a', { required: true, showWhen: { field: 'b', is: ['x'] } });
    expect(inputs([hidden, text('b')], { values: { b: 'y' } }).inputs).toEqual({ b: 'y' });
    expect(() => inputs([hidden, text('b')], { values: { b: 'x' } })).toThrow('Required input');
  });
});

describe('the variables of a text', () => {
  const fields = [text('t', { kind: 'multiline', variables: true, accepts: ['Message'] })];

  it('are filled in from edges, the run and the node', () => {
    expect(
      inputs(fields, { values: { t: '{x} {y} {z}', z: 'own' } }, { brought: { x: ['edge'] }, given: { y: 'given' } }),
    ).toEqual({
      inputs: { t: 'edge given own', x: 'edge', y: 'given', z: 'own' },
      connected: ['x'],
    });
  });

  it('are left in a text that an edge brought', () => {
    expect(inputs(fields, { values: { t: '{x}', x: '1' } }, { brought: { t: ['say {x}'] } }).inputs['t']).toBe(
      'say {x}',
    );
  });
});
