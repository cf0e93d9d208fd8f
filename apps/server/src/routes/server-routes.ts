import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { z } from 'zod';
import type { Parts } from '../parts.ts';
import { notFound } from '../problem.ts';
import type { App, Endpoints } from './endpoint.ts';

/** What says of the server whether it lives, and streams what happens. */
export function addServerRoutes(endpoints: Endpoints, parts: Parts): void {
  endpoints.add(
    {
      method: 'get',
      path: '/healthz',
      summary: 'Whether the server answers',
      access: 'anyone',
      skipsIdentity: true,
      answer: z.object({ status: z.string(), version: z.string() }),
    },
    () => ({ status: 'ok', version: parts.version }),
  );
  endpoints.add(
    {
      method: 'get',
      path: '/readyz',
      summary: 'Whether it can serve; 503 until the database answers, an admin exists and the disk has room',
      access: 'anyone',
      skipsIdentity: true,
      answer: z.object({ status: z.string(), version: z.string() }),
    },
    async () => {
      const waitingFor = await parts.findNotReady();
      if (waitingFor === undefined) return { status: 'ok', version: parts.version };
      const body = { status: 'not_ready', version: parts.version, waitingFor };
      return Response.json(body, { status: 503, headers: { 'Cache-Control': 'no-store', 'Retry-After': '1' } });
    },
  );
  endpoints.add(
    {
      method: 'get',
      path: '/api/v1/events',
      summary: 'What happens, as server-sent events: gateway (its status) and files',
      access: 'session',
    },
    async ({ caller, context }) => {
      const first = { event: 'gateway', data: await parts.hub.loadStatus(caller.userId) };
      const { incoming, outgoing } = context.env;
      const isValid = async () => (await parts.identify(incoming))?.caller.userId === caller.userId;
      parts.events.open(caller.userId, outgoing, { first: [first], isValid });
      return RESPONSE_ALREADY_SENT;
    },
  );
}

/** The packed command line, for another machine's `npx`. */
export function addDownload(app: App, parts: Parts): void {
  app.get('/dl/croft.tgz', async () => {
    if (parts.packedCli === undefined) throw notFound('This server has no packed command line. Install croft instead.');
    return new Response(new Uint8Array(await parts.packedCli()), {
      headers: { 'Content-Type': 'application/gzip', 'Cache-Control': 'no-cache' },
    });
  });
}
