import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  MutationCache,
  QueryCache,
  QueryClient,
} from '@tanstack/react-query';
import { type Me, meQuery } from './api/me.ts';
import { ApiError } from './api/request.ts';

/** A change that is announced while a request is under way must reach its view: the response may be older than the change. */
class Cache extends QueryClient {
  /**
   * Restarts requests of views that have data. Lets the first request of a view go on, and with `cancelRefetch: false` every one,
   * and repeats it once it is answered; the library alone takes its response as the newest data.
   */
  override async invalidateQueries(
    filters: InvalidateQueryFilters = {},
    options: InvalidateOptions = {},
  ): Promise<void> {
    const goingOn = this.getQueryCache()
      .findAll({ ...filters, fetchStatus: 'fetching' })
      .filter(({ state }) => state.data === undefined || options.cancelRefetch === false);
    const repeat = async (query: (typeof goingOn)[number]) => {
      await query.promise?.catch(() => undefined);
      // Several changes meanwhile need one more request.
      const kept = { ...options, cancelRefetch: false };
      await super.invalidateQueries({ ...filters, predicate: (each) => each === query }, kept);
    };
    await Promise.all([super.invalidateQueries(filters, options), ...goingOn.map(repeat)]);
  }
}

/**
 * The cache of server responses. A response about an ended session makes the app load the user again. Where that is another user,
 * also one who signed in in another tab, everything of the one before is removed before a page shows it.
 */
export function createQueryClient(): QueryClient {
  const onError = (error: unknown) => {
    if (error instanceof ApiError && error.status === 401 && error.code !== 'wrong_credentials')
      void client.invalidateQueries({ queryKey: meQuery.queryKey });
  };
  let owner: string | undefined;
  const onSuccess = (data: unknown, { queryKey }: { queryKey: readonly unknown[] }) => {
    if (queryKey[0] !== meQuery.queryKey[0]) return;
    const id = (data as Me).user?.id;
    if (id !== undefined && owner !== undefined && id !== owner) forgetAllButMe(client);
    owner = id ?? owner;
  };
  const client = new Cache({
    queryCache: new QueryCache({ onError, onSuccess }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        // The server is often on this machine, so requests do not depend on the network state.
        networkMode: 'always',
        staleTime: 10_000,
        // Pages that stay while a session has ended show their data again, also the next morning.
        gcTime: 24 * 3_600_000,
        retry: (count, error) => count < 1 && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
        retryDelay: 500,
      },
      mutations: { networkMode: 'always' },
    },
  });
  return client;
}

/** Removes what the cache has of a user. */
export function forgetAllButMe(client: QueryClient): void {
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== meQuery.queryKey[0] });
}
