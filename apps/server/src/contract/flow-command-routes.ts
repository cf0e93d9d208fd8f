import { z } from 'zod';
import { defineRoutes } from './define-route.ts';

/** An index of the database has at most 2,700 bytes for a command. */
const line = z.string().trim().min(1).max(500);
/** The real path of the program, and its arguments. */
const argv = z.array(z.string());

/**
 * Commands that flows of administrators may start as MCP servers. Such a command is code with the rights of the server, so only an
 * administrator with a session changes the list: no API key, and so no flow, agent or assistant.
 */
export const flowCommandRoutes = defineRoutes('Runs', {
  listFlowCommands: {
    route: 'GET /api/v1/flow-commands',
    summary: 'List the commands that flows of administrators may start as MCP servers',
    access: 'admin',
    response: z.strictObject({
      /** Those of the setting `CROFT_FLOW_COMMANDS`, which the API does not change. */
      fixed: z.array(z.string()),
      commands: z.array(
        z.strictObject({
          id: z.string(),
          command: z.string(),
          argv,
          /** False: the server finds another program by this name now, or none, and refuses the command. */
          isFound: z.boolean(),
        }),
      ),
    }),
  },
  checkFlowCommand: {
    route: 'POST /api/v1/flow-commands/check',
    summary: 'Show what a command runs on this server, without allowing it',
    access: 'admin-session',
    body: z.strictObject({ command: line }),
    response: z.strictObject({ argv }),
  },
  allowFlowCommand: {
    route: 'POST /api/v1/flow-commands',
    audit: true,
    summary: 'Allow flows of administrators to start a command. `argv` is what `check` showed',
    access: 'admin-session',
    body: z.strictObject({ command: line, argv }),
    status: 201,
    response: z.strictObject({ id: z.string() }),
    errors: ['changed', 'exists', 'quota_exceeded'],
  },
  removeFlowCommand: {
    route: 'DELETE /api/v1/flow-commands/{id}',
    summary: 'Remove a command. Runs that have started it keep it until they end',
    access: 'admin-session',
    response: z.strictObject({ id: z.string() }),
    errors: ['not_found'],
  },
});
