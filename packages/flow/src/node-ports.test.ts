import { describe, expect, it } from 'vitest';
import type { Descriptor } from './component.ts';
import type { FlowNode } from './document.ts';
import { ERROR_OUTPUT, isToolCapable, portsOf, TOOL_OUTPUT } from './node-ports.ts';
import { converterFor, portTypeOf, typesFit } from './port-types.ts';
import { fillVariables, variablesIn } from './variables.ts';

const descriptor: Descriptor = {
  type: 'Prompt',
  label: 'Prompt',
  description: '',
  category: 'models',
  fields: [
    { name: 'template', label: 'Template', kind: 'multiline', accepts: [] },
    { name: 'mode', label: 'Mode', kind: 'select', options: ['a', 'b'], default: 'a' },
    { name: 'extra', label: 'Extra', kind: 'text', accepts: ['Message'], showWhen: { field: 'mode', is: ['b'] } },
    { name: 'pattern', label: 'Pattern', kind: 'text', variables: false },
  ],
  outputs: [
    { name: 'prompt', label: 'Prompt', types: ['Message'] },
    { name: 'rare', label: 'Rare', types: ['Data'], showWhen: { field: 'mode', is: ['b'] } },
  ],
  effects: ['none'],
};
const nodeWith = (values: FlowNode['values'], more: Partial<FlowNode> = {}): FlowNode => ({
  id: 'p',
  type: 'Prompt',
  position: { x: 0, y: 0 },
  values,
  ...more,
});
const names = (node: FlowNode) => portsOf(node, { descriptor }).inputs.map(({ name }) => name);

it('makes an output for each row of a table, before the others', () => {
  const output = { name: 'case_{n}', label: 'Case {n}', types: ['Any'], branch: true } as const;
  const entry = { descriptor: { ...descriptor, rowOutputs: { field: 'cases', column: 'text', output } } };
  const { outputs } = portsOf(nodeWith({ cases: [{ text: 'yes' }, { text: ' ' }, 'no', 4, null] }), entry);
  expect(outputs.map(({ name, label }) => [name, label])).toEqual([
    ['case_1', 'yes'],
    ['case_2', 'Case 2'],
    ['case_3', 'no'],
    ['case_4', '4'],
    ['case_5', 'Case 5'],
    ['prompt', 'Prompt'],
  ]);
  expect(portsOf(nodeWith({ cases: 'yes' }), entry).outputs.map(({ name }) => name)).toEqual(['prompt']);
});

describe('portsOf', () => {
  it('makes one input port for each variable of a text field', () => {
    expect(names(nodeWith({ template: 'Dear {name}, {order.items.0} for {name}' }))).toEqual(['name', 'order']);
  });

  it('makes at most 1,000 ports of variables, and reads a long text once for all edges of a node', () => {
    const long = nodeWith({ template: Array.from({ length: 2_000 }, (_, index) => `{v${index}}`).join('') });
    const entry = { descriptor };
    expect(portsOf(long, entry).inputs).toHaveLength(1_000);
    expect(portsOf(long, entry)).toBe(portsOf(long, entry));
    expect(portsOf({ ...long, toolMode: true }, entry).outputs.map(({ name }) => name)).toEqual(['component_as_tool']);
    expect(portsOf({ ...long, values: {} }, entry).inputs).toEqual([]);
  });

  it('makes no port where braces belong to the component', () => {
    expect(names(nodeWith({ pattern: '{row}' }))).toEqual([]);
  });

  it('shows ports by the value of another field, and by its default', () => {
    expect(names(nodeWith({ mode: 'b' }))).toEqual(['extra']);
    expect(names(nodeWith({}))).toEqual([]);
    expect(portsOf(nodeWith({}), { descriptor }).outputs.map(({ name }) => name)).toEqual(['prompt']);
  });

  it('has one output in tool mode, and an error output where errors are sent on', () => {
    expect(portsOf(nodeWith({}, { toolMode: true }), { descriptor }).outputs.map(({ name }) => name)).toEqual([
      'component_as_tool',
    ]);
    expect(portsOf(nodeWith({}, { run: { onError: 'port' } }), { descriptor }).outputs.map(({ name }) => name)).toEqual(
      ['prompt', 'error'],
    );
    expect([TOOL_OUTPUT, ERROR_OUTPUT]).toEqual([
      { name: 'component_as_tool', label: 'Toolset', types: ['Tool'] },
      { name: 'error', label: 'Error', types: ['Data'], branch: true },
    ]);
    const fields = [{ name: 'a', label: 'A', kind: 'text' as const, toolParameter: true }];
    expect([
      isToolCapable({ descriptor }),
      isToolCapable({ descriptor: { ...descriptor, tool: true } }),
      isToolCapable({ descriptor: { ...descriptor, fields: [...descriptor.fields, ...fields] } }),
    ]).toEqual([false, true, true]);
  });
});

describe('variables', () => {
  it('reads names and paths, and leaves JSON, doubled braces and numbers alone', () => {
    expect(variablesIn('{a} {b.c} {"d": 1} {{e}} {1} a{2,3}')).toEqual(['a', 'b']);
  });

  it('fills values by path, keeps what has no value, and writes an empty text for a path that leads nowhere', () => {
    const values: Record<string, unknown> = { a: { text: 'hi' }, b: { c: [1, { d: 2 }] } };
    expect(fillVariables('{a} {b.c.1.d} {b.x.y} {z} {{a}}', (name) => values[name])).toBe('hi 2  {z} {a}');
  });

  it('does not read inherited properties', () => {
    expect(fillVariables('{a.constructor.name}{a.__proto__.x}', () => ({}))).toBe('');
  });
});

describe('port types', () => {
  it('knows the names of other builders', () => {
    expect([portTypeOf('DataFrame'), portTypeOf('JSON'), portTypeOf('Message'), portTypeOf('constructor')]).toEqual([
      'Table',
      'Data',
      'Message',
      undefined,
    ]);
  });

  it('refuses a text where rows are wanted and names the converter', () => {
    expect(typesFit(['Message'], ['Table'])).toBe(false);
    expect(converterFor(['Message'], ['Table'])).toMatchObject({
      component: 'TypeConverterComponent',
      output: 'dataframe_output',
    });
    expect(converterFor(['Data'], ['Message'])).toMatchObject({ component: 'ParserComponent' });
  });

  it('lets a tool connect to tool inputs alone', () => {
    expect(typesFit(['Tool'], ['Any'])).toBe(false);
    expect(typesFit(['Tool'], ['Tool'])).toBe(true);
  });
});
