import { z } from 'zod';
import { jsonSchema } from '../json-value.ts';
import type { Json } from '../document.ts';
import { FlowError } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { TOOL_OUTPUT } from '../node-ports.ts';

/** A flow as Langflow 1.x exports it, reduced to what the import reads. */
export interface LangflowExport {
  readonly name: string;
  readonly description: string;
  readonly nodes: readonly ExportedNode[];
  readonly edges: readonly ExportedEdge[];
  readonly viewport: { readonly x: number; readonly y: number; readonly zoom: number };
  /** Whether each node has a position. Flows that a program wrote have none. */
  readonly isPlaced: boolean;
}

/** The output that an edge of Langflow before 1.0 starts from: a component had only one, without a name. */
export const ONLY_OUTPUT = 'output';

export interface ExportedNode {
  readonly id: string;
  readonly type: string;
  readonly displayName: string | undefined;
  readonly description: string;
  readonly position: { readonly x: number; readonly y: number };
  readonly size: { readonly width: number; readonly height: number };
  readonly color: string | undefined;
  readonly selectedOutput: string | undefined;
  readonly toolMode: boolean;
  readonly frozen: boolean;
  /** Whether a person changed the component's Python code. */
  readonly isEdited: boolean;
  readonly fields: Readonly<Record<string, ExportedField>>;
  /** The node as it was exported, without its Python code. */
  readonly original: Json;
}

export interface ExportedField {
  readonly value: Json;
  readonly isSecret: boolean;
  /** The value is the name of a variable. */
  readonly isVariable: boolean;
}

export interface ExportedEdge {
  readonly from: { readonly node: string; readonly port: string };
  readonly to: { readonly node: string; readonly port: string };
  /** Gives the component as a tool. A component may have an output of its own with the same name and other types. */
  readonly isTool: boolean;
}

const flag = z.boolean().nullish();
const position = z.object({ x: z.number(), y: z.number() });
const field = z.object({ value: jsonSchema.optional(), password: flag, load_from_db: flag });
const nodeSchema = z.object({
  id: z.string().min(1).max(200),
  /** The kind of the box on the canvas; some notes have no other type. */
  type: z.string().max(200).nullish(),
  position: position.nullish(),
  width: z.number().positive().nullish(),
  height: z.number().positive().nullish(),
  data: z.object({
    type: z.string().min(1).max(200).nullish(),
    selected_output: z.string().nullish(),
    node: z
      .object({
        display_name: z.string().nullish(),
        description: z.string().nullish(),
        tool_mode: flag,
        frozen: flag,
        edited: flag,
        template: z.record(z.string(), z.unknown()).nullish(),
      })
      .nullish(),
  }),
});
const edgeSchema = z.object({
  source: z.string(),
  target: z.string(),
  sourceHandle: z.string().nullish(),
  targetHandle: z.string().nullish(),
  data: z.object({ sourceHandle: z.unknown(), targetHandle: z.unknown() }).partial().nullish(),
});
const exportSchema = z.object({
  name: z.string().max(200).nullish(),
  description: z.string().max(10_000).nullish(),
  data: z.object({
    nodes: z.array(z.unknown()).max(LIMITS.nodes),
    edges: z.array(z.unknown()).max(LIMITS.edges),
    viewport: z.object({ x: z.number(), y: z.number(), zoom: z.number().positive() }).nullish().catch(undefined),
  }),
});

const NOTE_SIZE = { width: 324, height: 200 };

/** Whether a JSON value looks like an export of Langflow. Croft's own documents have no `data`. */
export function isLangflowExport(value: unknown): boolean {
  const data = (value as { data?: { nodes?: unknown } } | null)?.data;
  return Array.isArray(data?.nodes);
}

/**
 * Reads an export of Langflow 1.x. Unknown properties are ignored.
 *
 * @throws FlowError `invalid_document`, with the node or edge that cannot be read
 */
export function readLangflowExport(value: unknown): LangflowExport {
  const parsed = exportSchema.safeParse(value);
  if (!parsed.success) throw unreadable('The Langflow export', parsed.error);
  const { name, description, data } = parsed.data;
  return {
    name: name ?? 'Imported flow',
    description: description ?? '',
    nodes: data.nodes.map(readNode),
    isPlaced: data.nodes.every((node) => (node as { position?: unknown }).position != null),
    edges: data.edges.map(readEdge),
    viewport: data.viewport ?? { x: 0, y: 0, zoom: 1 },
  };
}

function readNode(value: unknown, index: number): ExportedNode {
  const parsed = nodeSchema.safeParse(value);
  if (!parsed.success) throw unreadable(`Node ${index + 1} of the Langflow export`, parsed.error);
  const { id, position: at, width, height, data } = parsed.data;
  const { node } = data;
  const fields: Record<string, ExportedField> = {};
  for (const [name, each] of Object.entries(node?.template ?? {})) {
    const read = name === 'code' ? undefined : field.safeParse(each);
    if (read?.success !== true) continue;
    fields[name] = {
      value: (read.data.value ?? null) as Json,
      isSecret: read.data.password === true,
      isVariable: read.data.load_from_db === true,
    };
  }
  return {
    id,
    type: data.type ?? parsed.data.type ?? 'unknown',
    displayName: node?.display_name ?? undefined,
    description: node?.description ?? '',
    position: { x: at?.x ?? 0, y: at?.y ?? 0 },
    size: { width: width ?? NOTE_SIZE.width, height: height ?? NOTE_SIZE.height },
    color: colorOf(node?.template),
    selectedOutput: data.selected_output ?? undefined,
    toolMode: node?.tool_mode === true,
    frozen: node?.frozen === true,
    isEdited: node?.edited === true,
    fields,
    original: withoutCode(value),
  };
}

const colorOf = (template: Readonly<Record<string, unknown>> | null | undefined): string | undefined => {
  const color = template?.['backgroundColor'];
  return typeof color === 'string' && color.length <= 40 ? color : undefined;
};

/** Python code and secrets stay out of the document. */
function withoutCode(value: unknown): Json {
  const text = JSON.stringify(value, (key, each: unknown) => {
    if (key === 'code') return undefined;
    const isSecret = typeof each === 'object' && each !== null && (each as { password?: unknown }).password === true;
    return isSecret && (each as { load_from_db?: unknown }).load_from_db !== true ? { ...each, value: '' } : each;
  });
  return JSON.parse(text) as Json;
}

function readEdge(value: unknown, index: number): ExportedEdge {
  const what = `Edge ${index + 1} of the Langflow export`;
  const parsed = edgeSchema.safeParse(value);
  if (!parsed.success) throw unreadable(what, parsed.error);
  const { source, target, data } = parsed.data;
  const from = decodeHandle(data?.sourceHandle, parsed.data.sourceHandle);
  const to = decodeHandle(data?.targetHandle, parsed.data.targetHandle);
  const output = from['name'] ?? (from['baseClasses'] === undefined ? undefined : ONLY_OUTPUT);
  // The end of an edge at an output of a loop has a name in place of a field name.
  const port = to['fieldName'] ?? to['name'];
  if (typeof output !== 'string' || typeof port !== 'string')
    throw new FlowError('invalid_document', `${what} does not name its ports. Export the flow again.`);
  const types = from['output_types'];
  const isTool = output === TOOL_OUTPUT.name && (!Array.isArray(types) || types.includes('Tool'));
  return { from: { node: source, port: output }, to: { node: target, port }, isTool };
}

/**
 * A handle as an object, or as the text of an older export: JSON with `œ` in place of quotes, or before 1.0
 * `Type|id|class|…` at a source and `type|field|id` at a target.
 */
function decodeHandle(object: unknown, text: string | null | undefined): Readonly<Record<string, unknown>> {
  if (typeof object === 'object' && object !== null) return object as Record<string, unknown>;
  if (text?.includes('|') === true && !text.startsWith('{'))
    return { baseClasses: text.split('|').slice(2), fieldName: text.split('|')[1] };
  try {
    const decoded: unknown = JSON.parse((text ?? '').replaceAll('œ', '"'));
    return typeof decoded === 'object' && decoded !== null ? (decoded as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function unreadable(what: string, error: z.ZodError): FlowError {
  const issue = error.issues[0];
  const place = issue && issue.path.length > 0 ? `, field '${issue.path.join('.')}'` : '';
  return new FlowError('invalid_document', `${what}${place} cannot be read: ${issue?.message ?? 'unknown form'}.`);
}
