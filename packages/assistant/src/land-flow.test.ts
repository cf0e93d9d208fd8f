import {
  applyEdit,
  contentOf,
  createRegistry,
  emptyFlow,
  type FlowContent,
  type FlowDocument,
  type FlowNode,
} from '@croft/flow';
import { describe, expect, it } from 'vitest';
import { landEdit, whyNoAdd } from './land-flow.ts';

const node = (id: string, type = 'Step'): FlowNode => ({ id, type, position: { x: 0, y: 0 }, values: {} });
const flow = (name: string, nodes: readonly FlowNode[], description = ''): FlowDocument => ({
  ...emptyFlow(name),
  description,
  nodes,
});
const entry = (type: string, boundary?: string) => ({
  descriptor: { type, fields: [], outputs: [], ...(boundary && { boundary }) },
});
const registry = createRegistry([entry('ChatInput', 'input'), entry('Step')] as never);

const landed = (canvas: FlowDocument, built: FlowContent, mode: 'add' | 'replace') =>
  applyEdit(canvas, landEdit(canvas, built, mode)).flow;
const ids = (of: FlowDocument) => of.nodes.map(({ id }) => id);

describe('a built flow', () => {
  it('that is added changes nothing on the canvas, and keeps its ids where they are free', () => {
    const canvas = flow('Mine', [node('a')]);
    const result = landed(canvas, flow('Built', [node('b')]), 'add');
    expect([result.name, ids(result), result.nodes[0]]).toEqual(['Mine', ['a', 'b'], canvas.nodes[0]]);
    const clash = ids(landed(canvas, flow('Built', [node('a')]), 'add'));
    expect([clash[0], new Set(clash).size]).toEqual(['a', 2]);
    const note = { id: 'n', position: { x: 0, y: 0 }, text: 'x' };
    const group = { id: 'g', title: 'G', nodes: [] };
    const withMore = { ...canvas, notes: [note], groups: [group] } as unknown as FlowDocument;
    for (const id of ['n', 'g']) expect(ids(landed(withMore, flow('Built', [node(id)]), 'add'))[1]).not.toBe(id);
    const built = {
      ...flow('Built', [node('b'), node('c')]),
      notes: [{ ...note, id: 'm' }],
      groups: [{ ...group, id: 'h' }],
    };
    const added = landed(canvas, built as unknown as FlowDocument, 'add');
    expect([ids(added), added.notes.map(({ id }) => id), added.groups.map(({ id }) => id)]).toEqual([
      ['a', 'b', 'c'],
      ['m'],
      ['h'],
    ]);
    for (const [part, id] of [
      ['notes', 'a'],
      ['groups', 'a'],
    ] as const) {
      const clashing = { ...flow('Built', [node('b')]), [part]: [{ ...note, ...group, id }] };
      expect(ids(landed(canvas, clashing as unknown as FlowDocument, 'add'))[1]).not.toBe('b');
    }
  });

  it('replaces the canvas where that is asked or nothing is on it, under the name that the user gave', () => {
    const built = flow('Built', [node('b')], 'What it does');
    expect(landEdit(flow('Mine', [node('a')], 'Own'), built, 'replace')).toEqual({
      kind: 'set_flow',
      flow: { ...contentOf(built), name: 'Mine', description: 'Own' },
    });
    expect(landEdit(flow('Mine', [], 'Own'), built, 'add').kind).toBe('set_flow');
    for (const name of ['', ' ', 'Untitled Flow', 'untitled 2'])
      expect(landed(flow(name, []), built, 'add'), name).toMatchObject({ name: 'Built', description: 'What it does' });
    expect(landed(flow('Untitledness', []), built, 'add').name).toBe('Untitledness');
  });

  it('cannot be added where both have an input', () => {
    const [withInput, without] = [flow('x', [node('a', 'ChatInput')]), flow('y', [node('b')])];
    expect(whyNoAdd(withInput, withInput, registry)).toBe(
      'The canvas and the built flow both have an input. A flow has one place where a message comes in.',
    );
    expect(whyNoAdd(withInput, without, registry)).toBeUndefined();
    expect(whyNoAdd(without, withInput, registry)).toBeUndefined();
  });
});
