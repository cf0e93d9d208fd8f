import type { ApiResponse } from '@croft/server/contract';
import { apiQuery } from './api.ts';

/** A command that flows of administrators may start. */
export type FlowCommand = ApiResponse<'GET /api/v1/flow-commands'>['commands'][number];

export const flowCommandsQuery = apiQuery('GET /api/v1/flow-commands');
