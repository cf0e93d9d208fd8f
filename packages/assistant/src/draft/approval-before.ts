import { type FlowDocument, type FlowEdge, type FlowNode, nodeTitle, type Registry } from '@croft/flow';
import { inputOf } from './chain.ts';
import { isApproval, isWrite } from './approval.ts';
import type { RequestClause, RequestParts } from './request-parts.ts';

/** The clause that asks for a decision before a write, as in `add a step that asks me before it writes out.txt`. */
export function writeAfterApproval({ clauses }: Pick<RequestParts, 'clauses'>): RequestClause | undefined {
  const [first, second, ...others] = clauses;
  if (first === undefined || others.length > 0 || !isApproval(first)) return undefined;
  return isWrite(second) ? second : undefined;
}

/** A component that writes, and the connection that brings what it writes. */
export interface Write {
  readonly node: FlowNode;
  readonly edge: FlowEdge;
}

/** The components of a flow that change something, of those with a file of the request where it names one. */
export function writesIn(
  { nodes, edges }: FlowDocument,
  { paths, targets }: Pick<RequestParts, 'paths' | 'targets'>,
  registry: Registry,
): readonly Write[] {
  const files = [...paths, ...targets];
  return nodes.flatMap((node) => {
    const descriptor = registry.get(node.type)?.descriptor;
    const input = descriptor && inputOf(descriptor)?.name;
    const isWriter =
      descriptor?.control === undefined && descriptor?.effects.some((effect) => effect.endsWith('-write')) === true;
    const edge = edges.find(({ to }) => to.node === node.id && to.port === input);
    if (!isWriter || edge === undefined) return [];
    const isNamed = files.every((file) => Object.values(node.values).includes(file));
    return isNamed ? [{ node, edge }] : [];
  });
}

/** Components in words: “Write file” (out.txt). */
export const namesOf = (writes: readonly Write[], registry: Registry): string =>
  writes.map(({ node }) => `“${nodeTitle(node, registry)}” (${node.id})`).join(', ');
