import type { ApiResponse } from '@croft/server/contract';
import { queryOptions } from '@tanstack/react-query';
import { api } from './api.ts';

/** The state of the user's connected machine. Times are ISO 8601. */
export type GatewayStatus = ApiResponse<'GET /instance-ai/gateway/status'>['data'];

/** A command that connects a machine once, until `expiresAt`. */
export type PairingLink = ApiResponse<'POST /instance-ai/gateway/create-link'>;

/** The state of the user's connected machine. Server events keep it fresh; without them the page asks again. */
export const gatewayQuery = queryOptions({
  queryKey: ['gateway'],
  queryFn: async ({ signal }) => (await api('GET /instance-ai/gateway/status', { signal })).data,
});
