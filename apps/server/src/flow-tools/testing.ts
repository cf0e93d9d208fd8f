import { z } from 'zod';
import type { FlowTool } from './flow-tool.ts';

/** The definitions of tools as clients and models read them: a line for each, and one for each field of its input and output. For tests. */
export function shownTools(tools: readonly FlowTool[]): string[] {
  const fields = (schema: z.ZodObject, mark: string): string[] => {
    const { properties = {}, required = [] } = z.toJSONSchema(schema, { unrepresentable: 'any' });
    return Object.entries(properties).map(([name, field]) => {
      const { description = '', ...form } = field as Record<string, unknown>;
      return `${mark} ${name}${required.includes(name) ? '' : '?'}: ${JSON.stringify(form)} ${description}`.trimEnd();
    });
  };
  return tools.flatMap(({ name, title, description, input, output, annotations, undoable }) => [
    [name, title, description, JSON.stringify(annotations), undoable ? 'undoable' : 'final'].join(' | '),
    ...fields(input, '-'),
    ...fields(output, '=>'),
  ]);
}

/** What `shownTools` gives for the properties of a flow in results of tools. */
export const SHOWN_FLOW = [
  '=> id: {"type":"string"}',
  '=> name: {"type":"string"}',
  '=> description: {"type":"string"}',
  '=> revision: {"type":"number"}',
  '=> node_count: {"type":"number"}',
  '=> edge_count: {"type":"number"}',
];

/** What `shownTools` gives for a flow with its graph and components. */
export const SHOWN_WHOLE_FLOW = [
  ...SHOWN_FLOW,
  '=> graph: {"type":"string"}',
  '=> spec_summary: {"type":"string"}',
  '=> components: {"type":"array","items":{"type":"object","properties":{"id":{"type":"string"},"type":{"type":"string"},"display_name":{"type":"string"},"frozen":{"type":"boolean"}},"required":["id","type","display_name","frozen"],"additionalProperties":false}}',
  '=> inputs: {"type":"array","items":{"type":"object","properties":{},"additionalProperties":{}}}',
  '=> outputs: {"type":"array","items":{"type":"object","properties":{},"additionalProperties":{}}}',
];
