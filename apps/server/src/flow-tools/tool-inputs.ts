import { describeFlowIo, type FlowDocument, portsOf, type Registry } from '@croft/flow';
import { z } from 'zod';

/** A value that a call of a published flow gives to one of the flow's inputs. */
export interface ToolInput {
  /** In the arguments of a call. */
  readonly name: string;
  readonly node: string;
  readonly field: string;
  readonly type: 'string' | 'number' | 'integer' | 'boolean';
  /** False where the flow has a value of its own. */
  readonly required: boolean;
  readonly description: string;
}

const MAX_NAME = 58;
/** Of one tool: all of them are in the context of every agent of the user. */
const MAX_INPUTS = 50;
const MAX_ABOUT = 200;
const MAX_TEXT = 1_000_000;
const TYPES: Readonly<Record<string, ToolInput['type']>> = {
  number: 'number',
  slider: 'number',
  integer: 'integer',
  switch: 'boolean',
};

/**
 * The first inputs of a flow as arguments, in the order of the flow. Only components that are inputs count, and no triggers.
 * Stored components are never inputs, so the registry of the flow's own code is sufficient.
 */
export function toolInputsOf(flow: FlowDocument, registry: Registry): readonly ToolInput[] {
  const nodes = new Map(flow.nodes.map((node) => [node.id, node]));
  const taken = new Set<string>();
  return describeFlowIo(flow, registry).inputs.flatMap(({ id, value_field: field }) => {
    const node = nodes.get(id);
    const entry = node && registry.get(node.type);
    if (node === undefined || entry?.descriptor.boundary !== 'input' || taken.size >= MAX_INPUTS) return [];
    const found = portsOf(node, entry).fields.find(({ name }) => name === field);
    const label = node.name ?? entry.descriptor.label;
    const value = node.values[field];
    return [
      {
        name: freeName(wordOf(label) || 'input', taken),
        node: id,
        field,
        type: TYPES[found?.kind ?? ''] ?? 'string',
        required: value === undefined || value === null || value === '',
        // Every user who may edit the flow names its components.
        description: label
          .replace(/[\p{C}\s]+/gu, ' ')
          .trim()
          .slice(0, MAX_ABOUT),
      },
    ];
  });
}

/** The schema of the arguments. */
export const shapeOfInputs = (inputs: readonly ToolInput[]): z.ZodRawShape =>
  Object.fromEntries(
    inputs.map(({ name, type, required, description }) => {
      const value = schemaOf(type).describe(description);
      return [name, required ? value : value.optional()];
    }),
  );

/** A name for the tool of a flow. */
export const toolNameOf = (flowName: string): string => `flow_${wordOf(flowName) || 'untitled'}`;

function schemaOf(type: ToolInput['type']): z.ZodType {
  if (type === 'number') return z.number();
  if (type === 'integer') return z.int();
  return type === 'boolean' ? z.boolean() : z.string().max(MAX_TEXT);
}

const wordOf = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .slice(0, MAX_NAME)
    .replace(/^_+|_+$/g, '');

function freeName(name: string, taken: Set<string>): string {
  let free = name;
  for (let count = 2; taken.has(free); count++) free = `${name}_${count}`;
  taken.add(free);
  return free;
}
