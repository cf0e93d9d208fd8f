import type { ApiResponse } from '@croft/server/contract';
import { queryOptions } from '@tanstack/react-query';
import { api } from './api.ts';

/** A run of a list. Times are ISO 8601. */
export type RunSummary = ApiResponse<'GET /api/v1/runs'>['runs'][number];

/** A run with its result and the timeline of its nodes. */
export type RunRecord = ApiResponse<'GET /api/v1/runs/{id}'>['run'];

/** The key of everything that depends on runs. */
export const RUNS_KEY = ['runs'] as const;

/** A run of the history. */
export const runQuery = (id: string) =>
  queryOptions({
    queryKey: [...RUNS_KEY, 'one', id],
    queryFn: async ({ signal }) => (await api('GET /api/v1/runs/{id}', { params: { id }, signal })).run,
    retry: false,
  });
