import { z } from 'zod';
import { defineRoutes, raw } from './define-route.ts';

const id = z.string().min(1).max(128);
/** Clients send the whole thread each time. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** A message of a thread. Only texts of the user are read. */
const message = z.looseObject({ id: z.string().optional(), role: z.string(), content: z.unknown().optional() });

/** The assistant for clients of the AG-UI protocol, such as `@ag-ui/client`. */
export const agUiRoutes = defineRoutes('Assistant', {
  runAgUi: {
    route: 'POST /api/v1/agentic/flows/{id}/ag-ui',
    summary:
      'Run the assistant of a flow by the AG-UI protocol. The newest message of the user counts; the server remembers the thread. Questions and proposals end the run with an interrupt, and `resume` answers them',
    access: 'caller',
    maxBodyBytes: MAX_BODY_BYTES,
    body: z.looseObject({
      threadId: id,
      runId: id,
      messages: z.array(message).max(10_000).default([]),
      resume: z
        .array(
          z.looseObject({
            interruptId: z.string().max(400),
            status: z.enum(['resolved', 'cancelled']).default('resolved'),
            payload: z.unknown().optional(),
          }),
        )
        .max(100)
        .default([]),
      /** The model; the preferred one unless given. */
      forwardedProps: z
        .looseObject({ provider: z.string().max(100).optional(), model_name: z.string().max(200).optional() })
        .optional(),
    }),
    response: raw('Server-sent events of AG-UI; the last one is RUN_FINISHED or RUN_ERROR', ['text/event-stream']),
    errors: ['invalid', 'too_many_streams'],
  },
});
