import { z } from 'zod';
import { defineRoutes } from './define-route.ts';

const server = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('http'),
    url: z.string().trim().min(1).max(2_000),
    /** The name of a variable that is bound to the host. */
    credential: z.string().trim().max(200).default(''),
  }),
  z.strictObject({ kind: z.literal('command'), command: z.string().trim().min(1).max(500) }),
]);

/** MCP servers that the component `MCPTools` of a flow names. */
export const mcpServerRoutes = defineRoutes('Runs', {
  // A session: a stolen key must not connect with credentials of the user in requests that no run shows.
  listMcpTools: {
    route: 'POST /api/v1/mcp-servers/tools',
    summary:
      'List the tools of an MCP server as a run reaches it: at public and allowed addresses, and by allowed commands of administrators',
    access: 'session',
    body: z.strictObject({ server }),
    response: z.strictObject({
      /** At most 200, without secrets. Empty where the server could not be asked. */
      tools: z.array(
        z.strictObject({
          name: z.string(),
          description: z.string(),
          /** JSON Schema of the arguments; empty for one above 20,000 characters. */
          parameters: z.record(z.string(), z.unknown()),
          /** A statement of the server, not checked. */
          readOnly: z.boolean(),
        }),
      ),
      failure: z.strictObject({ message: z.string(), fix: z.string() }).nullable(),
    }),
    errors: ['busy'],
  },
});
