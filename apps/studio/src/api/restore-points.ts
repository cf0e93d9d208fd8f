import type { FlowDocument } from '@croft/flow';
import type { ApiResponse } from '@croft/server/contract';
import { queryOptions } from '@tanstack/react-query';
import { api } from './api.ts';

/** A kept version of a flow, without its document. */
export type RestorePoint = ApiResponse<'GET /api/v1/flows/{id}/restore-points'>['restorePoints'][number];

/** The kept versions of a flow, the newest first. */
export const restorePointsQuery = (id: string) =>
  queryOptions({
    queryKey: ['restore-points', id],
    queryFn: async ({ signal }) =>
      (await api('GET /api/v1/flows/{id}/restore-points', { params: { id }, signal })).restorePoints,
    staleTime: 0,
  });

/** The document of a kept version. It never changes. */
export const keptDocumentQuery = (id: string, point: string) =>
  queryOptions({
    queryKey: ['restore-points', id, point],
    queryFn: async ({ signal }) => {
      const request = { params: { id, point }, signal };
      const { restorePoint } = await api('GET /api/v1/flows/{id}/restore-points/{point}', request);
      // The server sends only documents that it has parsed.
      return restorePoint.document as unknown as FlowDocument;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
