import {
  type Edit,
  type FlowDocument,
  emptyFlow,
  FlowError,
  mergeEdit,
  newNodeId,
  parseFlow,
  type Position,
  redactFlow,
  singleEdits,
} from '@croft/flow';
import type { ComponentsRegistry } from '../api/flows.ts';

/** The beginning of the text of copied parts: a paste takes only texts that begin so. */
const KIND = 'croft/flow-part';

/** The parts of a flow with these ids, with the edges between them. */
export function partOf(flow: FlowDocument, ids: ReadonlySet<string>): FlowDocument {
  return {
    ...emptyFlow(flow.name),
    nodes: flow.nodes.filter(({ id }) => ids.has(id)),
    edges: flow.edges.filter(({ from, to }) => ids.has(from.node) && ids.has(to.node)),
    notes: flow.notes.filter(({ id }) => ids.has(id)),
    groups: flow.groups.filter(({ nodes }) => nodes.length > 0 && nodes.every((id) => ids.has(id))),
  };
}

/** Parts of a flow as text for the clipboard, without secrets. */
export function copyText(part: FlowDocument, registry: ComponentsRegistry): string {
  const { flow } = redactFlow(part, { registry, variables: new Set() });
  const { version, nodes, edges, notes, groups } = flow;
  return JSON.stringify({ kind: KIND, version, nodes, edges, notes, groups }, null, 2);
}

/** The parts in a text of the clipboard; undefined where it has none. Reads an exported flow too. @throws FlowError for broken parts */
export function readCopied(text: string): FlowDocument | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const { kind, ...rest } = value as Record<string, unknown>;
  if (!Array.isArray(rest['nodes']) || (kind !== KIND && typeof rest['version'] !== 'number')) return undefined;
  return parseFlow({ ...emptyFlow('Copied'), ...rest });
}

/** The edits that add a part, moved by this distance, and the new ids. */
export function pasteEdits(
  flow: FlowDocument,
  part: FlowDocument,
  by: Position,
): { readonly edits: readonly Edit[]; readonly ids: ReadonlySet<string> } {
  if (part.nodes.length + part.notes.length === 0)
    throw new FlowError('invalid_edit', 'The clipboard has no components.');
  const { edit, ids } = mergeEdit(flow, part, newNodeId, by);
  return { edits: singleEdits(edit), ids: new Set(ids.values()) };
}
