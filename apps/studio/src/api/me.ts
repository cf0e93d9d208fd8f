import { queryOptions } from '@tanstack/react-query';
import { ApiError, apiUrl, request } from './request.ts';

/** Somebody who may use this server. */
export interface User {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: 'admin' | 'user';
}

/** Who is here and what the server is. */
export interface Me {
  readonly user: User | null;
  /** One local user and no passwords. */
  readonly autoLogin: boolean;
  readonly version: string;
  readonly publicUrl?: string | null;
  readonly basePath?: string;
  readonly features?: { readonly gateway?: boolean };
}

const STARTING_TRIES = 60;

/** Who is here. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => request<Me>(apiUrl('api/v1/me'), { signal }),
  staleTime: 60_000,
  // A server that has just started says so until its database answers.
  retry: (count, error) => error instanceof ApiError && (error.status === 503 ? count < STARTING_TRIES : count < 1),
  retryDelay: 500,
});

/** Starts a session. Throws `wrong_credentials`, or `too_many_attempts` with the seconds to wait. */
export function signIn(login: string, password: string): Promise<{ user: User }> {
  return request(apiUrl('api/v1/session'), { method: 'POST', json: { login, password } });
}

/** Ends the session of this browser. */
export async function signOut(): Promise<void> {
  await request(apiUrl('api/v1/session'), { method: 'DELETE' });
}

/** Changes one's own name or password. */
export function changeMe(change: {
  name?: string;
  password?: { current: string; next: string };
}): Promise<{ user: User }> {
  return request(apiUrl('api/v1/me'), { method: 'PATCH', json: change });
}
