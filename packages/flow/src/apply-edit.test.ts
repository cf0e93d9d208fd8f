import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { applyEdit, applyEdits } from './apply-edit.ts';
import { emptyFlow, type FlowDocument, type FlowNode } from './document.ts';
import { parseFlow, printFlow } from './parse-flow.ts';
import { editSchema, type Edit } from './edits.ts';

const node = (id: string, values: FlowNode['values'] = {}): FlowNode => ({
  id,
  type: 'Text',
  position: { x: 0, y: 0 },
  values,
});

const ids = ['a', 'b', 'c', 'd', 'e'];
const anyId = fc.constantFrom(...ids);
const anyPort = fc.record({ node: anyId, port: fc.constantFrom('in', 'out', 'text') });
const anyEdge = fc.record({ from: anyPort, to: anyPort });
const anyJson = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as never);
const anyPosition = fc.record({ x: fc.integer(), y: fc.integer() });

/** Every kind of edit, on a few ids, so that many of them hit something. */
const anyEdit: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({
    kind: fc.constant('add_component' as const),
    node: fc.record({
      id: anyId,
      type: fc.constant('T'),
      position: anyPosition,
      values: fc.dictionary(fc.constantFrom('x', 'y', 'z'), anyJson),
    }),
  }),
  fc.record({ kind: fc.constant('remove_component' as const), id: anyId }),
  fc.record({ kind: fc.constant('connect' as const), edge: anyEdge }),
  fc.record({ kind: fc.constant('disconnect' as const), edge: anyEdge }),
  fc.record({
    kind: fc.constant('configure' as const),
    id: anyId,
    values: fc.dictionary(fc.constantFrom('x', 'y', 'z'), anyJson),
    unset: fc.subarray(['x', 'w']),
  }),
  fc.record({ kind: fc.constant('select_output' as const), id: anyId, output: fc.option(fc.constantFrom('o', 'p')) }),
  fc.record({
    kind: fc.constant('set_connection_mode' as const),
    id: anyId,
    field: fc.constantFrom('m', 'k'),
    enabled: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('enable_tool_mode' as const), id: anyId, enabled: fc.boolean() }),
  fc.record({ kind: fc.constant('move' as const), positions: fc.dictionary(anyId, anyPosition) }),
  fc.record({ kind: fc.constant('rename' as const), id: anyId, name: fc.option(fc.string({ maxLength: 20 })) }),
  fc.record({ kind: fc.constant('set_code' as const), id: anyId, code: fc.option(fc.string()) }),
  fc.record({
    kind: fc.constant('pin_output' as const),
    id: anyId,
    output: fc.constantFrom('o', 'p'),
    value: fc.option(anyJson, { nil: undefined }),
  }),
  fc.record({
    kind: fc.constant('set_run_options' as const),
    id: anyId,
    run: fc.option(fc.record({ frozen: fc.boolean(), timeoutMs: fc.integer({ min: 1, max: 1000 }) })),
  }),
  fc.record({ kind: fc.constant('set_details' as const), name: fc.string({ maxLength: 20 }) }),
  fc.record({
    kind: fc.constant('set_note' as const),
    note: fc.record({
      id: fc.constantFrom('n1', 'n2'),
      position: anyPosition,
      size: fc.constant({ width: 1, height: 1 }),
      text: fc.string(),
    }),
  }),
  fc.record({ kind: fc.constant('remove_note' as const), id: fc.constantFrom('n1', 'n2') }),
  fc.record({
    kind: fc.constant('set_group' as const),
    group: fc.record({ id: fc.constantFrom('g1', 'g2'), name: fc.string({ maxLength: 5 }), nodes: fc.subarray(ids) }),
  }),
  fc.record({ kind: fc.constant('remove_group' as const), id: fc.constantFrom('g1', 'g2') }),
);

/** Applies what can be applied, and gives the flow with the inverses, newest first. */
function applyAll(start: FlowDocument, edits: readonly Edit[]): { flow: FlowDocument; inverses: Edit[]; done: Edit[] } {
  let flow = start;
  const inverses: Edit[] = [];
  const done: Edit[] = [];
  for (const edit of edits) {
    try {
      const applied = applyEdit(flow, edit);
      flow = applied.flow;
      inverses.unshift(applied.inverse);
      done.push(edit);
    } catch {
      // Edits that name what is not there are refused; the test below counts that enough of them took effect.
    }
  }
  return { flow, inverses, done };
}

describe('applyEdit', () => {
  const start = applyEdits(
    emptyFlow(),
    ids.slice(0, 3).map((id) => ({ kind: 'add_component', node: node(id, { x: 1 }) })),
  ).flow;

  it('takes any sequence of edits back to the same bytes, and forward again to the same bytes', () => {
    let applied = 0;
    fc.assert(
      fc.property(fc.array(anyEdit, { minLength: 1, maxLength: 80, size: 'max' }), (edits) => {
        const { flow, inverses, done } = applyAll(start, edits);
        applied += done.length;
        const undone = applyAll(flow, inverses);
        expect(undone.done).toHaveLength(inverses.length);
        expect(printFlow(undone.flow)).toBe(printFlow(start));
        expect(printFlow(applyAll(undone.flow, undone.inverses).flow)).toBe(printFlow(flow));
      }),
      { numRuns: 150, seed: 11 },
    );
    expect(applied).toBeGreaterThan(1_000);
  });

  it('gives documents that parse, and whose text survives parsing', () => {
    fc.assert(
      fc.property(fc.array(anyEdit, { maxLength: 40 }), (edits) => {
        const text = printFlow(applyAll(start, edits).flow);
        expect(printFlow(parseFlow(JSON.parse(text)))).toBe(text);
      }),
      { numRuns: 100, seed: 12 },
    );
  });

  it('leaves nodes that an edit does not name untouched, down to the object', () => {
    const { flow } = applyEdit(start, { kind: 'configure', id: 'a', values: { x: 2 } });
    expect(flow.nodes[1]).toBe(start.nodes[1]);
    expect(flow.nodes[2]).toBe(start.nodes[2]);
    expect(start.nodes[0]?.values).toEqual({ x: 1 });
  });

  it('moves components and notes, and keeps the others as the same objects', () => {
    const note = { id: 'n', position: { x: 1, y: 1 }, size: { width: 1, height: 1 }, text: '' };
    const flow = { ...start, notes: [note] };
    const { flow: moved, inverse } = applyEdit(flow, {
      kind: 'move',
      positions: { a: { x: 5, y: 6 }, n: { x: 7, y: 8 } },
    });
    expect([moved.nodes[0]?.position, moved.notes[0]?.position]).toEqual([
      { x: 5, y: 6 },
      { x: 7, y: 8 },
    ]);
    expect(moved.nodes[1]).toBe(flow.nodes[1]);
    expect(printFlow(applyEdit(moved, inverse).flow)).toBe(printFlow(flow));
  });

  it('removes the edges and memberships of a removed component, and brings them back in place', () => {
    const flow = applyEdits(start, [
      { kind: 'connect', edge: { from: { node: 'a', port: 'o' }, to: { node: 'b', port: 'i' } } },
      { kind: 'connect', edge: { from: { node: 'b', port: 'o' }, to: { node: 'c', port: 'i' } } },
      { kind: 'set_group', group: { id: 'g', name: 'G', nodes: ['a', 'b', 'c'] } },
    ]).flow;
    const removed = applyEdit(flow, { kind: 'remove_component', id: 'b' });
    expect(removed.flow.edges).toEqual([]);
    expect(removed.flow.groups[0]?.nodes).toEqual(['a', 'c']);
    expect(printFlow(applyEdit(removed.flow, removed.inverse).flow)).toBe(printFlow(flow));
  });

  const NOTE = { id: 'n', position: { x: 1, y: 1 }, size: { width: 1, height: 1 }, text: 'N' };
  const GROUP = { id: 'g', name: 'G', nodes: ['a'] };
  const full: FlowDocument = { ...start, name: 'Old', description: 'D', notes: [NOTE], groups: [GROUP] };
  const { version: _, ...content } = full;
  const view = { x: 1, y: 2, zoom: 3 };
  const withA = (more: object) => ({ nodes: [{ ...full.nodes[0], ...more }, ...full.nodes.slice(1)] });

  it.each<[Edit, object, Edit]>([
    [
      { kind: 'set_flow', flow: { ...content, name: 'New', nodes: [], groups: [] } },
      { name: 'New', nodes: [], groups: [] },
      { kind: 'set_flow', flow: content },
    ],
    [{ kind: 'set_details', name: 'New' }, { name: 'New' }, { kind: 'set_details', name: 'Old' }],
    [{ kind: 'set_details', description: '' }, { description: '' }, { kind: 'set_details', description: 'D' }],
    [{ kind: 'set_viewport', viewport: view }, { viewport: view }, { kind: 'set_viewport', viewport: full.viewport }],
    [
      { kind: 'set_note', note: { ...NOTE, text: 'M' } },
      { notes: [{ ...NOTE, text: 'M' }] },
      { kind: 'set_note', note: NOTE },
    ],
    [
      { kind: 'set_note', note: { ...NOTE, id: 'm' }, at: 0 },
      { notes: [{ ...NOTE, id: 'm' }, NOTE] },
      { kind: 'remove_note', id: 'm' },
    ],
    [{ kind: 'remove_note', id: 'n' }, { notes: [] }, { kind: 'set_note', note: NOTE, at: 0 }],
    [
      { kind: 'set_group', group: { ...GROUP, nodes: ['b'] } },
      { groups: [{ ...GROUP, nodes: ['b'] }] },
      { kind: 'set_group', group: GROUP },
    ],
    [
      { kind: 'set_group', group: { ...GROUP, id: 'h' } },
      { groups: [GROUP, { ...GROUP, id: 'h' }] },
      { kind: 'remove_group', id: 'h' },
    ],
    [{ kind: 'remove_group', id: 'g' }, { groups: [] }, { kind: 'set_group', group: GROUP, at: 0 }],
    [
      { kind: 'configure', id: 'a', values: { y: 2 }, unset: ['x', 'z'] },
      withA({ values: { y: 2 } }),
      { kind: 'configure', id: 'a', values: { x: 1 }, unset: ['y', 'z'] },
    ],
    [
      { kind: 'configure', id: 'a', values: { x: 2 } },
      withA({ values: { x: 2 } }),
      { kind: 'configure', id: 'a', values: { x: 1 } },
    ],
    [{ kind: 'rename', id: 'a', name: 'A' }, withA({ name: 'A' }), { kind: 'rename', id: 'a', name: null }],
    [
      {
        kind: 'batch',
        edits: [
          { kind: 'set_details', name: 'New' },
          { kind: 'rename', id: 'a', name: 'A' },
        ],
      },
      { name: 'New', ...withA({ name: 'A' }) },
      {
        kind: 'batch',
        edits: [
          { kind: 'rename', id: 'a', name: null },
          { kind: 'set_details', name: 'Old' },
        ],
      },
    ],
  ])('carries out %j with its inverse', (edit, changed, inverse) => {
    expect(applyEdit(full, edit)).toEqual({ flow: { ...full, ...changed }, inverse });
  });

  it.each<[Edit, string, object, string]>([
    [
      { kind: 'move', positions: { a: view, z: view } },
      'unknown_node',
      { node: 'z' },
      'Component not found in flow: z',
    ],
    [
      { kind: 'set_group', group: { ...GROUP, nodes: ['a', 'z'] } },
      'unknown_node',
      { node: 'z' },
      'Component not found in flow: z',
    ],
    [
      { kind: 'set_note', note: { ...NOTE, id: 'a' } },
      'duplicate_id',
      { node: 'a' },
      "The flow already has a component with the id 'a'.",
    ],
    [{ kind: 'remove_note', id: 'z' }, 'invalid_edit', {}, "The flow has no note with the id 'z'."],
    [{ kind: 'remove_group', id: 'z' }, 'invalid_edit', {}, "The flow has no group with the id 'z'."],
  ])('refuses %j', (edit, code, place, message) => {
    expect(() => applyEdit(full, edit)).toThrow(expect.objectContaining({ code, place, message }));
  });

  it('carries out all edits of a batch or none', () => {
    const batch: Edit = {
      kind: 'batch',
      edits: [
        { kind: 'rename', id: 'a', name: 'A' },
        { kind: 'remove_component', id: 'zz' },
      ],
    };
    expect(() => applyEdit(start, batch)).toThrow('Component not found in flow: zz');
    expect(start.nodes[0]?.name).toBeUndefined();
  });

  it('connects many edges of a large flow without turning the others into text', () => {
    const names = Array.from({ length: 300 }, (_, index) => `n${index}`);
    const { flow } = applyEdits(
      emptyFlow(),
      names.map((id): Edit => ({ kind: 'add_component', node: node(id) })),
    );
    const edges = names.slice(1).map(
      (id, index): Edit => ({
        kind: 'connect',
        edge: { from: { node: `n${index}`, port: 'out' }, to: { node: id, port: 'in' } },
      }),
    );
    const print = vi.spyOn(JSON, 'stringify');
    const applied = applyEdits(flow, edges);
    const calls = print.mock.calls.length;
    print.mockRestore();
    expect(applied.flow.edges).toHaveLength(299);
    expect(calls).toBeLessThan(300);
  });

  it('adds a component with thousands of edges in one pass, each at its place', () => {
    const names = Array.from({ length: 3_000 }, (_, index) => `n${index}`);
    const flow = { ...emptyFlow(), nodes: [node('hub'), node('b'), ...names.map((id) => node(id))] };
    const edgeTo = (from: string, id: string) => ({ from: { node: from, port: 'out' }, to: { node: id, port: 'in' } });
    const edges = names.flatMap((id) => [edgeTo('hub', id), edgeTo('b', id)]);
    const removed = applyEdit({ ...flow, edges }, { kind: 'remove_component', id: 'hub' });
    const compare = vi.spyOn(JSON, 'stringify');
    const restored = applyEdit(removed.flow, removed.inverse).flow;
    const calls = compare.mock.calls.length;
    compare.mockRestore();
    expect(restored.edges).toEqual(edges);
    expect(calls).toBeLessThanOrEqual(names.length);
    const loose = { edge: edgeTo('b', 'n0'), at: 0 };
    expect(() => applyEdit(flow, { kind: 'add_component', node: node('new'), edges: [loose] })).toThrow('new');
  });

  it('refuses a second component with the same id', () => {
    expect(() => applyEdit(start, { kind: 'add_component', node: node('a') })).toThrow(
      "already has a component with the id 'a'",
    );
  });

  it('refuses edits of unknown kinds and with unknown keys', () => {
    expect(editSchema.safeParse({ kind: 'drop_all' }).success).toBe(false);
    expect(editSchema.safeParse({ kind: 'remove_component', id: 'a', force: true }).success).toBe(false);
    expect(editSchema.safeParse({ kind: 'batch', edits: [{ kind: 'rename', id: 'a', name: null }] }).success).toBe(
      true,
    );
  });
});
