import type { ApiResponse } from '@croft/server/contract';
import { apiQuery } from './api.ts';

/** Whether users see the shared files as `shared/`, and whether they may change them. */
export type SharedMode = ApiResponse<'GET /api/v1/shared-mount'>['mode'];

/** An admin's choice for all users. */
export const sharedMountQuery = apiQuery('GET /api/v1/shared-mount');
