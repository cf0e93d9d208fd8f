import { Graph, layout } from '@dagrejs/dagre';

/** A node with the size that the canvas draws. */
export interface SizedNode {
  readonly id: string;
  readonly width: number;
  readonly height: number;
}

/** The message to the worker. Plain data. */
export interface LayoutRequest {
  readonly nodes: readonly SizedNode[];
  readonly edges: readonly (readonly [from: string, to: string])[];
}

export type Positions = Readonly<Record<string, { readonly x: number; readonly y: number }>>;

/** Positions of the top left corners, from left to right, with few crossings. Takes seconds for a thousand nodes. */
export function dagrePositions({ nodes, edges }: LayoutRequest): Positions {
  const graph = new Graph();
  graph.setGraph({ rankdir: 'LR', ranksep: 72, nodesep: 60, edgesep: 30 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id, width, height } of nodes) graph.setNode(id, { width, height });
  for (const [from, to] of edges) if (from !== to) graph.setEdge(from, to);
  layout(graph);
  return Object.fromEntries(
    nodes.map(({ id, width, height }) => {
      const { x, y } = graph.node(id) as { x: number; y: number };
      return [id, { x: Math.round(x - width / 2), y: Math.round(y - height / 2) }];
    }),
  );
}
