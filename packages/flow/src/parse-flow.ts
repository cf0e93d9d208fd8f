import { z } from 'zod';
import {
  contentSchema,
  DOCUMENT_VERSION,
  edgeKey,
  edgeSchema,
  type FlowDocument,
  type FlowEdge,
  type FlowNode,
  nodesById,
  nodeSchema,
} from './document.ts';
import { FlowError } from './errors.ts';
import { LIMITS } from './limits.ts';
import { migrate } from './migrations.ts';
import { type Parts, toEnd } from './parts.ts';

/** A document whose nodes and edges are not parsed yet. */
const frame = contentSchema.extend({ nodes: z.array(z.unknown()), edges: z.array(z.unknown()) });

/**
 * Reads a stored or imported document, lifting an older version.
 *
 * Guarantees: node, note and group ids are unique; both ends of an edge and the members of a group exist; values are
 * in canonical order, so that equal documents print the same text. Does not know components: unknown types and ports
 * pass, `validateFlow` reports them.
 *
 * @throws FlowError `newer_version`, `too_large`, `invalid_document`; the message names the node and field
 */
export function parseFlow(value: unknown): FlowDocument {
  return toEnd(parseFlowInParts(value));
}

/** The same as {@link parseFlow}, in parts of a few milliseconds: a server can answer other requests in between. */
export function* parseFlowInParts(value: unknown): Parts<FlowDocument> {
  refuseTooLarge(value);
  const lifted = migrate(value);
  const { version: _, ...rest } = lifted;
  const parsed = frame.safeParse(rest);
  if (!parsed.success) throw invalid(lifted, parsed.error.issues[0]);
  const nodes: FlowNode[] = [];
  for (const [index, each] of parsed.data.nodes.entries()) {
    const node = nodeSchema.safeParse(each);
    if (!node.success) throw invalid(lifted, node.error.issues[0], ['nodes', index]);
    nodes.push(canonicalNode(node.data as FlowNode));
    if (index % NODES_OF_PART === 0) yield;
  }
  const edges: FlowEdge[] = [];
  for (const [index, each] of parsed.data.edges.entries()) {
    const edge = edgeSchema.safeParse(each);
    if (!edge.success) throw invalid(lifted, edge.error.issues[0], ['edges', index]);
    edges.push(edge.data);
    if (index % EDGES_OF_PART === 0) yield;
  }
  const document = { version: DOCUMENT_VERSION, ...parsed.data, nodes, edges } as FlowDocument;
  yield* checkReferences(document);
  return document;
}

const NODES_OF_PART = 200;
const EDGES_OF_PART = 1_000;

/** The text of a document. Equal documents give equal text. */
export function printFlow(document: FlowDocument): string {
  return `${JSON.stringify(canonicalFlow(document), null, 2)}\n`;
}

/** A node whose keys and values are in one fixed order and which has no key without a value. */
export function canonicalNode(node: FlowNode): FlowNode {
  const { id, type, position, values } = node;
  const result: Record<string, unknown> = { id, type };
  if (node.name !== undefined) result['name'] = node.name;
  result['position'] = { x: position.x, y: position.y };
  result['values'] = sortKeys(values);
  if (node.selectedOutput !== undefined) result['selectedOutput'] = node.selectedOutput;
  if (node.toolMode === true) result['toolMode'] = true;
  if (node.connectedFields?.length) result['connectedFields'] = [...node.connectedFields].sort();
  if (node.pinned && Object.keys(node.pinned).length > 0) result['pinned'] = sortKeys(node.pinned);
  const run =
    node.run && Object.fromEntries(Object.entries(sortKeys(node.run)).filter(([, each]) => each !== undefined));
  if (run && Object.keys(run).length > 0) result['run'] = run;
  if (node.code !== undefined) result['code'] = node.code;
  if (node.original !== undefined) result['original'] = node.original;
  return result as unknown as FlowNode;
}

function canonicalFlow(flow: FlowDocument): FlowDocument {
  const { version, name: flowName, description, nodes, edges, notes, groups, viewport } = flow;
  return {
    version,
    name: flowName,
    description,
    nodes: nodes.map(canonicalNode),
    edges: edges.map(({ from, to }) => ({
      from: { node: from.node, port: from.port },
      to: { node: to.node, port: to.port },
    })),
    notes,
    groups,
    viewport,
  };
}

function sortKeys<T extends object>(record: T): T {
  const keys = Object.keys(record);
  if (keys.every((key, index) => index === 0 || (keys[index - 1] as string) <= key)) return record;
  return Object.fromEntries(keys.sort().map((key) => [key, record[key as keyof T]])) as T;
}

function refuseTooLarge(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, most] of [
    ['nodes', LIMITS.nodes],
    ['edges', LIMITS.edges],
    ['notes', LIMITS.notes],
    ['groups', LIMITS.groups],
  ] as const) {
    const list = (value as Record<string, unknown>)[key];
    if (Array.isArray(list) && list.length > most)
      throw new FlowError(
        'too_large',
        `The flow has ${list.length} ${key}; Croft opens at most ${most}. Split the flow.`,
      );
  }
}

function invalid(
  document: Record<string, unknown>,
  issue: z.core.$ZodIssue | undefined,
  prefix: readonly (string | number)[] = [],
): FlowError {
  const path = [...prefix, ...(issue?.path ?? [])];
  const [list, index, ...field] = path;
  const item = typeof index === 'number' ? (document[list as string] as unknown[] | undefined)?.[index] : undefined;
  const id = (item as { id?: unknown } | undefined)?.id;
  const place = list === 'nodes' && typeof id === 'string' ? `Node '${id}'` : path.join('.') || 'The document';
  const rest = list === 'nodes' && typeof id === 'string' && field.length > 0 ? `, field '${field.join('.')}'` : '';
  return new FlowError('invalid_document', `${place}${rest}: ${issue?.message ?? 'is not understood'}.`, {
    ...(typeof id === 'string' && { node: id }),
    ...(field.length > 0 && { field: field.join('.') }),
  });
}

function* checkReferences(flow: FlowDocument): Parts<void> {
  const ids = new Set<string>();
  for (const { id } of [...flow.nodes, ...flow.notes, ...flow.groups]) {
    if (ids.has(id))
      throw new FlowError('invalid_document', `The id '${id}' is used twice. Give one of them another id.`, {
        node: id,
      });
    ids.add(id);
  }
  const nodes = nodesById(flow);
  const seen = new Set<string>();
  for (const each of flow.edges) {
    if (seen.size % EDGES_OF_PART === 0) yield;
    for (const end of [each.from, each.to])
      if (!nodes.has(end.node))
        throw new FlowError(
          'invalid_document',
          `An edge names node '${end.node}', which does not exist. Remove the edge.`,
          { node: end.node },
        );
    const key = edgeKey(each);
    if (seen.has(key))
      throw new FlowError(
        'invalid_document',
        `The edge ${each.from.node}.${each.from.port} -> ${each.to.node}.${each.to.port} exists twice.`,
        { node: each.to.node, field: each.to.port },
      );
    seen.add(key);
  }
  for (const each of flow.groups)
    for (const member of each.nodes)
      if (!nodes.has(member))
        throw new FlowError('invalid_document', `Group '${each.name}' names node '${member}', which does not exist.`, {
          node: member,
        });
}
