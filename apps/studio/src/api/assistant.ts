import type { ApiRequest, ApiResponse } from '@croft/server/contract';
import { queryOptions } from '@tanstack/react-query';
import { api, apiQuery, routeUrl } from './api.ts';
import { MODELS_KEY } from './models.ts';
import { ApiError, send } from './request.ts';

/** A message to the assistant. */
export type AssistantMessage = ApiRequest<'POST /api/v1/agentic/assist/stream'>['body'];

/** A conversation in the list of a flow. */
export type AssistantSession = ApiResponse<'GET /api/v1/agentic/sessions'>['sessions'][number];

/** The models that the assistant can use. Depends on the user's variables. */
export const assistantConfigQuery = queryOptions({
  queryKey: [...MODELS_KEY, 'assistant'],
  queryFn: ({ signal }) => api('GET /api/v1/agentic/check-config', { signal }),
});

/** The latest conversations about a flow. */
export const assistantSessionsQuery = (flowId: string) =>
  apiQuery('GET /api/v1/agentic/sessions', { query: { flow_id: flowId } });

/** Sends a message and returns the id of its turn. The turn goes on when the page is left. @throws ApiError */
export async function startTurn(json: AssistantMessage): Promise<string> {
  const url = routeUrl('POST /api/v1/agentic/assist/stream', { body: json });
  const response = await send(url, { method: 'POST', json });
  // An EventSource reads the events, because it resumes by itself.
  void response.body?.cancel();
  const id = response.headers.get('Croft-Turn-Id');
  if (id === null) throw new ApiError('bad_answer', 'The message has no id. Reload the page.', response.status);
  return id;
}

/** The address of a turn's events. */
export const turnEventsUrl = (id: string): string =>
  routeUrl('GET /api/v1/agentic/turns/{id}/events', { params: { id }, query: {} });
