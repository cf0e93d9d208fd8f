import type { Edit, FlowNode } from '@croft/flow';

/**
 * Edits whose new nodes have the code that the server gave them: it copies the code of a user's component into the flow.
 * The same list where it gave none.
 */
export function withCode(edits: readonly Edit[], stored: readonly Edit[]): readonly Edit[] {
  const codes = new Map(stored.flatMap(addedNodes).flatMap(({ id, code }) => (code === undefined ? [] : [[id, code]])));
  const lacksCode = ({ id, code }: FlowNode) => code === undefined && codes.has(id);
  if (!edits.flatMap(addedNodes).some(lacksCode)) return edits;
  const filled = (node: FlowNode): FlowNode => (lacksCode(node) ? { ...node, code: codes.get(node.id) } : node);
  const inEdit = (edit: Edit): Edit => {
    if (edit.kind === 'add_component') return { ...edit, node: filled(edit.node) };
    if (edit.kind === 'batch') return { ...edit, edits: edit.edits.map(inEdit) };
    return edit.kind === 'set_flow' ? { ...edit, flow: { ...edit.flow, nodes: edit.flow.nodes.map(filled) } } : edit;
  };
  return edits.map(inEdit);
}

function addedNodes(edit: Edit): readonly FlowNode[] {
  if (edit.kind === 'add_component') return [edit.node];
  if (edit.kind === 'batch') return edit.edits.flatMap(addedNodes);
  return edit.kind === 'set_flow' ? edit.flow.nodes : [];
}
