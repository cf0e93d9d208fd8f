import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { openaiRoutes } from '../contract/openai-routes.ts';
import { completionOf, streamCompletion } from '../flow-runs/chat-completion.ts';
import { conversationOf } from '../flow-runs/chat-messages.ts';
import { type ReadFlow, readFlowOf, type StartOptions, startStoredFlow } from '../flow-runs/start-stored-flow.ts';
import { type Route, route } from './route.ts';
import { outcomeWhileConnected } from './run-routes.ts';

/** Of a run, as OpenAI's clients wait by default. */
const TIMEOUT_MS = 600_000;

export interface OpenaiRouteOptions extends StartOptions {
  readonly readForPrograms: ReadFlow;
}

/** Each flow as a model of OpenAI's chat API. */
export function makeOpenaiRoutes(options: OpenaiRouteOptions): Route[] {
  return [
    route(openaiRoutes.createChatCompletion, async ({ caller, params, body, outgoing }) => {
      const { message, history } = conversationOf(body.messages);
      const started = await startStoredFlow({ ...options, readFlow: readFlowOf(options, caller) }, caller, {
        flowId: params.id,
        startedBy: 'openai',
        // Agents read the history of their session.
        values: { message, session: 'openai' },
        timeoutMs: TIMEOUT_MS,
        history,
      });
      const completion = { ...started, model: body.model ?? params.id, created: Math.floor(Date.now() / 1_000) };
      if (body.stream === true) {
        await streamCompletion(completion, outgoing, { includeUsage: body.stream_options?.include_usage === true });
        return RESPONSE_ALREADY_SENT;
      }
      const outcome = await outcomeWhileConnected(started.run, outgoing);
      return Response.json(completionOf(completion, outcome), { headers: { 'Cache-Control': 'no-store' } });
    }),
    route(openaiRoutes.listFlowModels, async ({ caller, params, problem }) => {
      if ((await options.readFlow(caller.userId, params.id)) === undefined)
        throw problem('not_found', 'You have no such flow.');
      return {
        object: 'list' as const,
        data: [{ id: params.id, object: 'model' as const, created: 0, owned_by: 'croft' }],
      };
    }),
  ];
}
