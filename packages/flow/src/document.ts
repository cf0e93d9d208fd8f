import { z } from 'zod';
import { jsonRecordSchema, jsonSchema, type Json } from './json-value.ts';

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

export const contentSchema = z.strictObject({
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

/** A flow without nodes. */
export function emptyFlow(flowName = 'Untitled flow'): FlowDocument {
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

/** A flow without the version of its format: what `set_flow` takes. */
export function contentOf({ name, description, nodes, edges, notes, groups, viewport }: FlowContent): FlowContent {
  return { name, description, nodes, edges, notes, groups, viewport };
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
