import type { Edit } from '@croft/flow';
import type { FlowUpdate } from './events.ts';

/** The events of stored edits, in their order. A layout has no event: it belongs to the edit beside it. */
export function updatesOf(edits: readonly Edit[], version: number): FlowUpdate[] {
  return edits.flatMap((edit): FlowUpdate[] => {
    switch (edit.kind) {
      case 'batch':
        return updatesOf(edit.edits, version);
      case 'add_component':
        return [{ action: 'add_component', node: edit.node, version }];
      case 'remove_component':
        return [{ action: 'remove_component', component_id: edit.id, version }];
      case 'connect':
      case 'disconnect':
        return [{ action: edit.kind, edge: edit.edge, version }];
      case 'configure':
        return [{ action: 'configure', component_id: edit.id, params: edit.values, version }];
      case 'select_output':
        return [{ action: 'select_output', component_id: edit.id, output_name: edit.output, version }];
      case 'set_connection_mode':
        return [{ action: edit.kind, component_id: edit.id, field: edit.field, enabled: edit.enabled, version }];
      case 'enable_tool_mode':
        return [{ action: edit.kind, component_id: edit.id, enabled: edit.enabled, version }];
      case 'move':
        return [];
      default:
        return [{ action: 'edit', edit, version }];
    }
  });
}
