import type { ApiResponse } from '@croft/server/contract';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api } from './api.ts';

type ChangePage = ApiResponse<'GET /api/v1/activity/changes'>;

/** A change of the activity log. */
export type Change = ChangePage['changes'][number];

/** Which changes a list has: all, those of a run, or those of a file or folder. */
export interface ChangeFilter {
  readonly run?: string | undefined;
  readonly path?: string | undefined;
}

/** The latest changes of the user's files. Below `files`, so that a change of files loads it again. */
export const recentChangesQuery = (filter: ChangeFilter = {}) =>
  queryOptions({
    queryKey: ['files', 'recent-changes', filter.run ?? null, filter.path ?? null],
    queryFn: ({ signal }) => api('GET /api/v1/activity/changes', { query: queryOf(filter), signal }),
  });

/** All changes of the user's files that the log has, in pages, newest first. */
export const changePagesQuery = (filter: ChangeFilter) =>
  infiniteQueryOptions({
    queryKey: ['files', 'change-pages', filter.run ?? null, filter.path ?? null],
    queryFn: ({ pageParam, signal }) =>
      api('GET /api/v1/activity/changes', {
        query: { ...queryOf(filter), ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }: ChangePage) => nextCursor,
  });

type ChangeDiff = ApiResponse<'GET /api/v1/activity/changes/{id}/diff'>;

/** The content of one changed file, before and after. */
export type FileDiff = ChangeDiff['files'][number];

/** The content of the files of a change, before and after. Below `files`, so that a change of files loads it again. */
export const changeDiffQuery = (id: string) =>
  queryOptions({
    queryKey: ['files', 'change-diff', id],
    queryFn: ({ signal }) => api('GET /api/v1/activity/changes/{id}/diff', { params: { id }, signal }),
  });

const queryOf = ({ run, path }: ChangeFilter) => ({
  ...(run !== undefined && { run }),
  ...(path !== undefined && { path }),
});

/** The page that lists these changes, where each can be undone. */
export function changesPath(filter: ChangeFilter): string {
  const query = new URLSearchParams();
  if (filter.run !== undefined) query.set('run', filter.run);
  if (filter.path !== undefined) query.set('path', filter.path);
  return `/settings/activity?${query}`;
}
