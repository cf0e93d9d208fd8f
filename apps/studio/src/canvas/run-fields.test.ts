import { createRegistry, type Descriptor, emptyFlow, type FlowDocument, type FlowNode } from '@croft/flow';
import { describe, expect, it } from 'vitest';
import { problemsByNode } from './findings.ts';
import { asksPerson, fieldKey, runFields, runInputs } from './run-fields.ts';
import { nodeOf } from './testing-nodes.ts';

const base = { description: '', category: 'x', effects: ['none'] as const, outputs: [] };
const input: Descriptor = {
  ...base,
  type: 'Input',
  label: 'Input',
  boundary: 'input',
  fields: [
    { name: 'sender', label: 'Sender', kind: 'text', default: 'User' },
    { name: 'input_value', label: 'Message', kind: 'multiline', default: '' },
  ],
};
const read: Descriptor = {
  ...base,
  type: 'Read',
  label: 'Read',
  fields: [
    { name: 'source', label: 'Source', kind: 'select', options: ['File', 'Text'], default: 'File' },
    { name: 'path', label: 'Path', kind: 'file', required: true },
    { name: 'text', label: 'Text', kind: 'multiline', required: true, showWhen: { field: 'source', is: ['Text'] } },
  ],
};
const registry = createRegistry([{ descriptor: input }, { descriptor: read }]);
const flowOf = (...nodes: FlowNode[]): FlowDocument => ({ ...emptyFlow('f'), nodes });
const names = (flow: FlowDocument) => runFields(flow, registry).map((each) => `${each.node}.${each.field.name}`);

describe('the run form', () => {
  it('asks for the value of each input, with the value of the flow', () => {
    expect(runFields(flowOf(nodeOf('i', 'Input', { input_value: 'hi' })), registry)).toMatchObject([
      { node: 'i', field: { name: 'input_value' }, value: 'hi' },
    ]);
  });

  it('asks for a required value that a starting point lacks, unless the field does not count', () => {
    expect(names(flowOf(nodeOf('i', 'Input'), nodeOf('r', 'Read')))).toEqual(['i.input_value', 'r.path']);
    expect(names(flowOf(nodeOf('r', 'Read', { path: 'a.csv' })))).toEqual([]);
    expect(names(flowOf(nodeOf('r', 'Read', { path: 'a.csv', source: 'Text' })))).toEqual(['r.text']);
  });

  it('names the component of a field, unless an input is the only one', () => {
    const named = (...nodes: FlowNode[]) =>
      runFields(flowOf(...nodes), registry).map(({ group, field }) => [group, field.label]);
    expect(named(nodeOf('i', 'Input'))).toEqual([[undefined, 'Message']]);
    expect(named(nodeOf('r', 'Read'))).toEqual([['Read', 'Path']]);
    expect(named({ ...nodeOf('i', 'Input'), name: 'Topic' }, nodeOf('r', 'Read'))).toEqual([
      ['Topic', 'Message'],
      ['Read', 'Path'],
    ]);
  });

  it('sends only values that the person changed', () => {
    const fields = runFields(flowOf(nodeOf('i', 'Input', { input_value: 'hi' }), nodeOf('r', 'Read')), registry);
    expect(runInputs(fields, {})).toEqual({});
    const values = Object.fromEntries(fields.map((each) => [fieldKey(each), each.node === 'i' ? 'hi' : 'b.csv']));
    expect(runInputs(fields, values)).toEqual({ r: { path: 'b.csv' } });
  });
});

it('a run is prevented by errors, except for values that the form asks for', () => {
  const fields = runFields(flowOf(nodeOf('r', 'Read')), registry);
  const finding = { severity: 'error', code: 'missing_value', message: 'm', fix: 'f' } as const;
  const problems = problemsByNode(
    [
      { ...finding, node: 'r', field: 'path' },
      { ...finding, node: 'a', code: 'unknown_type' },
      { ...finding, node: 'a', code: 'second' },
      { ...finding, node: 'b', severity: 'warning' },
    ],
    fields,
  );
  expect([...problems].map(([id, { code }]) => [id, code])).toEqual([['a', 'unknown_type']]);
});

it('may wait for a person where one of its components does', () => {
  const waits: Descriptor = { ...base, type: 'Wait', label: 'Wait', effects: ['wait'], fields: [] };
  const all = createRegistry([input, waits].map((descriptor) => ({ descriptor })));
  const ask = (...types: string[]) => asksPerson(flowOf(...types.map((type, at) => nodeOf(`${at}`, type))), all);
  expect([ask('Input', 'Wait'), ask('Input', 'Unheard'), ask()]).toEqual([true, false, false]);
});
