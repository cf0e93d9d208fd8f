import type { FlowContent, FlowDocument } from '@croft/flow';

/** A flow without what belongs to its document. */
export function contentOf({ name, description, nodes, edges, notes, groups, viewport }: FlowDocument): FlowContent {
  return { name, description, nodes, edges, notes, groups, viewport };
}
