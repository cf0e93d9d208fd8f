import { createRegistry, type Descriptor, type FlowNode } from '@croft/flow';
import { describe, expect, it } from 'vitest';
import { fieldText, foldedPorts, viewNode } from './node-view.ts';

const descriptor: Descriptor = {
  type: 'Ask',
  label: 'Ask a model',
  description: '',
  category: 'models',
  effects: ['model'],
  fields: [
    { name: 'prompt', label: 'Prompt', kind: 'multiline', accepts: ['Message'], required: true },
    { name: 'key', label: 'Key', kind: 'secret' },
    { name: 'mode', label: 'Mode', kind: 'select', options: ['a', 'b'], default: 'a' },
    { name: 'only_b', label: 'Only with b', kind: 'text', default: 'x', showWhen: { field: 'mode', is: ['b'] } },
    { name: 'tone', label: 'Tone', kind: 'text', accepts: ['Message'], portWhenConnected: true },
    { name: 'depth', label: 'Depth', kind: 'integer', default: 3, advanced: true },
  ],
  outputs: [{ name: 'text', label: 'Text', types: ['Message'] }],
};
const registry = createRegistry([{ descriptor }]);
const node = (values: FlowNode['values'], more: Partial<FlowNode> = {}): FlowNode => ({
  id: 'Ask-1',
  type: 'Ask',
  position: { x: 0, y: 0 },
  values,
  ...more,
});
const shown = (...given: Parameters<typeof viewNode>) =>
  viewNode(...given).fields.map(({ name, value }) => `${name}: ${value}`);

describe('the view of a node', () => {
  it('has the title, the typed ports and the fields that have values', () => {
    const view = viewNode(node({ prompt: 'Hello {name}' }), registry);
    expect(view).toMatchObject({ title: 'Ask a model', isKnown: true, category: 'models' });
    expect(view.inputs.map(({ name, types, required }) => [name, types[0], required])).toEqual([
      ['prompt', 'Message', false],
      ['name', 'Message', false],
    ]);
    // Without a value it needs an edge.
    for (const given of [node({}), node({ prompt: '' }), node({ prompt: null })])
      expect(viewNode(given, registry).inputs.map(({ required }) => required)).toEqual([true]);
    expect(view.outputs.map(({ name }) => name)).toEqual(['text']);
    expect(shown(node({ prompt: 'Hello {name}' }), registry)).toEqual(['prompt: Hello {name}', 'mode: a']);
    expect(viewNode(node({}, { name: 'Mine' }), registry).title).toBe('Mine');
  });

  it('never shows a secret, and leaves out a field that an edge fills in', () => {
    const values = { prompt: 'x', key: 'sk-12345' };
    expect(shown(node(values), registry)).toContain('key: Set');
    expect(JSON.stringify(viewNode(node(values), registry))).not.toContain('12345');
    const wired = { inputs: new Set(['prompt']), outputs: new Set<string>() };
    expect(shown(node(values), registry, wired)).not.toContain('prompt: x');
  });

  it('shows an advanced field only if it is set, and a dependent field only while it counts', () => {
    expect(shown(node({ depth: 5 }), registry)).toContain('depth: 5');
    expect(shown(node({}), registry)).not.toContain('depth: 3');
    expect(shown(node({ mode: 'b' }), registry)).toContain('only_b: x');
  });

  it('draws the port of a setting only while an edge ends there', () => {
    const inputsOf = (...wires: string[]) =>
      viewNode(node({}), registry, { inputs: new Set(wires), outputs: new Set() }).inputs.map(({ name }) => name);
    expect(inputsOf()).toEqual(['prompt']);
    expect(inputsOf('prompt', 'tone')).toEqual(['prompt', 'tone']);
  });

  it('keeps an unknown component with the ports that edges name', () => {
    const wired = { inputs: new Set(['in']), outputs: new Set(['case_1_result']) };
    const view = viewNode(node({ secret: 'sk-12345' }, { type: 'Gone' }), registry, wired);
    expect(view).toMatchObject({ title: 'Gone', isKnown: false, fields: [] });
    expect(view.inputs).toEqual([{ name: 'in', label: 'In', types: ['Any'], required: false, isInferred: true }]);
    expect(view.outputs.map(({ label }) => label)).toEqual(['Case 1 result']);
  });
});

it.each([
  ['text', ' a\n b ', 'a b'],
  ['text', 'x'.repeat(100), `${'x'.repeat(79)}…`],
  ['switch', true, 'On'],
  ['table', [{ a: 1 }, { a: 2 }], '2 rows'],
  ['multiselect', ['a', 'b'], 'a, b'],
  ['key-value', { a: 1 }, '1 entry'],
  ['model', { provider: 'croft', name: 'offline' }, 'croft/offline'],
  ['json', null, ''],
] as const)('shows a value of the kind %s in a few words', (kind, value, text) => {
  expect(fieldText({ kind }, value)).toBe(text);
});

it('describes a node completely', () => {
  const output = { label: 'Text', name: 'text', required: false, types: ['Message'] };
  expect(viewNode(node({ prompt: 'Hi', key: 'k', depth: 2, mode: 'b' }), registry)).toEqual({
    category: 'models',
    fields: [
      {
        label: 'Prompt',
        name: 'prompt',
        value: 'Hi',
      },
      {
        label: 'Key',
        name: 'key',
        value: 'Set',
      },
      {
        label: 'Mode',
        name: 'mode',
        value: 'b',
      },
    ],
    id: 'Ask-1',
    inputs: [
      {
        label: 'Prompt',
        name: 'prompt',
        required: false,
        types: ['Message'],
      },
    ],
    isKnown: true,
    kind: 'Ask a model',
    outputs: [output],
    title: 'Ask a model',
  });
  const [first, second] = [new Set(['prompt', 'a__b']), new Set(['text', 'x'])];
  expect(viewNode(node({}), registry, { inputs: first, outputs: second })).toEqual({
    category: 'models',
    fields: [
      {
        label: 'Mode',
        name: 'mode',
        value: 'a',
      },
    ],
    id: 'Ask-1',
    inputs: [
      {
        label: 'Prompt',
        name: 'prompt',
        required: true,
        types: ['Message'],
      },
      {
        isInferred: true,
        label: 'A  b',
        name: 'a__b',
        required: false,
        types: ['Any'],
      },
    ],
    isKnown: true,
    kind: 'Ask a model',
    outputs: [
      output,
      {
        isInferred: true,
        label: 'X',
        name: 'x',
        required: false,
        types: ['Any'],
      },
    ],
    title: 'Ask a model',
  });
  expect(viewNode(node({}, { type: 'Gone' }), registry)).toEqual({
    category: 'unknown component',
    fields: [],
    id: 'Ask-1',
    inputs: [],
    isKnown: false,
    kind: 'Gone',
    outputs: [],
    title: 'Gone',
  });
});

it.each([
  ['text', '', ''],
  ['text', 'x'.repeat(80), 'x'.repeat(80)],
  ['text', 'x'.repeat(81), `${'x'.repeat(79)}…`],
  ['switch', false, 'Off'],
  ['integer', 0, '0'],
  ['secret', 'x', 'Set'],
  ['table', [{ a: 1 }], '1 row'],
  ['json', ['a', 1], '2 rows'],
  ['json', [], ''],
  ['json', {}, ''],
  ['json', { a: 1, b: 2 }, '2 entries'],
  ['model', { provider: 'croft', name: 7 }, '2 entries'],
] as const)('shows the value of %s %j as %j', (kind, value, text) => {
  expect(fieldText({ kind }, value)).toBe(text);
});

it('names the ports that are drawn only with an edge', () => {
  expect([...foldedPorts(descriptor.fields)]).toEqual(['tone']);
});
