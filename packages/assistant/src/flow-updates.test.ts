import type { Edit } from '@croft/flow';
import { expect, it } from 'vitest';
import { updatesOf } from './flow-updates.ts';

const node = { id: 'A', type: 'T', position: { x: 0, y: 0 }, values: {} };
const edge = { from: { node: 'A', port: 'o' }, to: { node: 'B', port: 'i' } };

it('gives an event for each edit, in order, and none for a layout', () => {
  const edits: Edit[] = [
    {
      kind: 'batch',
      edits: [
        { kind: 'add_component', node },
        { kind: 'move', positions: { A: { x: 1, y: 1 } } },
      ],
    },
    { kind: 'connect', edge },
    { kind: 'disconnect', edge },
    { kind: 'configure', id: 'A', values: { a: 1 } },
    { kind: 'select_output', id: 'A', output: 'o' },
    { kind: 'set_connection_mode', id: 'A', field: 'f', enabled: true },
    { kind: 'enable_tool_mode', id: 'A', enabled: false },
    { kind: 'remove_component', id: 'A' },
    { kind: 'rename', id: 'A', name: 'N' },
  ];
  expect(updatesOf(edits, 7)).toEqual([
    { action: 'add_component', node, version: 7 },
    { action: 'connect', edge, version: 7 },
    { action: 'disconnect', edge, version: 7 },
    { action: 'configure', component_id: 'A', params: { a: 1 }, version: 7 },
    { action: 'select_output', component_id: 'A', output_name: 'o', version: 7 },
    { action: 'set_connection_mode', component_id: 'A', field: 'f', enabled: true, version: 7 },
    { action: 'enable_tool_mode', component_id: 'A', enabled: false, version: 7 },
    { action: 'remove_component', component_id: 'A', version: 7 },
    { action: 'edit', edit: edits.at(-1), version: 7 },
  ]);
});
