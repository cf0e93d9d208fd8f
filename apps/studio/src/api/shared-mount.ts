import { queryOptions } from '@tanstack/react-query';
import { apiUrl, request } from './request.ts';

/** Whether users see the shared files as `shared/`, and whether they may change them. */
export type SharedMode = 'off' | 'read' | 'write';

/** An admin's choice for all users. */
export const sharedMountQuery = queryOptions({
  queryKey: ['shared-mount'],
  queryFn: ({ signal }) => request<{ mode: SharedMode }>(apiUrl('api/v1/shared-mount'), { signal }),
});

/** Mounts the shared files in every user's tree, or takes them out. */
export function setSharedMode(mode: SharedMode): Promise<{ mode: SharedMode }> {
  return request(apiUrl('api/v1/shared-mount'), { method: 'PUT', json: { mode } });
}
