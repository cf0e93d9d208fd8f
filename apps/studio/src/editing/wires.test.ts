import {
  applyEdits,
  createRegistry,
  type Descriptor,
  emptyFlow,
  type Field,
  type FlowDocument,
  validateFlow,
} from '@croft/flow';
import { describe, expect, it } from 'vitest';
import { additionOf, fitsAddition } from './add-component.ts';
import { choicesOf } from './connect-dialog.tsx';
import { refusalOf } from './explain-wire.ts';
import { fitsIn, portUnder } from './fitting-ports.ts';

const take = (name: string, ...accepts: NonNullable<Field['accepts']>): Field => ({
  name,
  label: name,
  kind: 'handle',
  accepts,
});
const make = (
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
const registry = createRegistry([
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
const at = (id: string, type: string, x = 0) => ({ id, type, position: { x, y: 0 }, values: {} });
const flow: FlowDocument = {
  ...emptyFlow('f'),
  nodes: [at('r', 'Rows'), at('w', 'Words', 600), at('a', 'Agent', 1200), at('g', 'Gone')],
};
const wire = (from: string, port: string, to: string, input: string) => ({
  from: { node: from, port },
  to: { node: to, port: input },
});
const after = (edits: Parameters<typeof applyEdits>[1], base = flow) => applyEdits(base, edits).flow;

describe('a wire', () => {
  it('fits the ports of other components that take its type, in both directions', () => {
    const fits = (node: string, port: string, side: 'input' | 'output') =>
      [...fitsIn(flow, registry, { node, port, side })].map(([id, names]) => [id, ...names]);
    expect(fits('w', 'out', 'output')).toEqual([['a', 'prompt']]);
    expect(fits('a', 'prompt', 'input')).toEqual([['w', 'out']]);
    expect(fits('a', 'tools', 'input')).toEqual([['w', 'component_as_tool']]);
    expect(fits('r', 'out', 'output')).toEqual([]);
    expect(fits('g', 'out', 'output')).toEqual([]);
  });

  it('that is dropped on a card takes a port that the card draws', () => {
    const hidden: Field = { ...take('tone', 'Message'), kind: 'text', portWhenConnected: true };
    const known = createRegistry([make('Words', [], ['Message']), make('Say', [take('in', 'Message'), hidden], [])]);
    const taken: FlowDocument = {
      ...flow,
      nodes: [at('w', 'Words'), at('s', 'Say')],
      edges: [wire('w', 'out', 's', 'in')],
    };
    expect(portUnder(taken, known, { node: 'w', port: 'out', side: 'output' }, 's')).toBe('in');
  });

  it('that does not fit says why, and the converter it offers makes a flow without errors', () => {
    const refusal = refusalOf(flow, registry, wire('r', 'out', 'a', 'prompt'));
    expect(refusal?.sentence).toBe('“Out” of Rows gives tables. “prompt” of Agent takes messages.');
    expect(refusal?.offer?.label).toBe('Put a Parser between them');
    const next = after(refusal?.offer?.edits ?? []);
    expect(next.nodes.at(-1)).toMatchObject({ type: 'ParserComponent', position: { x: 600, y: 0 } });
    expect(next.edges.map(({ from, to }) => [from.port, to.port])).toEqual([
      ['out', 'input_data'],
      ['parsed_text', 'prompt'],
    ]);
    const errors = validateFlow({ ...next, nodes: next.nodes.filter(({ id }) => id !== 'g') }, registry);
    expect(errors.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  it('to an input for tools offers the component as a tool', () => {
    const refusal = refusalOf(flow, registry, wire('w', 'out', 'a', 'tools'));
    expect(refusal?.offer?.label).toBe('Use Words as a tool');
    const next = after(refusal?.offer?.edits ?? []);
    expect(next.nodes[1]?.toolMode).toBe(true);
    expect(next.edges).toEqual([wire('w', 'component_as_tool', 'a', 'tools')]);
  });

  it('is explained where no port can help: the component itself, an unknown one, a removed one', () => {
    expect(refusalOf(flow, registry, wire('w', 'out', 'w', 'in'))?.sentence).toContain('cannot feed itself');
    expect(
      refusalOf(after([{ kind: 'add_component', node: at('c', 'Cycle') }]), registry, wire('c', 'out', 'c', 'in')),
    ).toBeUndefined();
    expect(refusalOf(flow, registry, wire('w', 'out', 'g', 'in'))?.sentence).toContain('has no component “Gone”');
    expect(refusalOf(flow, registry, wire('w', 'out', 'zz', 'in'))?.sentence).toContain('was removed');
    expect(refusalOf(flow, registry, wire('w', 'out', 'a', 'prompt'))).toBeUndefined();
  });
});

describe('a new component', () => {
  it('comes between two others, in place of their connection', () => {
    const old = wire('w', 'out', 'a', 'prompt');
    const wired = after([{ kind: 'connect', edge: old }]);
    const fits = fitsAddition(wired, registry, { from: old.from, to: old.to });
    expect(registry.entries.map(({ descriptor }) => descriptor.type).filter(fits)).toEqual(['Words', 'Agent', 'Cycle']);
    const added = additionOf(wired, registry, {
      type: 'Words',
      position: { x: 1, y: 2 },
      from: old.from,
      to: old.to,
      instead: old,
    });
    const next = after(added?.edits ?? [], wired);
    expect(next.edges).toEqual([wire('w', 'out', added?.id ?? '', 'in'), wire(added?.id ?? '', 'out', 'a', 'prompt')]);
  });

  it('is not added where none of its ports fits', () => {
    const from = { node: 'r', port: 'out' };
    expect(additionOf(flow, registry, { type: 'Words', position: { x: 0, y: 0 }, from })).toBeUndefined();
    expect(fitsAddition(flow, registry, { from })('ParserComponent')).toBe(true);
    expect(additionOf(flow, registry, { type: 'Nothing', position: { x: 0, y: 0 } })).toBeUndefined();
  });
});

it('lists the connections that a component can have and those that it has, for the keyboard', () => {
  const wired = after([{ kind: 'connect', edge: wire('w', 'out', 'a', 'prompt') }]);
  expect(choicesOf(wired, registry, 'a').map(({ item }) => [item.group, item.title])).toEqual([
    ['From “Out” to', '“in” of Words'],
    ['To “tools” from', '“component_as_tool” of Words'],
    ['Connections now', 'Disconnect “Out” of Words from “prompt” of Agent'],
  ]);
});

it('lists ports that are rarely used behind the others of a component', () => {
  const waiting = { ...take('wait', 'Any'), gate: true };
  const late = createRegistry([...registry.entries, make('Late', [waiting, take('value', 'Message')], [])]);
  const pair = { ...emptyFlow('f'), nodes: [at('w', 'Words'), at('l', 'Late', 600)] };
  const titles = choicesOf(pair, late, 'w').map(({ item }) => item.title);
  expect(titles).toEqual(['“value” of Late', '“wait” of Late']);
});
