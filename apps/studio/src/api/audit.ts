import type { ApiResponse } from '@croft/server/contract';
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { api, apiQuery } from './api.ts';

type AuditPage = ApiResponse<'GET /api/v1/audit'>;

/** An event of the audit log. */
export type AuditEvent = AuditPage['events'][number];

/** Empty: events of all users, or of all actions. */
export interface AuditFilter {
  readonly user: string;
  readonly action: string;
}

/** The audit log in pages, the newest event first; for admins only. */
export const auditQuery = ({ user, action }: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: ['audit', user, action],
    queryFn: ({ pageParam, signal }) =>
      api('GET /api/v1/audit', {
        query: { ...(user && { user }), ...(action && { action }), ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }: AuditPage) => nextCursor,
    placeholderData: keepPreviousData,
  });

/** The actions that the audit log records. */
export const auditActionsQuery = { ...apiQuery('GET /api/v1/audit-actions'), staleTime: Number.POSITIVE_INFINITY };
