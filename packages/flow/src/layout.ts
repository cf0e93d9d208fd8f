import type { FlowContent, FlowEdge, Position } from './document.ts';
import type { Edit } from './edits.ts';

const COLUMN = 600;
const ROW = 350;

/**
 * Positions by longest path: a node is one column right of the last node that leads to it, and one that no node leads to
 * is one column left of the first that it leads to. Each column is centred around zero. An edge that leads back to a node on the way to it, as in a loop, does not count. Linear in nodes and edges.
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
  const layerOf = new Map<string, number>(ids.map((id) => [id, 0]));
  const { order, forward } = withoutCycles(ids, edges);
  for (const id of order)
    for (const to of forward.get(id) ?? [])
      layerOf.set(to, Math.max(layerOf.get(to) as number, (layerOf.get(id) as number) + 1));
  const reached = new Set([...forward.values()].flat());
  for (const id of ids) {
    let first = Number.POSITIVE_INFINITY;
    for (const to of forward.get(id) as string[]) first = Math.min(first, layerOf.get(to) as number);
    if (!reached.has(id) && Number.isFinite(first)) layerOf.set(id, first - 1);
  }
  const layers: string[][] = [];
  for (const id of ids) (layers[layerOf.get(id) as number] ??= []).push(id);
  return layers;
}

/** The edges without those that close a cycle, by their first node, and the nodes in an order that these edges follow. */
function withoutCycles(ids: readonly string[], edges: readonly FlowEdge[]) {
  const next = new Map<string, string[]>(ids.map((id) => [id, []]));
  for (const { from, to } of edges) next.get(from.node)?.push(to.node);
  const entered = new Set(edges.filter(({ from, to }) => from.node !== to.node).map(({ to }) => to.node));
  const starts = [...ids.filter((id) => !entered.has(id)), ...ids];
  const forward = new Map<string, string[]>(ids.map((id) => [id, []]));
  const state = new Map<string, 'open' | 'done'>();
  const finished: string[] = [];
  const open: { readonly id: string; at: number }[] = [];
  const enter = (id: string): void => {
    state.set(id, 'open');
    open.push({ id, at: 0 });
  };
  for (const start of starts) {
    if (!state.has(start)) enter(start);
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      const to = next.get(top.id)?.[top.at++];
      if (to === undefined) {
        state.set(top.id, 'done');
        finished.push(top.id);
        open.pop();
      } else if (state.get(to) !== 'open' && next.has(to)) {
        forward.get(top.id)?.push(to);
        if (!state.has(to)) enter(to);
      }
    }
  }
  return { order: finished.reverse(), forward };
}
