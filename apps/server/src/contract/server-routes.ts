import { z } from 'zod';
import { defineRoutes, raw } from './define-route.ts';

const status = z.strictObject({ status: z.literal('ok'), version: z.string() });

/** The state of the server, and the events it sends to pages. */
export const serverRoutes = defineRoutes('Server', {
  getHealth: {
    route: 'GET /healthz',
    summary: 'Check that the server answers',
    access: 'anyone',
    skipsIdentity: true,
    response: status,
  },
  getReadiness: {
    route: 'GET /readyz',
    summary:
      'Check that the server is ready: the database answers, an admin exists, the disk has room and files can be opened',
    access: 'anyone',
    skipsIdentity: true,
    // With accounts: users whose namespace cannot be opened, while the others can work.
    response: status.extend({ brokenNamespaces: z.number().int().positive().optional() }),
    otherResponses: {
      503: z.strictObject({
        status: z.literal('not_ready'),
        version: z.string(),
        waitingFor: z.enum(['database', 'admin', 'disk', 'files']),
      }),
    },
  },
  followEvents: {
    route: 'GET /api/v1/events',
    summary:
      'Follow changes as server-sent events: gateway (its status), files, flows, and reset when missed events are no longer stored. Resumes after Last-Event-ID',
    // A page that opens a new stream cannot set the header.
    query: z.object({ lastEventId: z.string().max(256).optional() }),
    access: 'session',
    response: raw('A stream of events', ['text/event-stream']),
    errors: ['too_many_streams'],
  },
  downloadCli: {
    route: 'GET /dl/croft.tgz',
    summary: 'Download the packed command line of this server, for npx on another machine',
    access: 'anyone',
    skipsIdentity: true,
    response: raw('The package', ['application/gzip']),
    errors: ['not_found'],
  },
});
