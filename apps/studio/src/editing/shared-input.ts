import { type FlowDocument, type FlowEdge, nodeTitle, portsOf, TOOL_OUTPUT } from '@croft/flow';
import type { ComponentsRegistry } from '../api/flows.ts';

/** An input with several connections. */
export interface SharedInput {
  /** How their values come together. */
  readonly sentence: string;
  /** All connections but the given one. */
  readonly others: readonly FlowEdge[];
}

/** The input of a connection, if others lead to it too. Undefined for one connection, and for tools, which are often several. */
export function sharedInput(
  flow: FlowDocument,
  registry: ComponentsRegistry,
  { from, to }: FlowEdge,
): SharedInput | undefined {
  const others = flow.edges.filter(
    (each) =>
      each.to.node === to.node &&
      each.to.port === to.port &&
      (each.from.node !== from.node || each.from.port !== from.port),
  );
  const node = flow.nodes.find(({ id }) => id === to.node);
  const entry = node && registry.get(node.type);
  if (others.length === 0 || from.port === TOOL_OUTPUT.name || !node || !entry) return undefined;
  const input = portsOf(node, entry).inputs.find(({ name }) => name === to.port);
  if (!input) return undefined;
  const way = input.list ? 'joins the values of all' : 'uses the last one that brings a value';
  const title = nodeTitle(node, registry);
  return { sentence: `“${input.label}” of ${title} has ${others.length + 1} connections now, and ${way}.`, others };
}
