import type { ApiResponse } from '@croft/server/contract';
import { queryOptions } from '@tanstack/react-query';
import { api } from './api.ts';
import { ApiError } from './request.ts';

/** A component that the user wrote. */
export type UserComponent = ApiResponse<'GET /api/v1/components'>['components'][number];

/** A fault of code; line 0 where it is of the whole. */
export type CodeFault = NonNullable<UserComponent['problem']>;

/** The user's components, with what is wrong with those that cannot be used. */
export const userComponentsQuery = queryOptions({
  queryKey: ['user-components', 'list'],
  queryFn: ({ signal }) => api('GET /api/v1/components', { signal }),
});

/** The source of a component. */
export const componentSourceQuery = (name: string) =>
  queryOptions({
    queryKey: ['user-components', 'source', name],
    queryFn: async ({ signal }) => (await api('GET /api/v1/components/{name}', { params: { name }, signal })).code,
    staleTime: 0,
  });

/** Saves a component under the name of its class. Returns the faults of code that is not saved. @throws ApiError */
export async function saveComponent(code: string): Promise<readonly CodeFault[]> {
  const [, name] = /\bclass\s+([A-Za-z_$][\w$]*)/.exec(code) ?? [];
  if (name === undefined) return [NO_CLASS];
  try {
    await api('PUT /api/v1/components/{name}', { params: { name }, body: { code } });
    return [];
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 422) throw error;
    return (JSON.parse(error.body) as { problems: readonly CodeFault[] }).problems;
  }
}

const NO_CLASS: CodeFault = {
  kind: 'ports',
  line: 0,
  column: 0,
  message: 'The code has no class.',
  fix: 'Write a class that extends Component, and export it.',
};
