import { applyEdits, createRegistry, type Descriptor, emptyFlow, type Field, type FlowDocument } from '@croft/flow';

/** A flow with ports of several types, for tests. */

export const take = (name: string, ...accepts: NonNullable<Field['accepts']>): Field => ({
  name,
  label: name,
  kind: 'handle',
  accepts,
});
export const make = (
  type: string,
  fields: Descriptor['fields'],
  gives: Descriptor['outputs'][number]['types'],
  more: Partial<Descriptor> = {},
) => ({
  descriptor: {
    type,
    label: type,
    description: '',
    category: 'x',
    effects: ['none'],
    fields,
    outputs: gives.length === 0 ? [] : [{ name: 'out', label: 'Out', types: gives }],
    ...more,
  } as Descriptor,
});
export const registry = createRegistry([
  make('Rows', [], ['Table']),
  make('Words', [take('in', 'Message')], ['Message'], { tool: true }),
  make('Agent', [take('prompt', 'Message'), { ...take('tools', 'Tool'), list: true }], ['Message']),
  make('Cycle', [take('in', 'Any')], ['Message'], { control: 'router' }),
  {
    descriptor: {
      ...make('ParserComponent', [take('input_data', 'Table', 'Data')], []).descriptor,
      label: 'Parser',
      outputs: [{ name: 'parsed_text', label: 'Text', types: ['Message'] }],
    },
  },
]);
export const at = (id: string, type: string, x = 0) => ({ id, type, position: { x, y: 0 }, values: {} });
export const flow: FlowDocument = {
  ...emptyFlow('f'),
  nodes: [at('r', 'Rows'), at('w', 'Words', 600), at('a', 'Agent', 1200), at('g', 'Gone')],
};
export const wire = (from: string, port: string, to: string, input: string) => ({
  from: { node: from, port },
  to: { node: to, port: input },
});
export const after = (edits: Parameters<typeof applyEdits>[1], base = flow) => applyEdits(base, edits).flow;
