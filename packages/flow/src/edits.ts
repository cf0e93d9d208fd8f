import { z } from 'zod';
import {
  edgeSchema,
  groupSchema,
  nodeSchema,
  noteSchema,
  positionSchema,
  runOptionsSchema,
  viewportSchema,
  type FlowContent,
  type FlowEdge,
  type FlowGroup,
  type FlowNode,
  type FlowNote,
  type Position,
  type RunOptions,
} from './document.ts';
import { jsonRecordSchema, jsonSchema, type Json } from './json-value.ts';
import { LIMITS } from './limits.ts';

/** One change of a flow, as data. `applyEdit` carries it out and gives its inverse. */
export type Edit =
  /** Adds a node; an inverse also names its place in the list, its edges and its groups with their places. */
  | {
      readonly kind: 'add_component';
      readonly node: FlowNode;
      readonly at?: number | undefined;
      readonly edges?: readonly { readonly edge: FlowEdge; readonly at: number }[] | undefined;
      readonly groups?: readonly { readonly group: string; readonly at: number }[] | undefined;
    }
  /** Removes a node, its edges, and its membership of groups. */
  | { readonly kind: 'remove_component'; readonly id: string }
  /** Connecting what is connected changes nothing. */
  | { readonly kind: 'connect'; readonly edge: FlowEdge; readonly at?: number | undefined }
  | { readonly kind: 'disconnect'; readonly edge: FlowEdge }
  /** Sets some values of a node and removes others. */
  | {
      readonly kind: 'configure';
      readonly id: string;
      readonly values: Readonly<Record<string, Json>>;
      readonly unset?: readonly string[] | undefined;
    }
  | { readonly kind: 'set_flow'; readonly flow: FlowContent }
  | { readonly kind: 'set_details'; readonly name?: string | undefined; readonly description?: string | undefined }
  | { readonly kind: 'select_output'; readonly id: string; readonly output: string | null }
  /** Whether a model field takes its value from an edge. */
  | { readonly kind: 'set_connection_mode'; readonly id: string; readonly field: string; readonly enabled: boolean }
  | { readonly kind: 'enable_tool_mode'; readonly id: string; readonly enabled: boolean }
  /** Moves components and notes, by their ids. */
  | { readonly kind: 'move'; readonly positions: Readonly<Record<string, Position>> }
  /** Names a node; null removes the name. */
  | { readonly kind: 'rename'; readonly id: string; readonly name: string | null }
  | { readonly kind: 'set_code'; readonly id: string; readonly code: string | null }
  /** Fixes an output to a value; without a value the output is computed again. */
  | { readonly kind: 'pin_output'; readonly id: string; readonly output: string; readonly value?: Json | undefined }
  | { readonly kind: 'set_run_options'; readonly id: string; readonly run: RunOptions | null }
  /** Adds a note or replaces the one with the same id. */
  | { readonly kind: 'set_note'; readonly note: FlowNote; readonly at?: number | undefined }
  | { readonly kind: 'remove_note'; readonly id: string }
  | { readonly kind: 'set_group'; readonly group: FlowGroup; readonly at?: number | undefined }
  | { readonly kind: 'remove_group'; readonly id: string }
  | { readonly kind: 'set_viewport'; readonly viewport: FlowContent['viewport'] }
  /** Several edits as one step: all of them or none. */
  | { readonly kind: 'batch'; readonly edits: readonly Edit[] };

export type EditKind = Edit['kind'];

const id = z
  .string()
  .min(1)
  .max(200)
  .refine((text) => text !== '__proto__', "must not be '__proto__'");
const at = z.int().min(0).optional();
const placed = { at: z.int().min(0) };

/** Parses edits that come from outside. Content of a flow is checked again when the edit is applied. */
export const editSchema: z.ZodType<Edit> = z.lazy(() => union);

const union = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('add_component'),
    node: nodeSchema,
    at,
    edges: z.array(z.strictObject({ edge: edgeSchema, ...placed })).optional(),
    groups: z.array(z.strictObject({ group: id, ...placed })).optional(),
  }),
  z.strictObject({ kind: z.literal('remove_component'), id }),
  z.strictObject({ kind: z.literal('connect'), edge: edgeSchema, at }),
  z.strictObject({ kind: z.literal('disconnect'), edge: edgeSchema }),
  z.strictObject({
    kind: z.literal('configure'),
    id,
    values: jsonRecordSchema,
    unset: z.array(z.string()).optional(),
  }),
  z.strictObject({
    kind: z.literal('set_flow'),
    flow: z.custom<FlowContent>((value) => typeof value === 'object' && value !== null),
  }),
  z.strictObject({
    kind: z.literal('set_details'),
    name: z.string().max(200).optional(),
    description: z.string().max(10_000).optional(),
  }),
  z.strictObject({ kind: z.literal('select_output'), id, output: id.nullable() }),
  z.strictObject({ kind: z.literal('set_connection_mode'), id, field: id, enabled: z.boolean() }),
  z.strictObject({ kind: z.literal('enable_tool_mode'), id, enabled: z.boolean() }),
  z.strictObject({ kind: z.literal('move'), positions: z.record(z.string(), positionSchema) }),
  z.strictObject({ kind: z.literal('rename'), id, name: z.string().max(200).nullable() }),
  z.strictObject({ kind: z.literal('set_code'), id, code: z.string().nullable() }),
  z.strictObject({ kind: z.literal('pin_output'), id, output: id, value: jsonSchema.optional() }),
  z.strictObject({ kind: z.literal('set_run_options'), id, run: runOptionsSchema.nullable() }),
  z.strictObject({ kind: z.literal('set_note'), note: noteSchema, at }),
  z.strictObject({ kind: z.literal('remove_note'), id }),
  z.strictObject({ kind: z.literal('set_group'), group: groupSchema, at }),
  z.strictObject({ kind: z.literal('remove_group'), id }),
  z.strictObject({ kind: z.literal('set_viewport'), viewport: viewportSchema }),
  z.strictObject({ kind: z.literal('batch'), edits: z.array(editSchema).max(LIMITS.editsAtOnce) }),
]);
