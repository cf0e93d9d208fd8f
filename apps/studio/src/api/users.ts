import type { ApiRequest, ApiResponse } from '@croft/server/contract';
import { apiQuery } from './api.ts';

/** All users, and the limit of their files. */
export type UserList = ApiResponse<'GET /api/v1/users'>;

/** A user as admins see them. */
export type ManagedUser = UserList['users'][number];

/** The fields of a user that an admin may change. */
export type UserChange = ApiRequest<'PATCH /api/v1/users/{id}'>['body'];

/** All users; for admins only. */
export const usersQuery = apiQuery('GET /api/v1/users');

export type NewUser = ApiRequest<'POST /api/v1/users'>['body'];
