import type { ApiResponse } from '@croft/server/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api, apiQuery } from '../api/api.ts';
import { toastError } from '../ui/toast.tsx';
import { acceptanceQuery } from './use-acceptance.ts';

/** A time at which the server runs a flow. */
export type Schedule = ApiResponse<'GET /api/v1/schedules'>['schedules'][number];

const QUERY = apiQuery('GET /api/v1/schedules');

/** Reads the schedules again, and which version of the flow was accepted. */
export function useRefreshSchedules(flowId: string) {
  const client = useQueryClient();
  return () =>
    Promise.all([QUERY, acceptanceQuery(flowId)].map(({ queryKey }) => client.invalidateQueries({ queryKey })));
}

/**
 * The schedules of a flow, and what a person does with them. A failure of a switch is shown.
 *
 * @param version the version that a schedule accepts when it is turned on
 */
export function useSchedules(flowId: string, version: number | undefined) {
  const { data, error, refetch } = useQuery(QUERY);
  const refresh = useRefreshSchedules(flowId);
  async function attempt(work: () => Promise<unknown>) {
    try {
      await work();
    } catch (problem) {
      toastError(problem);
    }
    await refresh();
  }
  return {
    /** Absent while they load. */
    schedules: data?.schedules.filter((each) => each.flowId === flowId),
    error,
    refetch,
    setOn: (id: string, isOn: boolean) =>
      attempt(() => api('PATCH /api/v1/schedules/{id}', { params: { id }, body: { isOn, version } })),
    /** Needs `refresh` afterwards. Throws a failure. */
    remove: (id: string) => api('DELETE /api/v1/schedules/{id}', { params: { id } }),
    refresh,
  };
}
