import { describe, expect, it } from 'vitest';
import { applyEdit } from './apply-edit.ts';
import { describeFlowIo } from './describe-io.ts';
import { layoutFlow } from './layout.ts';
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

describe('layoutFlow', () => {
  it('places a node right of the last one that leads to it, and centres columns', () => {
    const flow = flowOf({ a: 'T', b: 'T', c: 'T', d: 'T' }, ['a.o -> b.i', 'b.o -> d.i', 'a.o -> d.j', 'a.o -> c.i']);
    expect(layoutFlow(flow)).toEqual({
      a: { x: 0, y: 0 },
      b: { x: 600, y: -175 },
      c: { x: 600, y: 175 },
      d: { x: 1200, y: 0 },
    });
  });

  it('places nodes of a cycle after the others', () => {
    const flow = flowOf({ a: 'T', b: 'T', c: 'T' }, ['b.o -> c.i', 'c.o -> b.i']);
    expect(layoutFlow(flow)).toMatchObject({ a: { x: 0 }, b: { x: 600 }, c: { x: 600 } });
  });
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
