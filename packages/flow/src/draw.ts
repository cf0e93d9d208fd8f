import type { FlowContent, FlowEdge, FlowNode } from './document.ts';
import { layoutFlow } from './layout.ts';

/**
 * A flow for a terminal: one line for each component, indented by its column, with the connections that leave it.
 * `(empty)` without components; a sorted list without connections.
 *
 * @param noteOf what to write behind a component; nothing where it returns an empty text
 */
export function drawFlow(
  flow: Pick<FlowContent, 'nodes' | 'edges'>,
  noteOf: (node: FlowNode) => string = () => '',
): string {
  if (flow.nodes.length === 0) return '(empty)';
  const labels = labelsOf(flow);
  if (flow.edges.length === 0) return [...labels.values()].sort().join(', ');
  const positions = layoutFlow(flow);
  const ordered = [...flow.nodes].sort((a, b) => {
    const [one, other] = [positions[a.id], positions[b.id]];
    return (one?.x ?? 0) - (other?.x ?? 0) || (one?.y ?? 0) - (other?.y ?? 0);
  });
  const columns = new Map<number, number>();
  for (const { id } of ordered) {
    const x = positions[id]?.x ?? 0;
    if (!columns.has(x)) columns.set(x, columns.size);
  }
  const leavingOf = new Map<string, FlowEdge[]>(flow.nodes.map(({ id }) => [id, []]));
  for (const edge of flow.edges) leavingOf.get(edge.from.node)?.push(edge);
  const lines = ordered.flatMap((node) => {
    const { id } = node;
    const note = noteOf(node);
    const indent = '    '.repeat(columns.get(positions[id]?.x ?? 0) ?? 0);
    const leaving = leavingOf.get(id) ?? [];
    return [
      `${indent}[${labels.get(id)}]${note === '' ? '' : ` ${note}`}`,
      ...leaving.map(({ from, to }) => `${indent}  ${from.port} -> ${labels.get(to.node)}.${to.port}`),
    ];
  });
  return lines.join('\n');
}

/** Types as labels; numbered where a type occurs more than once. */
function labelsOf({ nodes }: Pick<FlowContent, 'nodes'>): Map<string, string> {
  const totals = new Map<string, number>();
  for (const { type } of nodes) totals.set(type, (totals.get(type) ?? 0) + 1);
  const seen = new Map<string, number>();
  return new Map(
    nodes.map(({ id, type }) => {
      const number = (seen.get(type) ?? 0) + 1;
      seen.set(type, number);
      return [id, (totals.get(type) ?? 0) > 1 ? `${type} #${number}` : type];
    }),
  );
}
