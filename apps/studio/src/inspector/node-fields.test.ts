import { createRegistry, type Descriptor, emptyFlow, type FlowDocument, type FlowNode } from '@croft/flow';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeText, isEscaped, isProminent, nodeFields, unescapeText, valueEdit } from './node-fields.ts';

const descriptor: Descriptor = {
  type: 'Test',
  label: 'Test',
  description: '',
  category: 'test',
  effects: ['none'],
  fields: [
    { name: 'in', label: 'In', kind: 'handle', accepts: ['Message'] },
    { name: 'mode', label: 'Mode', kind: 'select', options: ['a', 'b'], default: 'a', required: true },
    { name: 'only_b', label: 'Only b', kind: 'text', showWhen: { field: 'mode', is: ['b'] } },
    {
      name: 'text',
      label: 'Text',
      kind: 'multiline',
      accepts: ['Message'],
      requiredWhen: { field: 'mode', is: ['b'] },
    },
    { name: 'rare', label: 'Rare', kind: 'integer', advanced: true, default: 3 },
  ],
  outputs: [{ name: 'out', label: 'Out', types: ['Message'] }],
};
const entry = createRegistry([{ descriptor }]).entries[0] as { descriptor: Descriptor };
const node = (values: FlowNode['values'] = {}): FlowNode => ({
  id: 'T',
  type: 'Test',
  position: { x: 0, y: 0 },
  values,
});
const flowOf = (one: FlowNode, edges: FlowDocument['edges'] = []): FlowDocument => ({
  ...emptyFlow(),
  nodes: [one, { ...node(), id: 'S' }],
  edges,
});
const field = (name: string) => descriptor.fields.find((each) => each.name === name) as Descriptor['fields'][number];

describe('the fields of a node', () => {
  it('are those that its values show, without pure ports', () => {
    const names = (values: FlowNode['values']) =>
      nodeFields(flowOf(node(values)), node(values), entry).map((each) => each.field.name);
    expect(names({})).toEqual(['mode', 'text', 'rare']);
    expect(names({ mode: 'b' })).toEqual(['mode', 'only_b', 'text', 'rare']);
  });

  it('have the own value or the default, and what is connected to them and to their variables', () => {
    const one = node({ text: 'Hi {name}', rare: 5 });
    const edges = [
      { from: { node: 'S', port: 'out' }, to: { node: 'T', port: 'name' } },
      { from: { node: 'S', port: 'out' }, to: { node: 'T', port: 'mode' } },
    ];
    const [mode, text, rare] = nodeFields(flowOf(one, edges), one, entry);
    expect(mode).toMatchObject({ value: 'a', isOwn: false, sources: [{ node: 'S', port: 'out' }] });
    expect(text?.variables).toEqual([{ name: 'name', sources: [{ node: 'S', port: 'out' }] }]);
    expect(rare).toMatchObject({ value: 5, isOwn: true });
  });

  it('are required as their own rule or the other values say', () => {
    const required = (values: FlowNode['values']) =>
      nodeFields(flowOf(node(values)), node(values), entry)
        .filter(({ isRequired }) => isRequired)
        .map((each) => each.field.name);
    expect(required({})).toEqual(['mode']);
    expect(required({ mode: 'b' })).toEqual(['mode', 'text']);
  });

  it('are in the first group unless they are advanced and untouched', () => {
    const [, , rare] = nodeFields(flowOf(node()), node(), entry);
    expect([isProminent(rare!, false), isProminent(rare!, true)]).toEqual([false, true]);
    const own = node({ rare: 1 });
    expect(isProminent(nodeFields(flowOf(own), own, entry)[2]!, false)).toBe(true);
  });
});

describe('the edit of a value', () => {
  it('sets a value, and nothing where it is the same or the default', () => {
    expect(valueEdit(node(), field('mode'), 'b')).toEqual({ kind: 'configure', id: 'T', values: { mode: 'b' } });
    expect(valueEdit(node(), field('mode'), 'a')).toBeUndefined();
    expect(valueEdit(node({ rare: 5 }), field('rare'), 5)).toBeUndefined();
    expect(valueEdit(node({ rare: 5 }), field('rare'), 3)).toMatchObject({ values: { rare: 3 } });
  });

  it('removes an emptied value if the field has no default', () => {
    expect(valueEdit(node({ text: 'x' }), field('text'), '')).toEqual({
      kind: 'configure',
      id: 'T',
      values: {},
      unset: ['text'],
    });
    expect(valueEdit(node(), field('text'), '')).toBeUndefined();
    expect(valueEdit(node(), field('mode'), '')).toMatchObject({ values: { mode: '' } });
  });
});

it('writes separators on one line and reads them back', () => {
  expect(escapeText('\n\t')).toBe('\\n\\t');
  fc.assert(fc.property(fc.string(), (text) => unescapeText(escapeText(text)) === text));
});

it('escapes fields of a line whose default has a line break or a tab', () => {
  const field = (kind: string, value?: unknown) => ({ name: 'f', label: 'F', kind, default: value }) as never;
  expect([field('text', '\n'), field('text', 'a\tb')].map(isEscaped)).toEqual([true, true]);
  const others = [field('multiline', '\n'), field('text', 'n'), field('text'), field('text', ['\n'])];
  expect(others.map(isEscaped)).toEqual([false, false, false, false]);
});
