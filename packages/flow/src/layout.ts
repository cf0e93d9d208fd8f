import type { FlowContent, FlowEdge, Position } from './document.ts';
import type { Edit } from './edits.ts';

const COLUMN = 600;
const ROW = 350;

/**
 * Positions by longest path: a node is one column right of the last node that leads to it. Each column is centred around
 * zero. Nodes of a cycle follow in columns of their own. Linear in nodes and edges.
 */
export function layoutFlow({ nodes, edges }: Pick<FlowContent, 'nodes' | 'edges'>): Readonly<Record<string, Position>> {
  const layers = longestPaths(
    nodes.map(({ id }) => id),
    edges,
  );
  const positions: Record<string, Position> = {};
  for (const [column, ids] of layers.entries())
    for (const [row, id] of ids.entries())
      positions[id] = { x: column * COLUMN, y: Math.round((row - (ids.length - 1) / 2) * ROW) };
  return positions;
}

/** The edit that lays out a whole flow. */
export const layoutEdit = (flow: Pick<FlowContent, 'nodes' | 'edges'>): Edit => ({
  kind: 'move',
  positions: layoutFlow(flow),
});

function longestPaths(ids: readonly string[], edges: readonly FlowEdge[]): string[][] {
  const next = new Map<string, string[]>(ids.map((id) => [id, []]));
  const pending = new Map<string, number>(ids.map((id) => [id, 0]));
  for (const { from, to } of edges) {
    if (from.node === to.node) continue;
    next.get(from.node)?.push(to.node);
    pending.set(to.node, (pending.get(to.node) ?? 0) + 1);
  }
  const layerOf = new Map<string, number>();
  const open = ids.filter((id) => pending.get(id) === 0);
  for (const id of open) layerOf.set(id, 0);
  for (let at = 0; at < open.length; at++) {
    const id = open[at] as string;
    const layer = (layerOf.get(id) as number) + 1;
    for (const to of next.get(id) ?? []) {
      layerOf.set(to, Math.max(layerOf.get(to) ?? 0, layer));
      const left = (pending.get(to) as number) - 1;
      pending.set(to, left);
      if (left === 0) open.push(to);
    }
  }
  const reached = new Set(open);
  const layers: string[][] = [];
  for (const id of ids) if (reached.has(id)) (layers[layerOf.get(id) as number] ??= []).push(id);
  const rest = ids.filter((id) => !reached.has(id));
  for (let at = 0; at < rest.length; at += 5) layers.push(rest.slice(at, at + 5));
  return layers;
}
