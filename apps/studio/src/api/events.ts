import type { QueryClient } from '@tanstack/react-query';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { ServerEvent, ServerEventName } from '@croft/server/contract';
import { routeUrl } from './api.ts';
import { gatewayQuery } from './gateway.ts';
import { apiUrl } from './request.ts';

const RETRY_MS = 5_000;
/** How long to wait before asking a server again that did not answer; the last one from then on. */
const AWAY_RETRIES_MS = [1_000, 2_000, 4_000, 8_000];
const ANSWER_MS = 5_000;
/** Of many changes at once a view hears the first and the last. */
const FILES_EVERY_MS = 400;

/** How the page stands with its server. */
export interface ServerLinkState {
  /** Events come; while they do not, views ask by themselves. */
  readonly live: boolean;
  /** The server does not answer at all. It is asked again and again. */
  readonly away: boolean;
  /** Asks at once. */
  readonly tryNow: () => void;
}

/**
 * Follows the server's events while somebody looks at the page, and puts what they say where views read it. A page in
 * the background holds no connection: a browser has six for one server, and many tabs would use them up. When the server
 * comes back after it was away, all views look again.
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
    const tellAway = (isAway: boolean) => {
      wasAway.current = isAway;
      setAway(isAway);
    };
    const follow = () => {
      link?.close();
      link =
        document.visibilityState === 'visible'
          ? open(client, { setLive, setAway: tellAway, wasAway: wasAway.current, lastEventId })
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
  const lookAgain = oftenAtMost(FILES_EVERY_MS, () => void client.invalidateQueries({ queryKey: ['files'] }));
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
      // What happened while nobody listened.
      void client.invalidateQueries({ queryKey: gatewayQuery.queryKey });
    });
    on('gateway', (status) => {
      // An answer still on its way is older than this event and must not replace it.
      void client.cancelQueries({ queryKey: gatewayQuery.queryKey });
      client.setQueryData(gatewayQuery.queryKey, status);
    });
    on('files', lookAgain);
    // Events were missed for good.
    on('reset', () => void client.invalidateQueries());
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
  /** Tells a server that gives no events from one that is not there. */
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
      connect();
    }
    // The browser tries again by itself after a break, but not after an answer that was no stream.
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

/** Whether anything of ours answers. A proxy that says it cannot reach the server speaks for nobody. */
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
