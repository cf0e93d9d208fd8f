import { z } from 'zod';
import { defineRoutes, raw } from './define-route.ts';

const MAX_MESSAGE_CHARS = 20_000;

/** A message to the assistant. The names are those of compatible systems. */
const message = z.object({
  flow_id: z.string().min(1).max(100),
  input_value: z.string().min(1, 'write a message').max(MAX_MESSAGE_CHARS),
  /** Messages with the same session are one conversation. A new one unless given. */
  session_id: z.string().min(1).max(128).optional(),
  provider: z.string().max(100).optional(),
  model_name: z.string().max(200).optional(),
  /** Puts built flows on the canvas and approves plans without asking. */
  skip_all: z.boolean().optional(),
  max_retries: z.number().int().min(1).max(5).optional(),
  /** Earlier messages of the conversation that the model reads; 0 for none. */
  history_limit: z.number().int().min(0).max(100).optional(),
  /** Steps of the model at most. */
  iterations_limit: z.number().int().min(1).max(200).optional(),
  /** Tokens of all requests to the model together: the turn stops after the step that reaches them. */
  token_limit: z.number().int().min(1).max(100_000_000).optional(),
});

const flowQuery = z.object({ flow_id: z.string().min(1).max(100) });

const STREAM = raw('Server-sent events, each with an id and JSON data; `event` of the data is its name', [
  'text/event-stream',
]);

/** The assistant: messages about a flow, and what follows from them. Each caller reaches only their own turns. */
export const assistantRoutes = defineRoutes('Assistant', {
  assistStream: {
    route: 'POST /api/v1/agentic/assist/stream',
    summary: 'Send the assistant a message about a flow and follow its work. It works on when the client disconnects',
    access: 'caller',
    body: message,
    response: STREAM,
    errors: ['busy', 'invalid', 'newer_version', 'not_found'],
  },
  assist: {
    route: 'POST /api/v1/agentic/assist',
    summary:
      'Send the assistant a message about a flow and wait for the end. A question to you ends it without an answer',
    access: 'caller',
    body: message,
    response: z.strictObject({
      turn_id: z.string(),
      session_id: z.string(),
      /** The last event: `complete`, `error` or `cancelled`. */
      end: z.record(z.string(), z.unknown()),
      /** Ids of proposals that wait for you. */
      proposals: z.array(z.string()),
    }),
    errors: ['busy', 'invalid', 'newer_version', 'not_found'],
  },
  assistRun: {
    route: 'POST /api/v1/agentic/assist/run',
    summary:
      'Let the assistant carry out an instruction without a person: it puts its changes on the canvas, and runs only what stays in your files. Ends with flow_id, link and result',
    access: 'caller',
    body: z.object({
      instruction: z.string().min(1).max(MAX_MESSAGE_CHARS),
      /** A new flow unless given. */
      flow_id: z.string().min(1).max(100).optional(),
      provider: z.string().max(100).optional(),
      model_name: z.string().max(200).optional(),
      session_id: z.string().min(1).max(128).optional(),
      iterations_limit: message.shape.iterations_limit,
      token_limit: message.shape.token_limit,
    }),
    response: STREAM,
    errors: ['busy', 'invalid', 'newer_version', 'not_found', 'quota_exceeded'],
  },
  readAssistantMetrics: {
    route: 'GET /api/v1/agentic/metrics',
    summary: 'Counters of the assistant since the start of the server, in the text format of Prometheus',
    access: 'admin',
    response: raw('Metrics', ['text/plain']),
  },
  followTurn: {
    route: 'GET /api/v1/agentic/turns/{id}/events',
    summary: 'Follow a turn from the beginning or after an id. Its events are kept for five minutes after its end',
    access: 'caller',
    query: z.object({ lastEventId: z.string().optional() }),
    response: STREAM,
    errors: ['not_found', 'too_many_streams'],
  },
  cancelTurn: {
    route: 'POST /api/v1/agentic/turns/{id}/cancel',
    summary: 'Stop a turn at once. Its changes stay',
    access: 'caller',
    response: z.strictObject({ id: z.string() }),
    errors: ['not_found'],
  },
  answerTurn: {
    route: 'POST /api/v1/agentic/turns/{id}/answer',
    summary:
      'Answer a question of a turn, or decide about a proposal: add or replace a flow, accept a field, dismiss; landed: an edit of the user carried out a dismissed one',
    access: 'caller',
    body: z.strictObject({
      /** Of the question or proposal. */
      id: z.string().min(1).max(200),
      choice: z.string().min(1).max(2_000),
    }),
    response: z.strictObject({
      id: z.string(),
      choice: z.string(),
      /** Of the flow after a change; null where nothing changed. */
      version: z.number().nullable(),
      /** All proposals are decided, and a step of the turn waits for the message that continues it. */
      continuation_expected: z.boolean(),
    }),
    errors: ['busy', 'changed', 'invalid', 'newer_version', 'not_found', 'quota_exceeded', 'read_only'],
  },
  revertTurn: {
    route: 'POST /api/v1/agentic/turns/{id}/revert',
    summary:
      "Revert a turn's changes of the flow as one step, except where others changed the same part since, and the files that it wrote, except those that changed since",
    access: 'caller',
    response: z.strictObject({
      id: z.string(),
      /** Of the flow; null where the turn changed files only. */
      version: z.number().nullable(),
      files: z.array(z.strictObject({ path: z.string(), reverted: z.boolean(), problem: z.string().nullable() })),
    }),
    errors: ['changed', 'newer_version', 'not_found', 'not_undoable', 'quota_exceeded', 'read_only'],
  },
  rewindTurn: {
    route: 'POST /api/v1/agentic/turns/{id}/rewind',
    summary:
      'Go back to before a message: the canvas, as it was kept, the conversation, or both. The canvas can be undone',
    access: 'caller',
    body: z.strictObject({ what: z.enum(['canvas', 'chat', 'both']) }),
    response: z.strictObject({
      id: z.string(),
      /** The message of the turn, to change it and send it again. */
      message: z.string(),
      /** Of the flow; null where the canvas was not changed. */
      version: z.number().nullable(),
      /** Messages that were removed from the conversation. */
      removed: z.number(),
    }),
    errors: ['changed', 'newer_version', 'not_found', 'quota_exceeded', 'read_only'],
  },
  listAssistantSessions: {
    route: 'GET /api/v1/agentic/sessions',
    summary: 'List your latest conversations about a flow',
    access: 'caller',
    query: flowQuery,
    response: z.strictObject({
      sessions: z.array(
        z.strictObject({ session_id: z.string(), preview: z.string(), turns: z.number(), updated_at: z.string() }),
      ),
    }),
  },
  getAssistantSession: {
    route: 'GET /api/v1/agentic/sessions/{id}',
    summary: 'Read a conversation with the events of its turns, without tokens',
    access: 'caller',
    query: flowQuery,
    response: z.strictObject({
      turns: z.array(
        z.strictObject({
          id: z.string(),
          /** `running`, `complete`, `error`, `cancelled`; `interrupted`: the server ended before the turn did. */
          status: z.string(),
          message: z.string(),
          reply: z.string(),
          events: z.array(z.unknown()),
          can_rewind_canvas: z.boolean(),
          started_at: z.string(),
        }),
      ),
    }),
  },
  deleteAssistantSession: {
    route: 'DELETE /api/v1/agentic/sessions/{id}',
    summary: 'Delete a conversation. The flow stays as it is',
    access: 'caller',
    query: flowQuery,
    response: z.strictObject({ id: z.string(), removed: z.number() }),
  },
  resetAssistantSession: {
    route: 'POST /api/v1/agentic/sessions/reset',
    summary:
      'Begin a new conversation. Earlier ones keep their memory. Generated components that you did not save are removed: those of `ended_session_id`, or all',
    access: 'caller',
    query: z.object({
      session_id: z.string().max(128).optional(),
      /** The conversation that ends. */
      ended_session_id: z.string().max(128).optional(),
    }),
    response: z.strictObject({
      status: z.literal('ok'),
      components_cleared: z.number(),
      session_id: z.string().nullable(),
    }),
    errors: ['unavailable'],
  },
  checkAssistantConfig: {
    route: 'GET /api/v1/agentic/check-config',
    summary: 'Which model providers the assistant can use. Without one, croft/offline answers by rules',
    access: 'caller',
    response: z.strictObject({
      enabled: z.boolean(),
      /** Whether a provider has a key; croft/offline does not count. */
      configured: z.boolean(),
      configured_providers: z.array(z.string()),
      providers: z.array(
        z.strictObject({
          name: z.string(),
          configured: z.boolean(),
          default_model: z.string().nullable(),
          models: z.array(z.strictObject({ name: z.string(), display_name: z.string() })),
        }),
      ),
      default_provider: z.string(),
      default_model: z.string(),
    }),
  },
});
