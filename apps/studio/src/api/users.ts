import { queryOptions } from '@tanstack/react-query';
import type { User } from './me.ts';
import { apiUrl, request } from './request.ts';

/** A user as administrators see them. */
export interface ManagedUser extends User {
  readonly disabled: boolean;
  readonly createdAt: string;
}

/** All users; administrators only. */
export const usersQuery = queryOptions({
  queryKey: ['users'],
  queryFn: async ({ signal }) => (await request<{ users: ManagedUser[] }>(apiUrl('api/v1/users'), { signal })).users,
});

/** Adds a user. */
export async function addUser(user: {
  name: string;
  email: string;
  password: string;
  role: 'admin' | 'user';
}): Promise<void> {
  await request(apiUrl('api/v1/users'), { method: 'POST', json: user });
}

/** Changes what a user may do, or whether they may come in at all. */
export async function changeUser(id: string, change: { role?: 'admin' | 'user'; disabled?: boolean }): Promise<void> {
  await request(apiUrl(`api/v1/users/${encodeURIComponent(id)}`), { method: 'PATCH', json: change });
}

/** Removes a user and ends their sessions and keys. */
export async function removeUser(id: string): Promise<void> {
  await request(apiUrl(`api/v1/users/${encodeURIComponent(id)}`), { method: 'DELETE' });
}
