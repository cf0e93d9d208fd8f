import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { apiQuery } from '../api/api.ts';

/** The version of a flow, and the one that the user accepts. */
export const acceptanceQuery = (id: string) => apiQuery('GET /api/v1/flows/{id}/acceptance', { params: { id } });

/** Reads the acceptance again when the page loads another version of the flow. */
export function useAcceptance(id: string, version: number) {
  const { data, refetch } = useQuery(acceptanceQuery(id));
  const isOutdated = data !== undefined && data.version < version;
  useEffect(() => {
    if (isOutdated) void refetch();
  }, [isOutdated, refetch]);
  return data;
}
