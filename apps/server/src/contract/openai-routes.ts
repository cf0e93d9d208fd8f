import { z } from 'zod';
import { defineRoutes, raw } from './define-route.ts';

const MAX_BODY_BYTES = 4 * 1024 * 1024;
const MAX_MESSAGES = 1_000;

const part = z.object({ type: z.string(), text: z.string().optional() });

/** A message of OpenAI's chat API. Fields without a meaning here are ignored. */
const message = z.object({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
  content: z.union([z.string(), z.array(part)]).nullish(),
});

const RUN_ERRORS = ['busy', 'invalid', 'newer_version', 'not_found', 'run_failed', 'unavailable'] as const;

/** Each flow as a model of OpenAI's chat API: the base URL of a client is `…/api/v1/flows/{id}/openai/v1`. */
export const openaiRoutes = defineRoutes('OpenAI-compatible', {
  createChatCompletion: {
    route: 'POST /api/v1/flows/{id}/openai/v1/chat/completions',
    summary: "Run a flow on the messages of OpenAI's chat API. The flow sees these messages and no stored ones",
    access: 'caller',
    startsRun: true,
    body: z.object({
      model: z.string().max(200).optional(),
      messages: z.array(message).min(1, 'send a message').max(MAX_MESSAGES, `at most ${MAX_MESSAGES} messages`),
      stream: z.boolean().nullish(),
      stream_options: z.object({ include_usage: z.boolean().optional() }).nullish(),
    }),
    maxBodyBytes: MAX_BODY_BYTES,
    response: raw('A `chat.completion`; with `stream`, server-sent `chat.completion.chunk` objects', [
      'application/json',
      'text/event-stream',
    ]),
    errors: RUN_ERRORS,
  },
  listFlowModels: {
    route: 'GET /api/v1/flows/{id}/openai/v1/models',
    summary: 'The flow as the one model of its OpenAI-compatible endpoint',
    access: 'caller',
    response: z.strictObject({
      object: z.literal('list'),
      data: z.array(
        z.strictObject({ id: z.string(), object: z.literal('model'), created: z.number(), owned_by: z.string() }),
      ),
    }),
    errors: ['newer_version', 'not_found'],
  },
});
