import { DOCUMENT_VERSION, type FlowContent, type FlowDocument, type FlowNode, type FlowNote } from './document.ts';
import { canonicalNode, parseFlow } from './parse-flow.ts';
import { nodeAfter, type NodeEdit } from './edit-node.ts';
import type { Edit } from './edits.ts';
import { FlowError } from './errors.ts';
import {
  type Applied,
  indexOfNode,
  insert,
  without,
  addComponent,
  removeComponent,
  connect,
  disconnect,
} from './edit-graph.ts';

/**
 * Carries out one edit. The given flow stays as it is; nodes that the edit does not name are the very same objects in the
 * new flow. Applying `inverse` to the result gives a document that prints the same text as `flow`.
 *
 * Checks that what an edit names exists. Does not know components: `connectPorts` and `validateFlow` check types and ports.
 *
 * @throws FlowError `unknown_node`, `duplicate_id`, `invalid_edit`, and what `parseFlow` throws for `set_flow`
 */
export function applyEdit(flow: FlowDocument, edit: Edit): Applied {
  switch (edit.kind) {
    case 'add_component':
      return addComponent(flow, edit);
    case 'remove_component':
      return removeComponent(flow, edit.id);
    case 'connect':
      return connect(flow, edit.edge, edit.at);
    case 'disconnect':
      return disconnect(flow, edit.edge);
    case 'configure':
      return configure(flow, edit);
    case 'set_flow':
      return {
        flow: parseFlow({ version: DOCUMENT_VERSION, ...contentOf(edit.flow) }),
        inverse: { kind: 'set_flow', flow: contentOf(flow) },
      };
    case 'set_details':
      return setDetails(flow, edit);
    case 'set_viewport':
      return { flow: { ...flow, viewport: edit.viewport }, inverse: { kind: 'set_viewport', viewport: flow.viewport } };
    case 'move':
      return move(flow, edit.positions);
    case 'set_note':
    case 'set_group':
      return setItem(flow, edit);
    case 'remove_note':
    case 'remove_group':
      return removeItem(flow, edit);
    case 'batch':
      return applyEdits(flow, edit.edits);
    default:
      return changeNode(flow, edit);
  }
}

/** Applies edits in order, all or none: if one fails, the flow is unchanged. */
export function applyEdits(flow: FlowDocument, edits: readonly Edit[]): Applied {
  let current = flow;
  const inverses: Edit[] = [];
  for (const edit of edits) {
    const applied = applyEdit(current, edit);
    current = applied.flow;
    inverses.unshift(applied.inverse);
  }
  return { flow: current, inverse: inverses.length === 1 ? (inverses[0] as Edit) : { kind: 'batch', edits: inverses } };
}

function contentOf(flow: FlowContent): FlowContent {
  const { name, description, nodes, edges, notes, groups, viewport } = flow;
  return { name, description, nodes, edges, notes, groups, viewport };
}

function replaceNode(flow: FlowDocument, index: number, node: FlowNode): FlowDocument {
  const nodes = flow.nodes.slice();
  nodes[index] = canonicalNode(node);
  return { ...flow, nodes };
}

function configure(flow: FlowDocument, edit: Extract<Edit, { kind: 'configure' }>): Applied {
  const index = indexOfNode(flow, edit.id);
  const node = flow.nodes[index] as FlowNode;
  const values = { ...node.values, ...edit.values };
  for (const name of edit.unset ?? []) delete values[name];
  const touched = new Set([...Object.keys(edit.values), ...(edit.unset ?? [])]);
  const before = [...touched].filter((name) => Object.hasOwn(node.values, name));
  const unset = [...touched].filter((name) => !Object.hasOwn(node.values, name));
  return {
    flow: replaceNode(flow, index, { ...node, values }),
    inverse: {
      kind: 'configure',
      id: edit.id,
      values: Object.fromEntries(before.map((name) => [name, node.values[name] as never])),
      ...(unset.length > 0 && { unset }),
    },
  };
}

function setDetails(flow: FlowDocument, { name, description }: Extract<Edit, { kind: 'set_details' }>): Applied {
  return {
    flow: { ...flow, name: name ?? flow.name, description: description ?? flow.description },
    // Only what the edit changed: an undo leaves the other field to those who changed it.
    inverse: {
      kind: 'set_details',
      ...(name !== undefined && { name: flow.name }),
      ...(description !== undefined && { description: flow.description }),
    },
  };
}

function move(flow: FlowDocument, positions: Extract<Edit, { kind: 'move' }>['positions']): Applied {
  const wanted = new Map(Object.entries(positions));
  const before: Record<string, FlowNode['position']> = {};
  const moveItem = <T extends FlowNode | FlowNote>(item: T): T => {
    const position = wanted.get(item.id);
    if (position === undefined) return item;
    wanted.delete(item.id);
    before[item.id] = item.position;
    return { ...item, position };
  };
  const nodes = flow.nodes.map((node) => {
    const moved = moveItem(node);
    return moved === node ? node : canonicalNode(moved);
  });
  const notes = flow.notes.map(moveItem);
  const [missing] = wanted.keys();
  if (missing !== undefined)
    throw new FlowError('unknown_node', `Component not found in flow: ${missing}`, { node: missing });
  return { flow: { ...flow, nodes, notes }, inverse: { kind: 'move', positions: before } };
}

function changeNode(flow: FlowDocument, edit: NodeEdit): Applied {
  const index = indexOfNode(flow, edit.id);
  const node = flow.nodes[index] as FlowNode;
  const { changed, inverse } = nodeAfter(node, edit);
  return { flow: replaceNode(flow, index, changed), inverse };
}

function setItem(flow: FlowDocument, edit: Extract<Edit, { kind: 'set_note' | 'set_group' }>): Applied {
  const list = edit.kind === 'set_note' ? 'notes' : 'groups';
  const item = edit.kind === 'set_note' ? edit.note : edit.group;
  if (edit.kind === 'set_group') {
    const ids = new Set(flow.nodes.map(({ id }) => id));
    const missing = edit.group.nodes.find((member) => !ids.has(member));
    if (missing !== undefined) indexOfNode(flow, missing);
  }
  const items = flow[list] as readonly { readonly id: string }[];
  const index = items.findIndex(({ id }) => id === item.id);
  if (index === -1) {
    if (flow.nodes.some(({ id }) => id === item.id))
      throw new FlowError('duplicate_id', `The flow already has a component with the id '${item.id}'.`, {
        node: item.id,
      });
    const remove = list === 'notes' ? 'remove_note' : 'remove_group';
    return { flow: { ...flow, [list]: insert(items, item, edit.at) }, inverse: { kind: remove, id: item.id } };
  }
  const next = items.slice();
  next[index] = item;
  const before = items[index];
  const inverse = (
    list === 'notes' ? { kind: 'set_note', note: before } : { kind: 'set_group', group: before }
  ) as Edit;
  return { flow: { ...flow, [list]: next }, inverse };
}

function removeItem(flow: FlowDocument, edit: Extract<Edit, { kind: 'remove_note' | 'remove_group' }>): Applied {
  const list = edit.kind === 'remove_note' ? 'notes' : 'groups';
  const items = flow[list] as readonly { readonly id: string }[];
  const at = items.findIndex(({ id }) => id === edit.id);
  if (at === -1)
    throw new FlowError(
      'invalid_edit',
      `The flow has no ${list === 'notes' ? 'note' : 'group'} with the id '${edit.id}'.`,
    );
  const before = items[at];
  const inverse = (
    list === 'notes' ? { kind: 'set_note', note: before, at } : { kind: 'set_group', group: before, at }
  ) as Edit;
  return { flow: { ...flow, [list]: without(items, at) }, inverse };
}
