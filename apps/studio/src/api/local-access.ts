import { queryOptions } from '@tanstack/react-query';
import type { Me } from './me.ts';
import { ApiError, apiUrl, request } from './request.ts';

/** Reading the disk of the machine the server runs on: not offered, waiting for a directory, or on. */
export interface LocalAccess {
  readonly state: 'off' | 'setup' | 'on';
  readonly directory: string | null;
  readonly canChange: boolean;
}

/** The state of direct access. With accounts there is none, so nothing is asked. */
export const localAccessQuery = ({ autoLogin }: Pick<Me, 'autoLogin'>) =>
  queryOptions({
    queryKey: ['local-access'],
    queryFn: async ({ signal }): Promise<LocalAccess | null> => {
      try {
        return await request<LocalAccess>(apiUrl('api/v1/local-access'), { signal });
      } catch (error) {
        if (error instanceof ApiError && (error.status === 403 || error.status === 404)) return null;
        throw error;
      }
    },
    enabled: autoLogin,
  });

/** A directory of the machine the server runs on, and the names of those in it. */
export interface DirectoryChoice {
  readonly path: string;
  /** Null at the top. */
  readonly parent: string | null;
  readonly directories: readonly string[];
  readonly truncated: boolean;
}

/** Begins to pick a directory: with what it gives the server shows directories, until one is picked. */
export async function beginPicking(): Promise<string> {
  return (await request<{ picking: string }>(apiUrl('api/v1/local-access/picking'), { method: 'POST' })).picking;
}

/** The directories in a directory; in that of the server's own person where none is named. */
export function listDirectories(
  picking: string,
  path: string | undefined,
  signal: AbortSignal,
): Promise<DirectoryChoice> {
  return request(apiUrl('api/v1/local-access/directories'), { method: 'POST', json: { picking, path }, signal });
}

/** Confirms a directory, or with null ends the access. */
export function setLocalDirectory(directory: string | null): Promise<LocalAccess> {
  return request(apiUrl('api/v1/local-access'), { method: 'PUT', json: { directory } });
}
