import type { ApiResponse } from '@croft/server/contract';
import { queryOptions } from '@tanstack/react-query';
import { apiQuery } from './api.ts';
import { ApiError } from './request.ts';

/** The signed-in user, and facts about the server. */
export type Me = ApiResponse<'GET /api/v1/me'>;
export type User = NonNullable<Me['user']>;

const STARTING_TRIES = 60;

/** Queries the signed-in user. */
export const meQuery = queryOptions({
  ...apiQuery('GET /api/v1/me'),
  staleTime: 60_000,
  // A server that has just started answers 503 until its database answers.
  retry: (count, error) => error instanceof ApiError && (error.status === 503 ? count < STARTING_TRIES : count < 1),
  retryDelay: 500,
});
