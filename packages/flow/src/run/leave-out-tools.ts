import type { FlowDocument } from '../document.ts';
import type { Registry } from '../registry.ts';

/** A flow that can be planned, and the ids of the tools that are missing from it. */
export interface WithoutUnmappedTools {
  readonly flow: FlowDocument;
  readonly leftOut: readonly string[];
}

/**
 * Leaves out imported nodes that have no component here and that only give a tool to agents: an agent works without one
 * tool. An unmapped node with any other edge stays, so that the run is refused before it starts.
 */
export function withoutUnmappedTools(flow: FlowDocument, registry: Registry): WithoutUnmappedTools {
  const candidates = new Set(
    flow.nodes
      .filter((node) => node.original !== undefined && node.toolMode === true && !registry.get(node.type))
      .map(({ id }) => id),
  );
  if (candidates.size === 0) return { flow, leftOut: [] };
  const isTool = new Set<string>();
  for (const { from } of flow.edges) if (from.port === 'component_as_tool') isTool.add(from.node);
  for (const { from, to } of flow.edges) {
    if (from.port !== 'component_as_tool') isTool.delete(from.node);
    isTool.delete(to.node);
  }
  const leftOut = [...candidates].filter((id) => isTool.has(id));
  if (leftOut.length === 0) return { flow, leftOut };
  const gone = new Set(leftOut);
  return {
    flow: {
      ...flow,
      nodes: flow.nodes.filter(({ id }) => !gone.has(id)),
      edges: flow.edges.filter(({ from, to }) => !gone.has(from.node) && !gone.has(to.node)),
      groups: flow.groups.map((group) => ({ ...group, nodes: group.nodes.filter((id) => !gone.has(id)) })),
    },
    leftOut,
  };
}
