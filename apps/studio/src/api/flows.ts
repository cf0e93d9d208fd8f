import type { ApiResponse } from '@croft/server/contract';
import { createRegistry, type Descriptor, type Registry } from '@croft/flow';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from './api.ts';

/** A page of the list of flows. */
export type FlowListPage = ApiResponse<'GET /api/v1/flows'>;

/** A flow of the list. Times are ISO 8601. */
export type FlowSummary = FlowListPage['flows'][number];

/** A flow with its document. */
export type FullFlow = ApiResponse<'GET /api/v1/flows/{id}'>['flow'];

/** A flow to start from. */
export type FlowTemplate = ApiResponse<'GET /api/v1/flow-templates'>['templates'][number];

/** A part of an import that could not be mapped, with a fix. */
export type Finding = ApiResponse<'POST /api/v1/flows/import'>['findings'][number];

/** The key of everything that depends on flows. */
export const FLOWS_KEY = ['flows'] as const;

/** The flows that this page deletes at the moment: lists that are loaded meanwhile may still have them. */
export const leavingFlows = new Set<string>();

/**
 * The caller's flows in pages, the latest change first; those with a part of the name and a tag, where they are given, and
 * those that run by themselves.
 */
export const flowsQuery = (search: string, tag = '', triggered = false) =>
  infiniteQueryOptions({
    queryKey: [...FLOWS_KEY, 'list', search, tag, triggered],
    async queryFn({ pageParam, signal }) {
      const page = await api('GET /api/v1/flows', {
        query: {
          ...(search && { search }),
          ...(tag && { tag }),
          ...(triggered && { triggered: 'true' }),
          ...(pageParam && { cursor: pageParam }),
        },
        signal,
      });
      return { ...page, flows: page.flows.filter(({ id }) => !leavingFlows.has(id)) };
    },
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }: FlowListPage) => nextCursor,
  });

/** The tags of the caller's flows, by name. */
export const flowTagsQuery = queryOptions({
  queryKey: [...FLOWS_KEY, 'tags'],
  queryFn: async ({ signal }) => (await api('GET /api/v1/flow-tags', { signal })).tags,
});

/** The user's deleted flows that can be restored. */
export const deletedFlowsQuery = queryOptions({
  queryKey: ['deleted-flows'],
  queryFn: async ({ signal }) => (await api('GET /api/v1/deleted-flows', { signal })).flows,
});

/** A flow with its document. */
export const flowQuery = (id: string) =>
  queryOptions({
    queryKey: [...FLOWS_KEY, 'one', id],
    queryFn: async ({ signal }) => (await api('GET /api/v1/flows/{id}', { params: { id }, signal })).flow,
  });

/** The newest version of an open flow that the server announced; the page fetches the edits up to it. */
export const announcedQuery = (id: string) =>
  queryOptions({
    queryKey: ['flow-announced', id],
    queryFn: () => 0,
    enabled: false,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The built-in components as the canvas draws them; they change only with the server. */
export const componentsQuery = queryOptions({
  queryKey: ['flow-components'],
  queryFn: async ({ signal }) =>
    createRegistry(
      (await api('GET /api/v1/flow-components', { signal })).components.map((each) => ({
        descriptor: each as unknown as Descriptor,
      })),
    ),
  staleTime: Number.POSITIVE_INFINITY,
});

export type ComponentsRegistry = Registry<{ readonly descriptor: Descriptor }>;

/** The findings of a check. Those of a version never change. */
export const findingsQuery = (id: string, version: number) =>
  queryOptions({
    queryKey: [...FLOWS_KEY, 'check', id, version],
    queryFn: async ({ signal }) => (await api('GET /api/v1/flows/{id}/check', { params: { id }, signal })).findings,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The templates; they change only with the server. */
export const templatesQuery = queryOptions({
  queryKey: ['flow-templates'],
  queryFn: async ({ signal }) => (await api('GET /api/v1/flow-templates', { signal })).templates,
  staleTime: Number.POSITIVE_INFINITY,
});

const MOVING: ReadonlySet<string> = new Set(['queued', 'running']);
const RUNS_EVERY_MS = 2_000;

/** The latest run of each flow that ran lately, by the id of the flow. Loads again while one is under way. */
export const latestRunsQuery = queryOptions({
  queryKey: [...FLOWS_KEY, 'latest-runs'],
  queryFn: async ({ signal }) => {
    const { runs } = await api('GET /api/v1/runs', { query: { limit: '200' }, signal });
    return Object.fromEntries(runs.toReversed().map((run) => [run.flowId, run]));
  },
  staleTime: 0,
  refetchInterval: ({ state }) =>
    Object.values(state.data ?? {}).some(({ status }) => MOVING.has(status)) ? RUNS_EVERY_MS : false,
});
