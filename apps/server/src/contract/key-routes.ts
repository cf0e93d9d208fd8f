import { z } from 'zod';
import { defineRoutes } from './define-route.ts';
import { displayName } from './user-fields.ts';

const apiKey = z.strictObject({
  id: z.string(),
  name: z.string(),
  prefix: z.string(),
  createdAt: z.string(),
  lastUsedAt: z.string().nullable(),
});

/** The caller's own API keys. */
export const keyRoutes = defineRoutes('API keys', {
  listKeys: {
    route: 'GET /api/v1/keys',
    summary: 'List your API keys, without their secrets',
    access: 'session',
    response: z.strictObject({ keys: z.array(apiKey) }),
  },
  createKey: {
    route: 'POST /api/v1/keys',
    audit: true,
    summary: 'Create an API key. Only this response contains its secret',
    access: 'session',
    body: z.strictObject({ name: displayName }),
    response: z.strictObject({ key: apiKey, secret: z.string() }),
    status: 201,
  },
  listMcpClients: {
    route: 'GET /api/v1/mcp-clients',
    summary:
      'List how MCP clients connect to this server: a command or an entry for each, with a placeholder for the key',
    access: 'caller',
    query: z.object({
      /** The address of this server, as the client reaches it. */
      url: z.url({ protocol: /^https?$/ }).max(2_000),
      /** The tools over files at `/mcp`, or those over flows at `/mcp/flows`. */
      over: z.enum(['files', 'flows']).default('files'),
    }),
    response: z.strictObject({
      placeholder: z.string(),
      clients: z.array(z.strictObject({ id: z.string(), client: z.string(), where: z.string(), text: z.string() })),
    }),
  },
  revokeKey: {
    route: 'DELETE /api/v1/keys/{id}',
    summary: 'Revoke an API key',
    access: 'session',
    response: z.strictObject({ id: z.string() }),
    errors: ['not_found'],
  },
});
