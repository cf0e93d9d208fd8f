import type { FlowContent, FlowNode, Json, Position } from './document.ts';
import type { Edit } from './edits.ts';
import { newNodeId } from './node-id.ts';

const GAP = 80;
/** The width of a card of the studio, in the distances of documents. */
const NODE_WIDTH = 460;

/**
 * The edit that puts flow `added` to the right of `base`, or moves it `by` a distance. Nodes of `base` stay
 * byte-identical. Every id of `added` is new, also where a value, an edge, a group or a pinned output names it.
 */
export function mergeEdit(
  base: FlowContent,
  added: FlowContent,
  newId: (type: string) => string = newNodeId,
  by?: Position,
): { readonly edit: Edit; readonly ids: ReadonlyMap<string, string> } {
  const taken = new Set([...base.nodes, ...base.notes, ...base.groups].map(({ id }) => id));
  const ids = new Map<string, string>();
  const fresh = (id: string): string => {
    const type = id.includes('-') ? id.slice(0, id.indexOf('-')) : id;
    for (;;) {
      const candidate = newId(type);
      if (taken.has(candidate)) continue;
      taken.add(candidate);
      return candidate;
    }
  };
  for (const { id } of [...added.nodes, ...added.notes, ...added.groups]) ids.set(id, fresh(id));
  const renamed = (id: string): string => ids.get(id) ?? id;
  const right =
    base.nodes.length === 0 || added.nodes.length === 0
      ? 0
      : Math.max(...base.nodes.map(({ position }) => position.x + NODE_WIDTH)) -
        Math.min(...added.nodes.map(({ position }) => position.x)) +
        GAP;
  const shift = <T extends { readonly position: { readonly x: number; readonly y: number } }>(item: T): T => ({
    ...item,
    position: { x: item.position.x + (by?.x ?? right), y: item.position.y + (by?.y ?? 0) },
  });
  const edits: Edit[] = [
    ...added.nodes.map((node): Edit => ({ kind: 'add_component', node: shift(renameNode(node, ids)) })),
    ...added.edges.map(
      ({ from, to }): Edit => ({
        kind: 'connect',
        edge: { from: { ...from, node: renamed(from.node) }, to: { ...to, node: renamed(to.node) } },
      }),
    ),
    ...added.notes.map((note): Edit => ({ kind: 'set_note', note: shift({ ...note, id: renamed(note.id) }) })),
    ...added.groups.map(
      (group): Edit => ({
        kind: 'set_group',
        group: { ...group, id: renamed(group.id), nodes: group.nodes.map(renamed) },
      }),
    ),
  ];
  return { edit: { kind: 'batch', edits }, ids };
}

function renameNode(node: FlowNode, ids: ReadonlyMap<string, string>): FlowNode {
  const values = renameIn(node.values as Json, ids) as FlowNode['values'];
  const pinned = node.pinned && (renameIn(node.pinned as Json, ids) as FlowNode['values']);
  return { ...node, id: ids.get(node.id) as string, values, ...(pinned && { pinned }) };
}

/** Texts that are exactly the id of a node become its new id, at any depth. */
function renameIn(value: Json, ids: ReadonlyMap<string, string>): Json {
  if (typeof value === 'string') return ids.get(value) ?? value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each: Json) => renameIn(each, ids));
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, renameIn(each as Json, ids)]));
}
