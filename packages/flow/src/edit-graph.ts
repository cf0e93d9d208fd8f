import { edgeKey, sameEdge, type FlowDocument, type FlowEdge, type FlowNode } from './document.ts';
import { canonicalNode } from './parse-flow.ts';
import type { Edit } from './edits.ts';
import { FlowError } from './errors.ts';

/** A flow after an edit, and the edit that takes it back. */
export interface Applied {
  readonly flow: FlowDocument;
  readonly inverse: Edit;
}

/** @throws FlowError `unknown_node` */
export function indexOfNode(flow: FlowDocument, id: string): number {
  const index = flow.nodes.findIndex((node) => node.id === id);
  if (index === -1) throw new FlowError('unknown_node', `Component not found in flow: ${id}`, { node: id });
  return index;
}

/** A copy of the list with the item at a place, by default at its end. */
export function insert<T>(list: readonly T[], item: T, at = list.length): readonly T[] {
  return [...list.slice(0, at), item, ...list.slice(at)];
}

/** A copy of the list without the item at a place. */
export const without = <T>(list: readonly T[], index: number): readonly T[] => [
  ...list.slice(0, index),
  ...list.slice(index + 1),
];

/** Adds a node, with its edges and its places in groups. */
export function addComponent(flow: FlowDocument, edit: Extract<Edit, { kind: 'add_component' }>): Applied {
  const node = canonicalNode(edit.node);
  if ([...flow.nodes, ...flow.notes, ...flow.groups].some(({ id }) => id === node.id))
    throw new FlowError('duplicate_id', `The flow already has a component with the id '${node.id}'.`, {
      node: node.id,
    });
  let next: FlowDocument = { ...flow, nodes: insert(flow.nodes, node, edit.at) };
  if (edit.edges !== undefined) next = { ...next, edges: withEdges(next, node.id, edit.edges) };
  const groups = new Map((edit.groups ?? []).map(({ group, at }) => [group, at]));
  if (groups.size > 0)
    next = {
      ...next,
      groups: next.groups.map((group) =>
        groups.has(group.id) ? { ...group, nodes: insert(group.nodes, node.id, groups.get(group.id)) } : group,
      ),
    };
  return { flow: next, inverse: { kind: 'remove_component', id: node.id } };
}

/** Removes a node, its edges, and its places in groups. */
export function removeComponent(flow: FlowDocument, id: string): Applied {
  const at = indexOfNode(flow, id);
  const touches = ({ from, to }: FlowEdge) => from.node === id || to.node === id;
  const edges = flow.edges.flatMap((edge, index) => (touches(edge) ? [{ edge, at: index }] : []));
  const groups = flow.groups.flatMap((group) => {
    const index = group.nodes.indexOf(id);
    return index === -1 ? [] : [{ group: group.id, at: index }];
  });
  return {
    flow: {
      ...flow,
      nodes: without(flow.nodes, at),
      edges: edges.length === 0 ? flow.edges : flow.edges.filter((edge) => !touches(edge)),
      groups:
        groups.length === 0
          ? flow.groups
          : flow.groups.map((group) =>
              group.nodes.includes(id) ? { ...group, nodes: group.nodes.filter((each) => each !== id) } : group,
            ),
    },
    inverse: {
      kind: 'add_component',
      node: flow.nodes[at] as FlowNode,
      at,
      ...(edges.length > 0 && { edges }),
      ...(groups.length > 0 && { groups }),
    },
  };
}

/** Adds an edge, unless the flow has it. */
export function connect(flow: FlowDocument, edge: FlowEdge, at?: number): Applied {
  indexOfNode(flow, edge.from.node);
  indexOfNode(flow, edge.to.node);
  if (flow.edges.some((each) => sameEdge(each, edge))) return { flow, inverse: { kind: 'batch', edits: [] } };
  return { flow: { ...flow, edges: insert(flow.edges, edge, at) }, inverse: { kind: 'disconnect', edge } };
}

/** The edges of a flow and those of a new node, each at its place. In one pass, because a node may have thousands. */
function withEdges(
  { nodes, edges }: FlowDocument,
  id: string,
  added: readonly { readonly edge: FlowEdge; readonly at: number }[],
): readonly FlowEdge[] {
  const ids = new Set(nodes.map((node) => node.id));
  const known = new Set<string>();
  const result: FlowEdge[] = [];
  let next = 0;
  for (const { edge, at } of [...added].sort((one, other) => one.at - other.at)) {
    const ends = [edge.from.node, edge.to.node];
    for (const node of ends)
      if (!ids.has(node)) throw new FlowError('unknown_node', `Component not found in flow: ${node}`, { node });
    if (!ends.includes(id))
      throw new FlowError('invalid_edit', `An edge of the new component '${id}' does not begin or end at it.`);
    const key = edgeKey(edge);
    if (known.has(key)) continue;
    known.add(key);
    while (result.length < at && next < edges.length) result.push(edges[next++] as FlowEdge);
    result.push(edge);
  }
  return [...result, ...edges.slice(next)];
}

/** Removes an edge, if the flow has it. */
export function disconnect(flow: FlowDocument, edge: FlowEdge): Applied {
  const at = flow.edges.findIndex((each) => sameEdge(each, edge));
  if (at === -1) return { flow, inverse: { kind: 'batch', edits: [] } };
  return { flow: { ...flow, edges: without(flow.edges, at) }, inverse: { kind: 'connect', edge, at } };
}
