import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { meQuery } from './api/me.ts';
import { ApiError } from './api/request.ts';

/** The one cache of what the server said. An answer that the session is over makes the app ask who is here. */
export function createQueryClient(): QueryClient {
  const onError = (error: unknown) => {
    if (error instanceof ApiError && error.status === 401 && error.code !== 'wrong_credentials')
      void client.invalidateQueries({ queryKey: meQuery.queryKey });
  };
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        // The server is often this very machine: being off the net says nothing about it.
        networkMode: 'always',
        staleTime: 10_000,
        retry: (count, error) => count < 1 && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
        retryDelay: 500,
      },
      mutations: { networkMode: 'always' },
    },
  });
  return client;
}
