import { describe, expect, it } from 'vitest';
import type { FlowNode } from './document.ts';
import { type NodeEdit, nodeAfter } from './edit-node.ts';

const BARE: FlowNode = { id: 'a', type: 'Step', position: { x: 0, y: 0 }, values: {} };
const FULL: FlowNode = {
  ...BARE,
  selectedOutput: 'one',
  connectedFields: ['text'],
  toolMode: true,
  name: 'Mine',
  code: 'x',
  run: { frozen: true },
  pinned: { out: 1 },
};

const EDITS: readonly [NodeEdit, Partial<FlowNode>][] = [
  [{ kind: 'select_output', id: 'a', output: 'two' }, { selectedOutput: 'two' }],
  [{ kind: 'select_output', id: 'a', output: null }, { selectedOutput: undefined }],
  [{ kind: 'rename', id: 'a', name: 'Other' }, { name: 'Other' }],
  [{ kind: 'rename', id: 'a', name: null }, { name: undefined }],
  [{ kind: 'set_code', id: 'a', code: 'y' }, { code: 'y' }],
  [{ kind: 'set_code', id: 'a', code: null }, { code: undefined }],
  [{ kind: 'enable_tool_mode', id: 'a', enabled: true }, { toolMode: true }],
  [{ kind: 'enable_tool_mode', id: 'a', enabled: false }, { toolMode: false }],
  [{ kind: 'set_run_options', id: 'a', run: { frozen: false } }, { run: { frozen: false } }],
  [{ kind: 'set_run_options', id: 'a', run: null }, { run: undefined }],
  [{ kind: 'pin_output', id: 'a', output: 'out', value: null }, { pinned: { out: null } }],
] as never;

/** Absent, undefined, false and empty are the same to a flow. */
const plain = (node: FlowNode) =>
  JSON.parse(
    JSON.stringify(node, (_, value: unknown) =>
      value === false || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
        ? undefined
        : value,
    ),
  ) as unknown;

describe.each([
  ['bare', BARE],
  ['complete', FULL],
])('an edit of a %s node', (_, node) => {
  it.each(EDITS)('changes its property and is taken back by its inverse: %j', (edit, expected) => {
    const { changed, inverse } = nodeAfter(node, edit);
    expect(changed).toMatchObject(expected);
    expect(changed).toEqual({ ...node, ...expected });
    expect(plain(nodeAfter(changed, inverse as NodeEdit).changed)).toEqual(plain(node));
  });

  it('connects and disconnects a field without the others', () => {
    const edit = { kind: 'set_connection_mode', id: 'a', field: 'other', enabled: true } as NodeEdit;
    const { changed, inverse } = nodeAfter(node, edit);
    expect(changed.connectedFields).toEqual([...(node.connectedFields ?? []), 'other']);
    expect(nodeAfter(changed, inverse as NodeEdit).changed.connectedFields).toEqual(node.connectedFields ?? []);
    const off = nodeAfter(FULL, { ...edit, field: 'text', enabled: false } as NodeEdit);
    expect([off.changed.connectedFields, off.inverse]).toEqual([[], expect.objectContaining({ enabled: true })]);
  });

  it('unpins an output without the others', () => {
    const pinned = { ...node, pinned: { a: 1, b: 2 } };
    const { changed, inverse } = nodeAfter(pinned, { kind: 'pin_output', id: 'a', output: 'a' } as NodeEdit);
    expect(changed.pinned).toEqual({ b: 2 });
    expect(inverse).toMatchObject({ kind: 'pin_output', output: 'a', value: 1 });
    expect(pinned.pinned).toEqual({ a: 1, b: 2 });
  });
});
