import type { ApiResponse } from '@croft/server/contract';
import { queryOptions } from '@tanstack/react-query';
import { api } from './api.ts';
import type { Me } from './me.ts';
import { ApiError } from './request.ts';

/** Agents reading files of the server's own machine: not offered, waiting for a directory, or on. */
export type LocalAccess = ApiResponse<'GET /api/v1/local-access'>;

/** The state of direct access. A server with accounts has none, so the page does not ask. */
export const localAccessQuery = ({ autoLogin }: Pick<Me, 'autoLogin'>) =>
  queryOptions({
    queryKey: ['local-access'],
    queryFn: async ({ signal }): Promise<LocalAccess | null> => {
      try {
        return await api('GET /api/v1/local-access', { signal });
      } catch (error) {
        if (error instanceof ApiError && (error.status === 403 || error.status === 404)) return null;
        throw error;
      }
    },
    enabled: autoLogin,
  });
