import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { ServerEvent, ServerEventName } from '@croft/server/contract';
import { routeUrl } from './api.ts';
import { announcedQuery, FLOWS_KEY, flowQuery, flowTagsQuery } from './flows.ts';
import { gatewayQuery } from './gateway.ts';
import { apiUrl } from './request.ts';
import { restorePointsQuery } from './restore-points.ts';

const RETRY_MS = 5_000;
/** Delays between retries while the server does not answer. The last one repeats. */
const AWAY_RETRIES_MS = [1_000, 2_000, 4_000, 8_000];
const ANSWER_MS = 5_000;
/** Views refetch at most this often: a burst of changes reaches them as its first and its last. */
const FILES_EVERY_MS = 400;

/** The connection of the page to its server. */
export interface ServerLinkState {
  /** Events arrive. While they do not, views poll. */
  readonly live: boolean;
  /** The server does not answer at all. The page keeps retrying. */
  readonly away: boolean;
  /** Retries at once. */
  readonly tryNow: () => void;
}

/**
 * Follows the server's events while the page is visible, and stores them where views read them. A page in the
 * background holds no connection: a browser opens six to one server, and many tabs would use them up. When the server
 * comes back after it was away, all views refetch.
 */
export function useServerEvents(): ServerLinkState {
  const client = useQueryClient();
  const [live, setLive] = useState(false);
  const [away, setAway] = useState(false);
  const wasAway = useRef(false);
  const lastEventId = useRef<string>(undefined);
  const check = useRef<() => void>(undefined);
  useEffect(() => {
    let link: ReturnType<typeof open> | undefined;
    const showAway = (isAway: boolean) => {
      wasAway.current = isAway;
      setAway(isAway);
    };
    const follow = () => {
      link?.close();
      link =
        document.visibilityState === 'visible'
          ? open(client, { setLive, setAway: showAway, wasAway: wasAway.current, lastEventId })
          : undefined;
      check.current = link?.check;
    };
    follow();
    document.addEventListener('visibilitychange', follow);
    return () => {
      document.removeEventListener('visibilitychange', follow);
      link?.close();
    };
  }, [client]);
  const tryNow = useCallback(() => check.current?.(), []);
  return { live, away, tryNow };
}

type DataOf<Name extends ServerEventName> = Extract<ServerEvent, { readonly event: Name }>['data'];

interface LinkOptions {
  readonly setLive: (live: boolean) => void;
  readonly setAway: (away: boolean) => void;
  readonly wasAway: boolean;
  /** Of the newest event of any stream of this page: the next stream resumes after it. */
  readonly lastEventId: { current: string | undefined };
}

function open(client: QueryClient, { setLive, setAway, wasAway, lastEventId }: LinkOptions) {
  let source: EventSource;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = wasAway ? 1 : 0;
  let isClosed = false;
  // Requests go on and are repeated: events that come faster than responses would otherwise cancel each one.
  const refetch = (queryKey: QueryKey) => void client.invalidateQueries({ queryKey }, { cancelRefetch: false });
  const lookAgain = oftenAtMost(FILES_EVERY_MS, () => refetch(['files']));
  const lookAtFlows = oftenAtMost(FILES_EVERY_MS, () => {
    refetch([...FLOWS_KEY, 'list']);
    refetch(flowTagsQuery.queryKey);
  });
  const again = (run: () => void, afterMs: number) => {
    clearTimeout(timer);
    timer = setTimeout(run, afterMs);
  };
  const connect = () => {
    const { current } = lastEventId;
    source = new EventSource(
      routeUrl('GET /api/v1/events', { query: current === undefined ? {} : { lastEventId: current } }),
    );
    const on = <Name extends ServerEventName>(name: Name, take: (data: DataOf<Name>) => void) =>
      source.addEventListener(name, (event: MessageEvent<string>) => {
        if (event.lastEventId !== '') lastEventId.current = event.lastEventId;
        const data = parse<DataOf<Name>>(event.data);
        if (data !== undefined) take(data);
      });
    source.addEventListener('open', () => {
      back();
      setLive(true);
      // The status may have changed while no stream was open.
      void client.invalidateQueries({ queryKey: gatewayQuery.queryKey });
      // So may lists that were loaded before the first stream; later streams resume after the last event.
      if (lastEventId.current === undefined) {
        lookAgain();
        lookAtFlows();
      }
    });
    on('gateway', (status) => {
      // An answer still on its way is older than this event and must not replace it.
      void client.cancelQueries({ queryKey: gatewayQuery.queryKey });
      client.setQueryData(gatewayQuery.queryKey, status);
    });
    on('files', lookAgain);
    on('flows', ({ id, version }) => followFlow(client, id, version, lookAtFlows));
    // The server no longer has the missed events, so every view must refetch.
    on('reset', () => refetch([]));
    source.addEventListener('error', () => {
      setLive(false);
      void check();
    });
  };
  const back = () => {
    if (failures > 0) void client.invalidateQueries();
    failures = 0;
    setAway(false);
  };
  /** Finds out whether the server sends no events or does not answer at all. */
  const check = async () => {
    clearTimeout(timer);
    const answers = await isThere();
    if (isClosed) return;
    if (!answers) {
      source.close();
      setAway(true);
      again(() => void check(), AWAY_RETRIES_MS[Math.min(failures, AWAY_RETRIES_MS.length - 1)] ?? RETRY_MS);
      failures += 1;
    } else if (failures > 0) {
      back();
      // The browser may still try to connect the stream of before.
      source.close();
      connect();
    }
    // EventSource reconnects after a lost connection, but not after a response that is not an event stream.
    else if (source.readyState === EventSource.CLOSED) again(connect, RETRY_MS);
  };
  connect();
  return {
    check: () => void check(),
    close() {
      isClosed = true;
      clearTimeout(timer);
      source.close();
      setLive(false);
    },
  };
}

/** Refetches lists of flows. The page of an open flow fetches the edits up to the announced version itself. */
function followFlow(client: QueryClient, id: string | null, version: number | null, lookAtLists: () => void) {
  lookAtLists();
  if (id === null) return void client.invalidateQueries({ queryKey: FLOWS_KEY });
  const { queryKey } = flowQuery(id);
  if (version === null) return void client.invalidateQueries({ queryKey });
  void client.invalidateQueries({ queryKey: restorePointsQuery(id).queryKey, exact: true });
  client.setQueryData(announcedQuery(id).queryKey, version);
  const known = client.getQueryData(queryKey)?.version ?? 0;
  if (version > known) void client.invalidateQueries({ queryKey, refetchType: 'none' });
}

/** Whether the server answers. A 5xx counts as no answer: a proxy sends one when it cannot reach the server. */
async function isThere(): Promise<boolean> {
  try {
    const answer = await fetch(apiUrl('healthz'), { cache: 'no-store', signal: AbortSignal.timeout(ANSWER_MS) });
    return answer.status < 500;
  } catch {
    return false;
  }
}

/** Runs at once; of further calls within the time, one runs at its end. */
function oftenAtMost(everyMs: number, run: () => void): () => void {
  let isResting = false;
  let isWanted = false;
  const go = () => {
    isResting = true;
    isWanted = false;
    run();
    setTimeout(() => {
      isResting = false;
      if (isWanted) go();
    }, everyMs);
  };
  return () => {
    if (isResting) isWanted = true;
    else go();
  };
}

function parse<T>(text: string): T | undefined {
  try {
    return JSON.parse(text) as T;
  } catch {
    return undefined;
  }
}
