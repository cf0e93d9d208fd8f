import type { ApiResponse } from '@croft/server/contract';
import { queryOptions } from '@tanstack/react-query';
import { api } from './api.ts';

/** A change of the activity log. */
export type Change = ApiResponse<'GET /api/v1/activity/changes'>['changes'][number];

/** Which changes a list has: all, those of a run, or those of a file or folder. */
export interface ChangeFilter {
  readonly run?: string | undefined;
  readonly path?: string | undefined;
}

/** The latest changes of the user's files. Below `files`, so that a change of files loads it again. */
export const recentChangesQuery = ({ run, path }: ChangeFilter = {}) =>
  queryOptions({
    queryKey: ['files', 'recent-changes', run ?? null, path ?? null],
    queryFn: ({ signal }) =>
      api('GET /api/v1/activity/changes', {
        query: { ...(run !== undefined && { run }), ...(path !== undefined && { path }) },
        signal,
      }),
  });

/** The page that lists these changes, where each can be undone. */
export function changesPath(filter: ChangeFilter): string {
  const query = new URLSearchParams();
  if (filter.run !== undefined) query.set('run', filter.run);
  if (filter.path !== undefined) query.set('path', filter.path);
  return `/settings/activity?${query}`;
}
