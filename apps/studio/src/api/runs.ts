import type { ApiResponse } from '@croft/server/contract';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api } from './api.ts';

type RunPage = ApiResponse<'GET /api/v1/runs'>;

/** A run of a list. Times are ISO 8601. */
export type RunSummary = RunPage['runs'][number];

/** A run with its result and the timeline of its nodes. */
export type RunRecord = ApiResponse<'GET /api/v1/runs/{id}'>['run'];

/** The state of a run. */
export type RunStatus = RunSummary['status'];

/** A node's part of a run. */
export type TimelineEntry = RunRecord['timeline'][number];

/** The key of everything that depends on runs. */
export const RUNS_KEY = ['runs'] as const;

const PAGE_SIZE = '50';
/** While a run moves. */
const SOON_MS = 1_500;
/** Schedules, webhooks and other clients start runs too. */
const LATER_MS = 10_000;

const MOVING: ReadonlySet<RunStatus> = new Set(['queued', 'running']);
const OPEN: ReadonlySet<RunStatus> = new Set(['queued', 'running', 'waiting', 'needs_attention']);

/** Whether the run has not ended. */
export const isOpen = (status: RunStatus): boolean => OPEN.has(status);

/** Runs in pages, newest first: all of them, or those of a flow or in a state. Loads again by itself. */
export const runsQuery = ({ flow, status }: { flow?: string | undefined; status?: RunStatus | undefined }) =>
  infiniteQueryOptions({
    queryKey: [...RUNS_KEY, 'list', flow ?? '', status ?? ''],
    queryFn: ({ pageParam, signal }) =>
      api('GET /api/v1/runs', {
        query: {
          limit: PAGE_SIZE,
          ...(flow && { flow }),
          ...(status && { status }),
          ...(pageParam && { cursor: pageParam }),
        },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }: RunPage) => nextCursor,
    refetchInterval: ({ state }) =>
      state.data?.pages[0]?.runs.some((run) => MOVING.has(run.status)) ? SOON_MS : LATER_MS,
  });

/** A run of the history. Loads again until it has ended. */
export const runQuery = (id: string) =>
  queryOptions({
    queryKey: [...RUNS_KEY, 'one', id],
    queryFn: async ({ signal }) => (await api('GET /api/v1/runs/{id}', { params: { id }, signal })).run,
    retry: false,
    refetchInterval: ({ state }) => (state.data && isOpen(state.data.status) ? SOON_MS : false),
  });
