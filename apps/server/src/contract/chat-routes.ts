import { z } from 'zod';
import { CHAT_LIMITS } from '../chats/chat-limits.ts';
import { defineRoutes } from './define-route.ts';

const { pageSize, sessionIdLength, sessionNameLength } = CHAT_LIMITS;

/** The id of a session, chosen by the client: any text. */
export const sessionId = z
  .string()
  .trim()
  .min(1)
  .max(sessionIdLength)
  .refine((id) => !id.includes('\0'), 'leave out the NUL character');

const page = z.object({
  limit: z.coerce.number().int().min(1).max(pageSize).default(50),
  cursor: z
    .string()
    .max(sessionIdLength + 20)
    .optional(),
});

const session = z.strictObject({
  id: z.string(),
  /** At first the beginning of the first message. */
  name: z.string(),
  messages: z.number().int(),
  createdAt: z.string(),
  /** Of the latest message. */
  updatedAt: z.string(),
});

const message = z.strictObject({
  id: z.string(),
  /** The run that stored the message. The history of runs may not have it any more. */
  runId: z.string(),
  /** `User`, `Machine`, or a name that a component gave. */
  sender: z.string(),
  senderName: z.string(),
  text: z.string(),
  /** Whether the text was longer. */
  isCut: z.boolean(),
  /** Of the whole run, with its answer; null for other messages. */
  tokens: z.strictObject({ input: z.number(), output: z.number() }).nullable(),
  createdAt: z.string(),
});

/** The caller's conversations with flows. A run that names a session adds its message and its answer. */
export const chatRoutes = defineRoutes('Chats', {
  listSessions: {
    route: 'GET /api/v1/flows/{id}/sessions',
    summary: 'List your sessions with a flow, the latest message first, in pages',
    access: 'caller',
    query: page,
    response: z.strictObject({ sessions: z.array(session), nextCursor: z.string().nullable() }),
    errors: ['not_found'],
  },
  renameSession: {
    route: 'PATCH /api/v1/flows/{id}/sessions/{session}',
    summary: 'Name a session',
    access: 'caller',
    body: z.strictObject({ name: z.string().trim().min(1, 'give a name').max(sessionNameLength) }),
    response: z.strictObject({ session }),
    errors: ['not_found'],
  },
  deleteSession: {
    route: 'DELETE /api/v1/flows/{id}/sessions/{session}',
    summary: 'Delete a session with its messages',
    access: 'caller',
    response: z.strictObject({ id: z.string() }),
    errors: ['not_found'],
  },
  listMessages: {
    route: 'GET /api/v1/flows/{id}/sessions/{session}/messages',
    summary: 'List the messages of a session, newest first, in pages',
    access: 'caller',
    query: page,
    response: z.strictObject({ messages: z.array(message), nextCursor: z.string().nullable() }),
    errors: ['not_found'],
  },
  deleteMessages: {
    route: 'DELETE /api/v1/flows/{id}/sessions/{session}/messages',
    summary: 'Delete all messages of a session. The session stays',
    access: 'caller',
    response: z.strictObject({ deleted: z.number().int() }),
    errors: ['not_found'],
  },
  deleteMessage: {
    route: 'DELETE /api/v1/flows/{id}/sessions/{session}/messages/{message}',
    summary: 'Delete a message',
    access: 'caller',
    response: z.strictObject({ id: z.string() }),
    errors: ['not_found'],
  },
});
