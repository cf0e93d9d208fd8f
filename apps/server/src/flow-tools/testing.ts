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
