import { parseLastEventId } from '@croft/event-log';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Hub } from '@croft/gateway/hub';
import { serverRoutes } from '../contract/server-routes.ts';
import type { EventStreams } from '../events.ts';
import type { Identified } from '../identify.ts';
import type { ReadyState } from '../ready-check.ts';
import { type RawHttp, type Route, route } from './route.ts';

export interface ServerRouteOptions {
  readonly events: Pick<EventStreams, 'open'>;
  readonly checkReady: () => Promise<ReadyState>;
  readonly hub: Pick<Hub, 'loadStatus'>;
  readonly identify: (request: RawHttp['incoming']) => Promise<Identified | undefined>;
  readonly packedCli: (() => Promise<Buffer>) | undefined;
  readonly version: string;
}

/** The state of the server, its events, and its packed command line. */
export function makeServerRoutes(options: ServerRouteOptions): Route[] {
  const { version } = options;
  return [
    route(serverRoutes.getHealth, () => ({ status: 'ok' as const, version })),
    route(serverRoutes.getReadiness, async ({ other }) => {
      const { waitingFor, ...state } = await options.checkReady();
      if (waitingFor === undefined) return { status: 'ok' as const, version, ...state };
      return other(503, { status: 'not_ready', version, waitingFor }, { 'Retry-After': '1' });
    }),
    route(serverRoutes.followEvents, async ({ caller, query, incoming, outgoing }) => {
      const first = { event: 'gateway' as const, data: await options.hub.loadStatus(caller.userId) };
      const lastEventId = parseLastEventId(incoming.headers['last-event-id'] ?? query.lastEventId);
      const isValid = async () => (await options.identify(incoming))?.caller.userId === caller.userId;
      options.events.open(caller.userId, outgoing, { lastEventId, first: [first], isValid });
      return RESPONSE_ALREADY_SENT;
    }),
    route(serverRoutes.downloadCli, async ({ problem }) => {
      if (options.packedCli === undefined)
        throw problem('not_found', 'This server has no packed command line. Install croft instead.');
      return new Response(new Uint8Array(await options.packedCli()), {
        headers: { 'Content-Type': 'application/gzip', 'Cache-Control': 'no-cache' },
      });
    }),
  ];
}
