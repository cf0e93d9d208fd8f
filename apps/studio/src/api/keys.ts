import type { ApiResponse } from '@croft/server/contract';
import { apiQuery } from './api.ts';

/** An API key without its secret, which the server does not keep. Times are ISO 8601. */
export type ApiKey = ApiResponse<'GET /api/v1/keys'>['keys'][number];

/** The user's own keys. */
export const keysQuery = apiQuery('GET /api/v1/keys');
