import { QueryClient, QueryClientProvider, type QueryKey } from '@tanstack/react-query';
import { createElement, type ReactNode } from 'react';
import { meQuery } from '../api/me.ts';

/** A cache without retries, as the last test left none. */
export const testClient = () => new QueryClient({ defaultOptions: { queries: { retry: false } } });

/** The same where a user is signed in. */
export function signedInClient(userId = 'u1') {
  const client = testClient();
  client.setQueryData(meQuery.queryKey, { user: { id: userId } } as never);
  return client;
}

/** Puts the provider of a cache around an element. */
export const inClient = (client: QueryClient) => (node: ReactNode) =>
  createElement(QueryClientProvider, { client }, node);

/** Whether views read it again: the entry of the cache is invalid. */
export const isInvalid = (client: QueryClient, key: QueryKey): boolean =>
  client.getQueryState(key)?.isInvalidated === true;
