import type { FlowDocument } from '@croft/flow';
import { problem } from '../routes/route.ts';

/**
 * The part of a flow that ends at a component: it, and everything that leads to it.
 *
 * @throws Problem `invalid` where the flow has no such component
 */
export function flowUntil(flow: FlowDocument, until: string): FlowDocument {
  if (!flow.nodes.some(({ id }) => id === until))
    throw problem('invalid', `until: The flow has no component '${until}'.`);
  const sources = new Map<string, string[]>();
  for (const { from, to } of flow.edges) sources.set(to.node, [...(sources.get(to.node) ?? []), from.node]);
  const needed = new Set([until]);
  for (const id of needed) for (const source of sources.get(id) ?? []) needed.add(source);
  return {
    ...flow,
    nodes: flow.nodes.filter(({ id }) => needed.has(id)),
    edges: flow.edges.filter(({ from, to }) => needed.has(from.node) && needed.has(to.node)),
    groups: flow.groups.map((group) => ({ ...group, nodes: group.nodes.filter((id) => needed.has(id)) })),
  };
}
