import { describe, expect, it } from 'vitest';
import { applyEdit } from './apply-edit.ts';
import { describeFlowIo } from './describe-io.ts';
import { mergeEdit } from './merge.ts';
import { createRegistry } from './registry.ts';
import { flowOf } from './testing.ts';

describe('mergeEdit', () => {
  const base = flowOf({ 'A-11111': { position: { x: 100, y: 5 } }, 'B-22222': 'T' }, ['A-11111.o -> B-22222.i']);
  const added = {
    ...flowOf(
      {
        'A-11111': { values: { ref: 'B-22222', deep: [{ id: 'A-11111' }] }, pinned: { o: 'B-22222' } },
        'B-22222': 'T',
      },
      ['A-11111.o -> B-22222.i'],
    ),
    groups: [{ id: 'g', name: 'G', nodes: ['A-11111'] }],
  };

  it('leaves the nodes of the first flow as the very same objects', () => {
    const { flow } = applyEdit(base, mergeEdit(base, added).edit);
    expect(flow.nodes[0]).toBe(base.nodes[0]);
    expect(flow.nodes[1]).toBe(base.nodes[1]);
    expect(flow.nodes).toHaveLength(4);
  });

  it('renames the ids of the second flow wherever they are named', () => {
    const { edit, ids } = mergeEdit(base, added);
    const { flow } = applyEdit(base, edit);
    const a = ids.get('A-11111') as string;
    const b = ids.get('B-22222') as string;
    expect(a).toMatch(/^A-[a-z0-9]{5}$/);
    expect(flow.edges.at(-1)).toEqual({ from: { node: a, port: 'o' }, to: { node: b, port: 'i' } });
    expect(flow.nodes.find(({ id }) => id === a)?.values).toEqual({ deep: [{ id: a }], ref: b });
    expect(flow.nodes.find(({ id }) => id === a)?.pinned).toEqual({ o: b });
    expect(flow.groups.at(-1)?.nodes).toEqual([a]);
  });

  it('places the second flow 80 units right of the cards of the first', () => {
    const { flow } = applyEdit(base, mergeEdit(base, added).edit);
    expect(Math.min(...flow.nodes.slice(2).map(({ position }) => position.x))).toBe(100 + 460 + 80);
  });

  it('keeps positions on an empty canvas', () => {
    const empty = flowOf({});
    expect(applyEdit(empty, mergeEdit(empty, base).edit).flow.nodes[0]?.position).toEqual({ x: 100, y: 5 });
  });
});

it('gives all edits of the second flow with new ids and places', () => {
  const base = {
    ...flowOf({ a: { position: { x: 10, y: 0 } }, b: { position: { x: 50, y: 9 } } }),
    notes: [{ id: 'T-2', position: { x: 0, y: 0 }, size: { width: 1, height: 1 }, text: '' }],
    groups: [{ id: 'T-4', name: 'G', nodes: [] }],
  };
  const note = { id: 'n', position: { x: 1, y: 2 }, size: { width: 1, height: 1 }, text: 'N' };
  const added = {
    ...flowOf(
      {
        'T-x-1': { type: 'T', position: { x: 100, y: 5 }, values: { n: 1, o: null } },
        p: { position: { x: 30, y: 0 } },
      },
      ['T-x-1.o -> p.i'],
    ),
    notes: [note],
    groups: [{ id: 'g', name: 'G', nodes: ['p', 'elsewhere'] }],
  };
  const ids = ['a', 'T-2', 'T-4', 'new-1', 'new-1', 'new-2', 'new-3', 'new-4'];
  const types: string[] = [];
  const newId = (type: string) => (types.push(type), ids.shift() as string);
  const [one, two] = added.nodes;
  const right = 50 + 460 - 30 + 80;
  expect(mergeEdit(base, added, newId)).toEqual({
    edit: {
      kind: 'batch',
      edits: [
        { kind: 'add_component', node: { ...one, id: 'new-1', position: { x: 100 + right, y: 5 } } },
        { kind: 'add_component', node: { ...two, id: 'new-2', position: { x: 30 + right, y: 0 } } },
        { kind: 'connect', edge: { from: { node: 'new-1', port: 'o' }, to: { node: 'new-2', port: 'i' } } },
        { kind: 'set_note', note: { ...note, id: 'new-3', position: { x: 1 + right, y: 2 } } },
        { kind: 'set_group', group: { id: 'new-4', name: 'G', nodes: ['new-2', 'elsewhere'] } },
      ],
    },
    ids: new Map([
      ['T-x-1', 'new-1'],
      ['p', 'new-2'],
      ['n', 'new-3'],
      ['g', 'new-4'],
    ]),
  });
  expect([...new Set(types)]).toEqual(['T', 'p', 'n', 'g']);
  const notes = { ...flowOf({}), notes: [note] };
  const moved = (by?: { x: number; y: number }) => mergeEdit(base, notes, () => 'm', by).edit;
  expect([moved(), moved({ x: 3, y: 4 })]).toEqual(
    [
      { x: 1, y: 2 },
      { x: 4, y: 6 },
    ].map((position) => ({ kind: 'batch', edits: [{ kind: 'set_note', note: { ...note, id: 'm', position } }] })),
  );
});

describe('describeFlowIo', () => {
  it('reads inputs, outputs and tools from the wiring', () => {
    const registry = createRegistry([
      {
        descriptor: {
          type: 'T',
          label: 'T',
          description: '',
          category: '',
          fields: [{ name: 'text', label: 'T', kind: 'text' }],
          outputs: [],
          effects: [],
        },
      },
    ]);
    const flow = flowOf({ in: 'T', agent: 'T', calc: 'T', out: 'T' }, [
      'in.o -> agent.input',
      'calc.component_as_tool -> agent.tools',
      'agent.r -> out.text',
    ]);
    const { inputs, outputs, tools } = describeFlowIo(flow, registry);
    expect([inputs, outputs, tools]).toEqual([
      [{ id: 'in', type: 'T', value_field: 'text' }],
      [{ id: 'out', type: 'T' }],
      [{ id: 'calc', type: 'T' }],
    ]);
  });
});
