import type { FlowNode } from './document.ts';
import type { Edit } from './edits.ts';

/** The edits that change one property of one node. */
export type NodeEdit = Extract<
  Edit,
  {
    kind:
      | 'select_output'
      | 'set_connection_mode'
      | 'enable_tool_mode'
      | 'rename'
      | 'set_code'
      | 'pin_output'
      | 'set_run_options';
  }
>;

/** The node after an edit, and the edit that takes it back. Pure. */
export function nodeAfter(node: FlowNode, edit: NodeEdit): { changed: FlowNode; inverse: Edit } {
  switch (edit.kind) {
    case 'select_output':
      return {
        changed: { ...node, selectedOutput: edit.output ?? undefined },
        inverse: { ...edit, output: node.selectedOutput ?? null },
      };
    case 'set_connection_mode': {
      const fields = new Set(node.connectedFields);
      const was = fields.has(edit.field);
      if (edit.enabled) fields.add(edit.field);
      else fields.delete(edit.field);
      return { changed: { ...node, connectedFields: [...fields] }, inverse: { ...edit, enabled: was } };
    }
    case 'enable_tool_mode':
      return { changed: { ...node, toolMode: edit.enabled }, inverse: { ...edit, enabled: node.toolMode === true } };
    case 'rename':
      return { changed: { ...node, name: edit.name ?? undefined }, inverse: { ...edit, name: node.name ?? null } };
    case 'set_code':
      return { changed: { ...node, code: edit.code ?? undefined }, inverse: { ...edit, code: node.code ?? null } };
    case 'set_run_options':
      return { changed: { ...node, run: edit.run ?? undefined }, inverse: { ...edit, run: node.run ?? null } };
    case 'pin_output': {
      const pinned = { ...node.pinned };
      const was = Object.hasOwn(pinned, edit.output) ? pinned[edit.output] : undefined;
      if (edit.value === undefined) delete pinned[edit.output];
      else pinned[edit.output] = edit.value;
      const { value: _, ...rest } = edit;
      return { changed: { ...node, pinned }, inverse: was === undefined ? rest : { ...rest, value: was } };
    }
  }
}
