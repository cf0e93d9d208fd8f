import { QueryClient, QueryClientProvider, type QueryKey } from '@tanstack/react-query';
import { createElement, type ReactNode } from 'react';

/** A cache without retries, as the last test left none. */
export const testClient = () => new QueryClient({ defaultOptions: { queries: { retry: false } } });

/** Puts the provider of a cache around an element. */
export const inClient = (client: QueryClient) => (node: ReactNode) =>
  createElement(QueryClientProvider, { client }, node);

/** Whether views read it again: the entry of the cache is invalid. */
export const isInvalid = (client: QueryClient, key: QueryKey): boolean =>
  client.getQueryState(key)?.isInvalidated === true;
