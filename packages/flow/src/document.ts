import { z } from 'zod';
import { FlowError } from './errors.ts';
import { jsonRecordSchema, jsonSchema, type Json } from './json-value.ts';
import { LIMITS } from './limits.ts';
import { migrate } from './migrations.ts';
import { type Parts, toEnd } from './parts.ts';

export { jsonSchema, type Json } from './json-value.ts';

/** A text that a database takes as it is: PostgreSQL refuses NUL. */
const label = z
  .string()
  .max(200)
  .refine((text) => !text.includes('\0'), 'must not contain a NUL character');
/** An id or a port. As the key of a record, `__proto__` would change the prototype of every object. */
const name = label.min(1).refine((text) => text !== '__proto__', "must not be '__proto__'");
export const positionSchema = z.strictObject({ x: z.number(), y: z.number() });

/** A port of a node: an output where it is the start of an edge, an input (or a loop's output) where it is the end. */
const portRef = z.strictObject({ node: name, port: name });

export const edgeSchema = z.strictObject({ from: portRef, to: portRef });

export const runOptionsSchema = z.strictObject({
  /** Attempts after the first one, and the pause before each, in milliseconds. */
  retry: z.strictObject({ attempts: z.int().min(1).max(10), delayMs: z.int().min(0).max(600_000) }).optional(),
  timeoutMs: z.int().min(1).max(86_400_000).optional(),
  /** `stop` ends the run (the default), `continue` prunes what depends on the node, `port` sends the error to port `error`. */
  onError: z.enum(['stop', 'continue', 'port']).optional(),
  /** A frozen node gives its stored outputs while its inputs are the same. */
  frozen: z.boolean().optional(),
});

export const nodeSchema = z.strictObject({
  id: name,
  type: name,
  /** The name that people gave the node. */
  name: label.optional(),
  position: positionSchema,
  values: jsonRecordSchema,
  selectedOutput: name.optional(),
  toolMode: z.boolean().optional(),
  /** Model fields that take their value from an edge instead of the inspector. */
  connectedFields: z.array(name).optional(),
  /** Outputs fixed by hand: a run uses them and does not start the node. */
  pinned: jsonRecordSchema.optional(),
  run: runOptionsSchema.optional(),
  /** TypeScript of a user's component, where it differs from the registered source. */
  code: z
    .string()
    .max(1024 * 1024)
    .optional(),
  /** The imported node, where the importer could not map it: nothing is lost. */
  original: jsonSchema.optional(),
});

export const noteSchema = z.strictObject({
  id: name,
  position: positionSchema,
  size: z.strictObject({ width: z.number(), height: z.number() }),
  /** Markdown. */
  text: z.string(),
  color: z.string().max(40).optional(),
});

export const groupSchema = z.strictObject({ id: name, name: label, nodes: z.array(name) });

export const viewportSchema = z.strictObject({ x: z.number(), y: z.number(), zoom: z.number().positive() });

const content = z.strictObject({
  name: label,
  description: z.string().max(10_000),
  nodes: z.array(nodeSchema),
  edges: z.array(edgeSchema),
  notes: z.array(noteSchema),
  groups: z.array(groupSchema),
  viewport: viewportSchema,
});

export type Position = Readonly<z.infer<typeof positionSchema>>;
export type PortRef = Readonly<z.infer<typeof portRef>>;
export type FlowEdge = Readonly<{ from: PortRef; to: PortRef }>;
export type RunOptions = Readonly<z.infer<typeof runOptionsSchema>>;
export type FlowNote = Readonly<z.infer<typeof noteSchema>>;
export type FlowGroup = Readonly<{ id: string; name: string; nodes: readonly string[] }>;

/** One component on the canvas. */
export interface FlowNode {
  readonly id: string;
  readonly type: string;
  readonly name?: string | undefined;
  readonly position: Position;
  readonly values: Readonly<Record<string, Json>>;
  readonly selectedOutput?: string | undefined;
  readonly toolMode?: boolean | undefined;
  readonly connectedFields?: readonly string[] | undefined;
  readonly pinned?: Readonly<Record<string, Json>> | undefined;
  readonly run?: RunOptions | undefined;
  readonly code?: string | undefined;
  readonly original?: Json | undefined;
}

/** A flow without its version: the part that people and agents edit. */
export interface FlowContent {
  readonly name: string;
  readonly description: string;
  readonly nodes: readonly FlowNode[];
  readonly edges: readonly FlowEdge[];
  readonly notes: readonly FlowNote[];
  readonly groups: readonly FlowGroup[];
  readonly viewport: Readonly<{ x: number; y: number; zoom: number }>;
}

/** The version that this code writes. `migrations.ts` lifts older documents to it. */
export const DOCUMENT_VERSION = 1;

/** A flow as it is stored and exported. */
export interface FlowDocument extends FlowContent {
  readonly version: typeof DOCUMENT_VERSION;
}

/** A document whose nodes and edges are not parsed yet. */
const frame = content.extend({ nodes: z.array(z.unknown()), edges: z.array(z.unknown()) });

/** A flow without nodes. */
export function emptyFlow(flowName = 'Untitled Flow'): FlowDocument {
  return {
    version: DOCUMENT_VERSION,
    name: flowName,
    description: '',
    nodes: [],
    edges: [],
    notes: [],
    groups: [],
    viewport: { x: 0, y: 0, zoom: 1 },
  };
}

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

/** Two ends as one string, for sets and maps of edges. Ids and ports cannot contain a line feed in practice; JSON keeps it exact. */
export const edgeKey = ({ from, to }: FlowEdge): string => JSON.stringify([from.node, from.port, to.node, to.port]);

/** Whether two edges join the same ports. Cheaper than keys where one edge is looked up. */
export const sameEdge = (one: FlowEdge, other: FlowEdge): boolean =>
  one.from.node === other.from.node &&
  one.to.node === other.to.node &&
  one.from.port === other.from.port &&
  one.to.port === other.to.port;

/** Node by id. */
export function nodesById(flow: Pick<FlowContent, 'nodes'>): Map<string, FlowNode> {
  return new Map(flow.nodes.map((each) => [each.id, each]));
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
