import type { AnyTool } from '@croft/tools';
import type { Tool as ListedTool } from '@modelcontextprotocol/server';
import { z } from 'zod';

const listed = new WeakMap<AnyTool, ListedTool>();

/** Converts tools for `tools/list`. Derives each schema once. */
export function toToolListing(tools: readonly AnyTool[]): ListedTool[] {
  return tools.map((tool) => {
    const known = listed.get(tool) ?? describe(tool);
    listed.set(tool, known);
    return known;
  });
}

function describe(tool: AnyTool): ListedTool {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: schemaOf(tool.input),
    ...(tool.structured && tool.output && { outputSchema: schemaOf(tool.output) }),
    annotations: { title: tool.title, ...tool.annotations },
  };
}

/** Tools that are made for each caller share their schemas. */
const schemas = new WeakMap<z.ZodType, ListedTool['inputSchema']>();

function schemaOf(schema: z.ZodType): ListedTool['inputSchema'] {
  const known = schemas.get(schema);
  if (known !== undefined) return known;
  const derived = z.toJSONSchema(schema, { io: 'input' }) as ListedTool['inputSchema'];
  schemas.set(schema, derived);
  return derived;
}
