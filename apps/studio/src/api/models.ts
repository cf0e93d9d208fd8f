import type { ApiResponse } from '@croft/server/contract';
import { queryOptions } from '@tanstack/react-query';
import { api } from './api.ts';

/** A provider of language models, and whether the user's variables enable it. */
export type ModelProvider = ApiResponse<'GET /api/v1/models'>['providers'][number];

/** A variable, without its value. */
export type UserVariable = ApiResponse<'GET /api/v1/variables'>['variables'][number];

/** The key of what depends on the user's variables. */
export const MODELS_KEY = ['variables'] as const;

/** The providers of language models. */
export const modelsQuery = queryOptions({
  queryKey: [...MODELS_KEY, 'models'],
  queryFn: ({ signal }) => api('GET /api/v1/models', { signal }),
});

/** The user's variables, without their values. */
export const variablesQuery = queryOptions({
  queryKey: [...MODELS_KEY, 'list'],
  queryFn: async ({ signal }) => (await api('GET /api/v1/variables', { signal })).variables,
});
