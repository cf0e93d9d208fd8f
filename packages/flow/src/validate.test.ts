import { describe, expect, it } from 'vitest';
import type { Component, Field } from './component.ts';
import type { FlowDocument, FlowNode } from './document.ts';
import { createRegistry } from './registry.ts';
import { anyField, anyOutput, fakeComponent, flowOf } from './testing.ts';
import { validateFlow, validateFlowInParts, validateNodes } from './validate.ts';

const text = (name: string, more: Partial<Field> = {}): Field => ({
  name,
  label: `The ${name}`,
  kind: 'text',
  ...more,
});
const registry = createRegistry<Component>([
  fakeComponent('Step'),
  fakeComponent('Text', {
    fields: [anyField('in', { accepts: ['Message'] })],
    outputs: [anyOutput('out', { types: ['Message'] })],
  }),
  fakeComponent('Rows', {
    fields: [anyField('in', { accepts: ['Table'] })],
    outputs: [anyOutput('out', { types: ['Table'] })],
  }),
  fakeComponent('Needs', {
    fields: [
      anyField('in', { required: true }),
      text('name', { required: true, toolParameter: true }),
      text('size', { kind: 'integer' }),
      text('more', { required: true, showWhen: { field: 'name', is: ['x'] } as never }),
    ],
  }),
  fakeComponent('Both', { fields: [anyField('one', { required: true }), anyField('two', { required: true })] }),
  fakeComponent('Note', { descriptor: { category: 'notes' } }),
  fakeComponent('Own', { descriptor: { category: 'custom' } }),
  fakeComponent('Loop', {
    outputs: [anyOutput('item', { loop: true }), anyOutput('done')],
    descriptor: { control: 'loop' },
  }),
]);
const short = (flow: FlowDocument) =>
  validateFlow(flow, registry).map(({ severity, code, node, field }) => `${severity} ${code} ${node}.${field}`);
const one = (values: FlowNode['values'], more: Partial<FlowNode> = {}, type = 'Needs') =>
  flowOf({ A: { type, values, ...more } });

describe('values of a node', () => {
  it('are missing where a required field has none', () => {
    expect(validateFlow(one({ name: '' }), registry)).toEqual([
      {
        severity: 'error',
        code: 'missing_value',
        node: 'A',
        field: 'in',
        message: "A needs a value for 'in'.",
        fix: "Connect 'in'.",
      },
      {
        severity: 'error',
        code: 'missing_value',
        node: 'A',
        field: 'name',
        message: "A needs a value for 'The name'.",
        fix: "Set 'name'.",
      },
    ]);
    const takes = createRegistry([
      fakeComponent('Takes', { fields: [anyField('path', { kind: 'file', required: true })] }),
    ]);
    expect(validateFlow(one({}, {}, 'Takes'), takes).map(({ fix }) => fix)).toEqual(["Set 'path' or connect it."]);
    for (const name of [null, []]) expect(short(one({ in: 1, name }))).toEqual(['error missing_value A.name']);
    expect(short(one({ in: 1, name: 'x' }))).toEqual(['error missing_value A.more']);
    expect(short(one({ in: 1, name: 'a' }))).toEqual([]);
  });

  it('come from an edge, or from the model that calls a tool', () => {
    const flow = flowOf({ S: 'Step', A: { type: 'Needs', values: { name: 'a' } } }, ['S.out -> A.in']);
    expect(short(flow)).toEqual([]);
    const both = flowOf({ S: 'Step', A: 'Both' }, ['S.out -> A.one', 'S.out -> A.two']);
    expect(short(both)).toEqual([]);
    expect(short(one({ in: 1 }, { toolMode: true }))).toEqual([]);
    expect(short(one({}, { toolMode: true }))).toEqual(['error missing_value A.in']);
  });

  it('are wrong, or not used', () => {
    expect(validateFlow(one({ in: 1, name: 'a', size: 'many', old: 1 }), registry)).toEqual([
      {
        severity: 'error',
        code: 'wrong_value',
        node: 'A',
        field: 'size',
        message: expect.stringMatching(/^'The size' of A .*\.$/),
        fix: "Change 'size'.",
      },
      {
        severity: 'warning',
        code: 'wrong_value',
        node: 'A',
        field: 'old',
        message: "A has a value 'old' that the component does not use.",
        fix: 'Remove the value.',
      },
    ]);
    expect(short(one({ old: 1 }, {}, 'Own'))).toEqual([]);
  });
});

describe('a node', () => {
  it('of an unknown type is an error', () => {
    expect(validateFlow(one({}, {}, 'Gone'), registry)).toEqual([
      {
        severity: 'error',
        code: 'unknown_type',
        node: 'A',
        message: "A has the type 'Gone', which this Croft does not have.",
        fix: 'Replace or remove the component.',
      },
    ]);
    expect(validateFlow(one({}, { original: {} }, 'Gone'), registry)[0]).toMatchObject({
      severity: 'error',
      code: 'unmapped',
      fix: 'Replace the imported component by one of Croft.',
    });
  });

  it('that is only an imported tool is left out', () => {
    const flow = flowOf({ A: { type: 'Gone', original: {}, toolMode: true }, B: 'Step' }, [
      'A.component_as_tool -> B.in',
    ]);
    expect(validateFlow(flow, registry)).toEqual([
      expect.objectContaining({
        severity: 'warning',
        code: 'unmapped',
        fix: 'A run leaves this tool out. Replace it by a component of Croft where the agent needs it.',
      }),
    ]);
    expect(validateNodes(flow, registry)).toEqual(validateFlow(flow, registry));
  });

  it('is an orphan beside others, unless it is a note', () => {
    expect(validateFlow(flowOf({ A: 'Step', B: 'Note' }), registry)).toEqual([
      {
        severity: 'warning',
        code: 'orphan',
        node: 'A',
        message: 'A is not connected to anything.',
        fix: 'Connect the component or remove it.',
      },
    ]);
    expect(short(flowOf({ A: 'Step' }))).toEqual([]);
    expect(short(flowOf({ A: 'Step', B: 'Step' }, ['A.out -> B.in']))).toEqual([]);
  });
});

describe('an edge', () => {
  it('does not fit', () => {
    const flow = flowOf({ A: 'Text', B: 'Rows' }, ['A.out -> B.in', 'A.out -> B.in']);
    expect(validateFlow(flow, registry)).toEqual([
      {
        severity: 'error',
        code: 'type_mismatch',
        node: 'B',
        field: 'in',
        message: expect.any(String),
        fix: 'Put a TypeConverterComponent between the two.',
      },
    ]);
    expect(validateNodes(flow, registry)).toEqual([]);
  });

  it('has no port', () => {
    expect(validateFlow(flowOf({ A: 'Step', B: 'Step' }, ['A.none -> B.in']), registry)).toEqual([
      expect.objectContaining({
        code: 'unknown_port',
        node: 'A',
        field: 'none',
        fix: 'Remove the edge, or connect another port.',
      }),
    ]);
  });

  it('of an unknown node or type is not checked', () => {
    expect(short(flowOf({ A: 'Step', B: 'Gone' }, ['A.none -> B.in', 'A.none -> C.in']))).toEqual([
      'error unknown_type B.undefined',
    ]);
  });
});

describe('a cycle', () => {
  it('is an error outside of a loop', () => {
    const flow = flowOf({ A: 'Step', B: 'Step' }, ['A.out -> B.in', 'B.out -> A.in']);
    expect(validateFlow(flow, registry)).toEqual([
      {
        severity: 'error',
        code: 'cycle',
        node: expect.any(String),
        message: expect.any(String),
        fix: 'Remove one edge of the cycle, or lead it through a Loop or a router.',
      },
    ]);
    expect(short(flowOf({ A: 'Step', L: 'Loop' }, ['L.item -> A.in', 'A.out -> L.item']))).toEqual([]);
  });

  it('is searched only in a flow without other errors', () => {
    const flow = flowOf({ A: 'Step', B: 'Step', C: 'Gone' }, ['A.out -> B.in', 'B.out -> A.in', 'A.out -> C.in']);
    expect(short(flow)).toEqual(['error unknown_type C.undefined']);
  });

  it('is looked for without the tools that a run leaves out', () => {
    const flow = flowOf({ T: { type: 'Gone', original: {}, toolMode: true }, A: 'Step', B: 'Step' }, [
      'T.component_as_tool -> A.in',
      'A.out -> B.in',
    ]);
    expect(short(flow)).toEqual(['warning unmapped T.undefined']);
  });
});

it('checks 200 nodes or edges in a part', () => {
  const parts = (nodes: number) => {
    const ids = Array.from({ length: nodes }, (_, at) => [`N${at}`, 'Step']);
    const flow = flowOf(
      Object.fromEntries(ids),
      ids.slice(1).map(([id], at) => `N${at}.out -> ${id}.in`),
    );
    return [...validateFlowInParts(flow, registry)].length;
  };
  expect([parts(2), parts(200), parts(201), parts(202)]).toEqual([1, 1, 3, 3]);
});
