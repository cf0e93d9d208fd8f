import { queryOptions } from '@tanstack/react-query';
import { ApiError, apiUrl, request } from './request.ts';

/** Reading the disk of the machine the server runs on: not offered, waiting for a directory, or on. */
export interface LocalAccess {
  readonly state: 'off' | 'setup' | 'on';
  readonly directory: string | null;
  readonly canChange: boolean;
}

/** What there is of it for this user; null where they may not even ask. */
export const localAccessQuery = queryOptions({
  queryKey: ['local-access'],
  queryFn: async ({ signal }): Promise<LocalAccess | null> => {
    try {
      return await request<LocalAccess>(apiUrl('api/v1/local-access'), { signal });
    } catch (error) {
      if (error instanceof ApiError && (error.status === 403 || error.status === 404)) return null;
      throw error;
    }
  },
});

/** Confirms a directory, or with null ends the access. */
export function setLocalDirectory(directory: string | null): Promise<LocalAccess> {
  return request(apiUrl('api/v1/local-access'), { method: 'PUT', json: { directory } });
}
