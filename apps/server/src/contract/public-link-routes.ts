import { z } from 'zod';
import { defineRoutes, raw } from './define-route.ts';
import { seenVersion } from './flow-fields.ts';

const MAX_BODY_BYTES = 256 * 1024;
const MAX_MESSAGES = 50;
const MAX_MESSAGE_CHARS = 20_000;

const link = z.strictObject({
  id: z.string(),
  /** The address of the page, below that of the server. */
  path: z.string(),
  createdAt: z.string(),
  /** False while its owner is not an administrator: visitors get 404. */
  isOpen: z.boolean(),
});

/**
 * Pages at which anyone may chat with a flow, without an account. A visitor sends messages and gets the answers: no values,
 * tweaks, files, runs or errors of the flow.
 */
export const publicLinkRoutes = defineRoutes('Public links', {
  getFlowLink: {
    route: 'GET /api/v1/flows/{id}/link',
    summary: 'The public link of your flow, if there is one',
    access: 'caller',
    response: z.strictObject({ link: link.nullable() }),
    errors: ['forbidden', 'newer_version', 'not_found'],
  },
  // Only an admin opens the server to visitors, and not with an API key: a leaked key would open it for good.
  addFlowLink: {
    route: 'PUT /api/v1/flows/{id}/link',
    summary: 'Give your flow a public link, or return the one it has. Runs of visitors use your variables and files',
    access: 'admin-session',
    audit: true,
    body: z.strictObject({ version: seenVersion }),
    response: z.strictObject({ link }),
    errors: ['changed', 'forbidden', 'invalid', 'newer_version', 'not_found'],
  },
  removeFlowLink: {
    route: 'DELETE /api/v1/flows/{id}/link',
    summary: 'Remove the public link of your flow. It stops working at once',
    access: 'session',
    response: z.strictObject({ id: z.string() }),
    errors: ['forbidden', 'newer_version', 'not_found'],
  },
  getPublicFlow: {
    route: 'GET /api/v1/public/{link}',
    summary:
      'The name of the flow of a public link. `unavailable` while its owner has not accepted an edit of another user',
    access: 'anyone',
    skipsIdentity: true,
    response: z.strictObject({
      name: z.string(),
      description: z.string(),
      /** A message to try it with; empty where the flow has none. */
      sample: z.string(),
    }),
    errors: ['busy', 'newer_version', 'not_found', 'unavailable'],
  },
  sendPublicMessage: {
    route: 'POST /api/v1/public/{link}/messages',
    summary: 'Send a message to the flow of a public link. The flow sees these messages and no stored ones',
    access: 'anyone',
    skipsIdentity: true,
    body: z.strictObject({
      messages: z
        .array(z.strictObject({ role: z.enum(['user', 'assistant']), content: z.string().max(MAX_MESSAGE_CHARS) }))
        .min(1, 'send a message')
        .max(MAX_MESSAGES, `at most ${MAX_MESSAGES} messages`),
    }),
    maxBodyBytes: MAX_BODY_BYTES,
    response: raw(
      'Server-sent events: `text` with a part of the answer, then `done` with the whole answer, or `failed`. Each has JSON with `text`',
      ['text/event-stream'],
    ),
    errors: ['busy', 'invalid', 'not_found', 'run_failed', 'unavailable'],
  },
});
