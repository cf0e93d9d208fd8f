import { applyEdit } from './apply-edit.ts';
import { nodesById, type FlowDocument, type Json } from './document.ts';
import { printFlow } from './parse-flow.ts';
import type { Edit } from './edits.ts';
import { FlowError } from './errors.ts';
import { newNodeId } from './node-id.ts';
import { portsOf } from './node-ports.ts';
import type { Registry } from './registry.ts';
import { wrongValue } from './wrong-value.ts';

const MAX_PREVIEW = 120;

/** One operation of JSON Patch (RFC 6902) on a flow document. */
export interface PatchOperation {
  readonly op: 'add' | 'replace';
  readonly path: string;
  readonly value: Json;
}

/** A change of one field that a person accepts or dismisses. */
export interface FieldProposal {
  readonly id: string;
  readonly component_id: string;
  readonly component_type: string;
  readonly field: string;
  /** Null where the field had no value. */
  readonly old_value: Json;
  readonly new_value: Json;
  readonly description: string;
  /** The change on the document as it is now. */
  readonly patch: readonly PatchOperation[];
  /** The change by the node's id: it applies although other edits came between. */
  readonly edit: Edit;
}

/**
 * Proposes a value for a field. Tries the change on a copy first; the flow stays as it is.
 *
 * @throws FlowError `unknown_node`, `unknown_field`; `invalid_edit` where the flow is empty or the field cannot have the value
 */
export function proposeFieldEdit(
  flow: FlowDocument,
  registry: Registry,
  change: { readonly node: string; readonly field: string; readonly value: Json },
): FieldProposal {
  const { node: nodeId, field, value } = change;
  if (flow.nodes.length === 0)
    throw new FlowError('invalid_edit', 'No flow loaded. Cannot propose edits on an empty canvas.');
  const index = flow.nodes.findIndex(({ id }) => id === nodeId);
  const node = flow.nodes[index];
  if (node === undefined)
    throw new FlowError(
      'unknown_node',
      `Component '${nodeId}' not found. Available: ${quoted(flow.nodes.map(({ id }) => id))}`,
      { node: nodeId },
    );
  const entry = registry.get(node.type);
  const { fields = [], inputs = [] } = entry === undefined ? {} : portsOf(node, entry);
  const known = [...new Set([...fields, ...inputs].map(({ name }) => name))];
  if (!known.includes(field))
    throw new FlowError('unknown_field', `Field '${field}' not found on '${nodeId}'. Available: ${quoted(known)}`, {
      node: nodeId,
      field,
    });
  const declared = fields.find(({ name }) => name === field);
  const wrong = declared && wrongValue(declared, value);
  if (wrong !== undefined)
    throw new FlowError('invalid_edit', `Patch validation failed: '${field}' of ${nodeId} ${wrong}.`, {
      node: nodeId,
      field,
    });
  const has = Object.hasOwn(node.values, field);
  const edit: Edit = { kind: 'configure', id: nodeId, values: { [field]: value } };
  dryRun(flow, edit, nodeId, field, value);
  return {
    id: newNodeId('', 8).slice(1),
    component_id: nodeId,
    component_type: node.type,
    field,
    old_value: (has ? node.values[field] : undefined) ?? null,
    new_value: value,
    description: `Set ${field} to "${preview(value)}" on ${node.type}`,
    patch: [{ op: has ? 'replace' : 'add', path: `/nodes/${index}/values/${pointerPart(field)}`, value }],
    edit,
  };
}

/** Carries the change out on the flow, and back, and compares the documents. */
function dryRun(flow: FlowDocument, edit: Edit, node: string, field: string, value: Json): void {
  const { flow: changed, inverse } = applyEdit(flow, edit);
  const now = nodesById(changed).get(node)?.values[field];
  const isSame = JSON.stringify(now) === JSON.stringify(value);
  if (!isSame || printFlow(applyEdit(changed, inverse).flow) !== printFlow(flow))
    throw new FlowError('invalid_edit', 'Patch dry run: value did not change as expected', { node, field });
}

/** A value in one line. */
function preview(value: Json): string {
  const text = (typeof value === 'string' ? value : JSON.stringify(value)).replace(/\s+/g, ' ').trim();
  return text.length > MAX_PREVIEW ? `${text.slice(0, MAX_PREVIEW)}…` : text;
}

/** A key as a part of a JSON Pointer (RFC 6901). */
const pointerPart = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

const quoted = (names: readonly string[]): string => `[${names.map((name) => `'${name}'`).join(', ')}]`;
