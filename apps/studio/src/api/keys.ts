import { queryOptions } from '@tanstack/react-query';
import { apiUrl, request } from './request.ts';

/** An API key as the server remembers it: the secret itself is not kept. Times are ISO 8601. */
export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
}

/** One's own keys. */
export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: async ({ signal }) => (await request<{ keys: ApiKey[] }>(apiUrl('api/v1/keys'), { signal })).keys,
});

/** Makes a key. The secret is in this answer and never again. */
export function createKey(name: string): Promise<{ key: ApiKey; secret: string }> {
  return request(apiUrl('api/v1/keys'), { method: 'POST', json: { name } });
}

/** Makes a key useless from now on. */
export async function revokeKey(id: string): Promise<void> {
  await request(apiUrl(`api/v1/keys/${encodeURIComponent(id)}`), { method: 'DELETE' });
}
