import { createRegistry, type Descriptor, type Field, type PortType } from '@croft/flow';
import { describe, expect, it } from 'vitest';
import { chainOf, inputOf } from './chain.ts';

const takes = (name: string, accepts: readonly PortType[], more: Partial<Field> = {}): Field => ({
  name,
  label: name,
  kind: 'handle',
  accepts,
  ...more,
});
const component = (
  type: string,
  fields: readonly Field[],
  ...outputs: (readonly [string, PortType])[]
): Descriptor => ({
  type,
  label: type,
  description: '',
  category: 'logic',
  effects: [],
  fields,
  outputs: outputs.map(([name, each]) => ({ name, label: name, types: [each] })),
});
const SOURCE = component('Source', [], ['rows', 'Table'], ['text', 'Message']);
const TEXT = component('Text', [takes('in', ['Message'])], ['out', 'Message']);
const ROWS = component('Rows', [takes('df', ['Table'])], ['out', 'Table']);
const CONVERTER = component('TypeConverterComponent', [takes('input_data', ['Message'])], ['out', 'Table']);
const withConverter = createRegistry([{ descriptor: CONVERTER }]);
const without = createRegistry<{ descriptor: Descriptor }>([]);
const link = (descriptor: Descriptor, config = {}) => ({ descriptor, config });

describe('a chain', () => {
  it('connects each component by the first output that fits, and keeps the values', () => {
    expect(chainOf([link(SOURCE, { path: 'a.csv' }), link(TEXT), link(TEXT, { n: 1 })], without)).toEqual({
      nodes: [
        { id: 'N1', type: 'Source' },
        { id: 'N2', type: 'Text' },
        { id: 'N3', type: 'Text' },
      ],
      edges: [
        { from: { node: 'N1', port: 'text' }, to: { node: 'N2', port: 'in' } },
        { from: { node: 'N2', port: 'out' }, to: { node: 'N3', port: 'in' } },
      ],
      config: [
        { node: 'N1', field: 'path', value: 'a.csv' },
        { node: 'N3', field: 'n', value: 1 },
      ],
    });
    expect(chainOf([link(SOURCE), link(ROWS)], without)?.edges[0]?.from.port).toBe('rows');
    expect(chainOf([], without)).toEqual({ nodes: [], edges: [], config: [] });
  });

  it('has a converter where no output fits, if there is one', () => {
    const chain = chainOf([link(TEXT), link(ROWS)], withConverter);
    expect(chain?.nodes.map(({ id, type }) => `${id} ${type}`)).toEqual([
      'N1 Text',
      'N2 Rows',
      'C3 TypeConverterComponent',
    ]);
    expect(chain?.edges.map(({ from, to }) => `${from.node}.${from.port} -> ${to.node}`)).toEqual([
      'N1.out -> C3',
      expect.stringMatching(/^C3\.\w+ -> N2$/),
    ]);
    expect(chainOf([link(TEXT), link(ROWS)], without)).toBeUndefined();
  });

  it('ends at nothing, and begins at nothing, without a port', () => {
    const [noOutput, noInput] = [
      component('End', [takes('in', ['Message'])]),
      component('Start', [], ['out', 'Message']),
    ];
    expect(chainOf([link(noOutput), link(TEXT)], withConverter)).toBeUndefined();
    expect(chainOf([link(TEXT), link(noInput)], withConverter)).toBeUndefined();
    expect(chainOf([link(TEXT), link(noOutput)], without)?.edges).toHaveLength(1);
  });
});

describe('the input of a component', () => {
  const name = (...fields: Field[]) => inputOf(component('X', fields))?.name;

  it('is the required one, else the first', () => {
    expect(name(takes('a', ['Message']), takes('b', ['Message'], { required: true }))).toBe('b');
    expect(name(takes('a', ['Message']), takes('b', ['Message']))).toBe('a');
  });

  it('does not open a gate, and takes something', () => {
    expect(name(takes('gate', ['Message'], { gate: true, required: true }), takes('b', ['Message']))).toBe('b');
    expect(name(takes('a', []), { name: 'c', label: 'c', kind: 'text' })).toBeUndefined();
  });
});
