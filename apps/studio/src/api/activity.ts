import type { ApiResponse } from '@croft/server/contract';
import { queryOptions } from '@tanstack/react-query';
import { api } from './api.ts';

/** A change of the activity log. */
export type Change = ApiResponse<'GET /api/v1/activity/changes'>['changes'][number];

/** The latest changes of the user's files, of all or of one run. Below `files`, so that a change of files loads it again. */
export const recentChangesQuery = (run?: string) =>
  queryOptions({
    queryKey: ['files', 'recent-changes', run ?? null],
    queryFn: ({ signal }) => api('GET /api/v1/activity/changes', { query: run === undefined ? {} : { run }, signal }),
  });
