import { z } from 'zod';
import { defineRoutes, type RouteDefinition } from './define-route.ts';

/** As large as a message over MCP may be. */
const maxBodyBytes = 16 * 1024 * 1024;
/** The tool itself parses its arguments, and refuses wrong ones in its result. */
const anyArguments = z.unknown().meta({ type: 'object', description: 'The arguments of the tool' });

const media = z.union([
  z.strictObject({ type: z.enum(['image', 'audio']), data: z.string(), mimeType: z.string() }),
  z.strictObject({ type: z.literal('resource'), uri: z.string(), data: z.string(), mimeType: z.string() }),
]);
const result = z.strictObject({
  /** False for a failed call: `data.error` says why. */
  ok: z.boolean(),
  data: z.record(z.string(), z.unknown()),
  text: z.string().optional(),
  media: z.array(media).optional(),
});

/** The tools over plain HTTP, for scripts: the arguments and results of MCP. */
export const toolRoutes = defineRoutes('Tools', {
  callTool: {
    route: 'POST /api/v1/tools/{toolset}/{name}',
    summary: "Call a tool on the caller's files. A failed call is a response with ok: false",
    access: 'caller',
    query: z.object({ root: z.enum(['mine', 'shared'], 'there is one tree now: leave root out').optional() }),
    body: anyArguments,
    maxBodyBytes,
    response: result,
    errors: ['not_found', 'busy', 'not_connected', 'unavailable'],
  },
  callMachineTool: {
    route: 'POST /api/v1/gateway/tools/{name}',
    summary: "Call a tool on the caller's connected machine. A failed call is a response with ok: false",
    access: 'caller',
    body: anyArguments,
    maxBodyBytes,
    response: result,
    errors: ['not_found', 'busy', 'not_connected'],
  },
});

/** A tool as the documentation shows it. */
export interface DescribedTool {
  readonly name: string;
  readonly title: string;
  readonly input: z.ZodType;
}

/** `callTool` as one route for each tool of a toolset, with the arguments of that tool as its body. */
export function routesOfTools(toolset: string, tools: readonly DescribedTool[]): RouteDefinition[] {
  return tools.map(({ name, title, input }) => ({
    ...toolRoutes.callTool,
    route: `POST /api/v1/tools/${toolset}/${name}`,
    operationId: `${toolset}_${name.replace(/\W/g, '_')}`,
    summary: title,
    body: input,
  }));
}
