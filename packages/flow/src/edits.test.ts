import { describe, expect, it } from 'vitest';
import { editSchema } from './edits.ts';
import { LIMITS } from './limits.ts';

const accepts = (edit: unknown) => editSchema.safeParse(edit).success;
const node = { id: 'A-1', type: 'A', position: { x: 0, y: 0 }, values: {} };
const edge = { from: { node: 'A-1', port: 'out' }, to: { node: 'B-1', port: 'in' } };
const note = { id: 'n', position: { x: 0, y: 0 }, size: { width: 1, height: 1 }, text: '' };

describe('an edit from outside', () => {
  it.each([
    { kind: 'add_component', node, at: 0, edges: [{ edge, at: 0 }], groups: [{ group: 'g', at: 1 }] },
    { kind: 'remove_component', id: 'A-1' },
    { kind: 'connect', edge, at: 3 },
    { kind: 'disconnect', edge },
    { kind: 'configure', id: 'A-1', values: { a: [1, null] }, unset: ['b'] },
    { kind: 'set_flow', flow: {} },
    { kind: 'set_details', name: 'N', description: 'D' },
    { kind: 'select_output', id: 'A-1', output: null },
    { kind: 'set_connection_mode', id: 'A-1', field: 'f', enabled: true },
    { kind: 'enable_tool_mode', id: 'A-1', enabled: false },
    { kind: 'move', positions: { 'A-1': { x: 1, y: 2 } } },
    { kind: 'rename', id: 'A-1', name: null },
    { kind: 'set_code', id: 'A-1', code: 'x' },
    { kind: 'pin_output', id: 'A-1', output: 'out', value: 1 },
    { kind: 'pin_output', id: 'A-1', output: 'out' },
    { kind: 'set_run_options', id: 'A-1', run: null },
    { kind: 'set_note', note },
    { kind: 'remove_note', id: 'n' },
    { kind: 'set_group', group: { id: 'g', name: 'G', nodes: [] } },
    { kind: 'remove_group', id: 'g' },
    { kind: 'set_viewport', viewport: { x: 0, y: 0, zoom: 2 } },
    { kind: 'batch', edits: [{ kind: 'batch', edits: [{ kind: 'remove_note', id: 'n' }] }] },
  ])('is taken: $kind', (edit) => {
    expect(accepts(edit)).toBe(true);
  });

  it.each([
    { kind: 'no_such' },
    { kind: 'remove_component', id: '' },
    { kind: 'remove_component', id: 'x'.repeat(201) },
    { kind: 'remove_component', id: '__proto__' },
    { kind: 'remove_component', id: 'A', more: 1 },
    { kind: 'add_component', node, at: -1 },
    { kind: 'add_component', node, at: 0.5 },
    { kind: 'add_component', node: { ...node, id: '__proto__' } },
    { kind: 'connect', edge: { from: edge.from } },
    { kind: 'configure', id: 'A-1', values: { a: undefined, b: () => 1 } },
    { kind: 'set_flow', flow: null },
    { kind: 'set_details', name: 'x'.repeat(201) },
    { kind: 'set_details', description: 'x'.repeat(10_001) },
    { kind: 'rename', id: 'A', name: 'x'.repeat(201) },
    { kind: 'move', positions: { A: { x: Number.NaN, y: 0 } } },
    { kind: 'set_viewport', viewport: { x: 0, y: 0, zoom: 0 } },
    { kind: 'set_run_options', id: 'A', run: { retry: { attempts: 11, delayMs: 0 } } },
    { kind: 'batch', edits: [{ kind: 'no_such' }] },
  ])('is refused: %j', (edit) => {
    expect(accepts(edit)).toBe(false);
  });

  it('is at most so many at once', () => {
    const edits = (count: number) => Array(count).fill({ kind: 'remove_note', id: 'n' });
    expect(
      [LIMITS.editsAtOnce, LIMITS.editsAtOnce + 1].map((count) => accepts({ kind: 'batch', edits: edits(count) })),
    ).toEqual([true, false]);
  });
});
