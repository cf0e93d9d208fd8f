import { canonicalNode, edgeKey, type Edit, type FlowDocument, nodesById } from '@croft/flow';

/** The edits that turn one flow into another: they name only what differs. Nodes are the same where id and type are. */
export function editsBetween(before: FlowDocument, after: FlowDocument): readonly Edit[] {
  const old = nodesById(before);
  const wanted = nodesById(after);
  const edges = new Set(after.edges.map(edgeKey));
  const edits: Edit[] = [];
  for (const edge of before.edges) if (!edges.has(edgeKey(edge))) edits.push({ kind: 'disconnect', edge });
  for (const { id, type } of before.nodes)
    if (wanted.get(id)?.type !== type) edits.push({ kind: 'remove_component', id });
  for (const node of after.nodes) {
    const was = old.get(node.id);
    if (was?.type !== node.type) {
      edits.push({ kind: 'add_component', node });
      continue;
    }
    const unset = Object.keys(was.values).filter((name) => !Object.hasOwn(node.values, name));
    const values = Object.fromEntries(
      Object.entries(node.values).filter(([name, value]) => JSON.stringify(was.values[name]) !== JSON.stringify(value)),
    );
    if (unset.length > 0 || Object.keys(values).length > 0)
      edits.push({ kind: 'configure', id: node.id, values, ...(unset.length > 0 && { unset }) });
    if (was.position.x !== node.position.x || was.position.y !== node.position.y)
      edits.push({ kind: 'move', positions: { [node.id]: node.position } });
  }
  return [...edits, ...after.edges.map((edge): Edit => ({ kind: 'connect', edge }))];
}

/** The text of a flow that does not depend on the order in which its parts were added. */
export function contentText({ nodes, edges }: FlowDocument): string {
  const byId = [...nodes].sort((a, b) => (a.id < b.id ? -1 : 1)).map(canonicalNode);
  return JSON.stringify([byId, edges.map(edgeKey).sort()]);
}
