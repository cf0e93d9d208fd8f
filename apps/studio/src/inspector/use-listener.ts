import type { ApiResponse } from '@croft/server/contract';
import { useEffect, useRef, useState } from 'react';
import { api } from '../api/api.ts';
import { sentenceOf } from '../ui/state.tsx';

/** A request that another system sent to a webhook. */
export type ReceivedRequest = NonNullable<ApiResponse<'GET /api/v1/webhooks/{id}/listener'>['request']>;

export type Listening =
  | { readonly kind: 'idle' | 'expired' | 'waiting' }
  | { readonly kind: 'captured'; readonly at: string }
  | { readonly kind: 'failed'; readonly message: string };

const LISTEN_S = 300;
const ANSWER_S = '20';

/** Waits for the next request to a webhook, which starts no run then. `onRequest` gets the request. */
export function useListener(onRequest: (request: ReceivedRequest) => void) {
  const [state, setState] = useState<Listening>({ kind: 'idle' });
  const waiting = useRef<{ readonly id: string; readonly stop: AbortController }>(undefined);
  const latest = useRef(onRequest);
  latest.current = onRequest;
  function stop() {
    const { current } = waiting;
    waiting.current = undefined;
    if (!current) return;
    current.stop.abort();
    close(current.id);
  }
  useEffect(() => stop, []);
  return {
    state,
    async start(id: string) {
      stop();
      const listener = { id, stop: new AbortController() };
      waiting.current = listener;
      setState({ kind: 'waiting' });
      try {
        const request = await nextRequest(id, listener.stop.signal);
        if (waiting.current !== listener) return;
        waiting.current = undefined;
        close(id);
        setState(request ? { kind: 'captured', at: request.receivedAt } : { kind: 'expired' });
        if (request) latest.current(request);
      } catch (error) {
        if (waiting.current !== listener) return;
        stop();
        setState({ kind: 'failed', message: sentenceOf(error) });
      }
    },
    stop() {
      stop();
      setState({ kind: 'idle' });
    },
  };
}

/** Deletes the request that was kept. Where none came, the next one starts a run again. The server does both later, too. */
function close(id: string): void {
  api('DELETE /api/v1/webhooks/{id}/listener', { params: { id } }).catch(() => undefined);
}

/** The next request to the webhook; undefined where none came in time. @throws ApiError */
async function nextRequest(id: string, signal: AbortSignal): Promise<ReceivedRequest | undefined> {
  const params = { id };
  await api('POST /api/v1/webhooks/{id}/listener', { params, body: { seconds: LISTEN_S }, signal });
  for (;;) {
    const route = 'GET /api/v1/webhooks/{id}/listener';
    const { status, request } = await api(route, { params, query: { wait: ANSWER_S }, signal });
    if (status !== 'waiting') return request ?? undefined;
  }
}
