import type { QueryClient } from '@tanstack/react-query';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { apiUrl } from './request.ts';
import { gatewayQuery, type GatewayStatus } from './gateway.ts';

const RETRY_MS = 5_000;

/**
 * Follows the server's events while somebody looks at the page, and puts what they say where views read it. A page in
 * the background holds no connection: a browser has six for one server, and many tabs would use them up.
 *
 * @returns whether events come; while they do not, views ask by themselves
 */
export function useServerEvents(signedIn: boolean): boolean {
  const client = useQueryClient();
  const [live, setLive] = useState(false);
  useEffect(() => {
    if (!signedIn) return undefined;
    let stop: (() => void) | undefined;
    const follow = () => {
      stop?.();
      stop = document.visibilityState === 'visible' ? open(client, setLive) : undefined;
    };
    follow();
    document.addEventListener('visibilitychange', follow);
    return () => {
      document.removeEventListener('visibilitychange', follow);
      stop?.();
    };
  }, [signedIn, client]);
  return live;
}

function open(client: QueryClient, setLive: (live: boolean) => void): () => void {
  let source: EventSource;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const connect = () => {
    source = new EventSource(apiUrl('api/v1/events'));
    source.addEventListener('open', () => {
      setLive(true);
      // What happened while nobody listened.
      void client.invalidateQueries({ queryKey: gatewayQuery.queryKey });
    });
    source.addEventListener('gateway', (event: MessageEvent<string>) => {
      const status = parse<GatewayStatus>(event.data);
      if (status) client.setQueryData(gatewayQuery.queryKey, status);
    });
    source.addEventListener('files', (event: MessageEvent<string>) => {
      const root = parse<{ root?: string }>(event.data)?.root;
      void client.invalidateQueries({ queryKey: root ? ['files', root] : ['files'] });
    });
    source.addEventListener('error', () => {
      setLive(false);
      // The browser tries again by itself after a break, but not after an answer that was no stream.
      if (source.readyState === EventSource.CLOSED) timer = setTimeout(connect, RETRY_MS);
    });
  };
  connect();
  return () => {
    clearTimeout(timer);
    source.close();
    setLive(false);
  };
}

function parse<T>(text: string): T | undefined {
  try {
    return JSON.parse(text) as T;
  } catch {
    return undefined;
  }
}
