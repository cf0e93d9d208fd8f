import { z } from 'zod';
import { defineRoutes, raw, type RouteDefinition } from './define-route.ts';
import { gatewayStatus } from './gateway-status.ts';

/** Older clients read the fields at the top of a response, later ones read them below `data`. */
const both = <Shape extends z.ZodRawShape>(shape: Shape) => z.strictObject({ ...shape, data: z.strictObject(shape) });

const done = both({ ok: z.literal(true) });
const link = {
  token: z.string(),
  command: z.string(),
  url: z.string(),
  expiresAt: z.string(),
  ttlSeconds: z.number(),
};
const jsonBody = raw('The message, as `PROTOCOL.md` of @croft/gateway describes it', ['application/json']);
const hub = { servedBy: 'hub' } as const;

/**
 * The gateway: tools on a user's own machine. The hub serves these routes as raw HTTP, so that an idle machine uses
 * little memory. The same routes exist below `/rest`, for later clients.
 */
export const gatewayRoutes = defineRoutes('Gateway', {
  getGatewayStatus: {
    ...hub,
    route: 'GET /instance-ai/gateway/status',
    summary: 'Get the state of your connected machine, and whether agents may use it',
    access: 'caller',
    response: both(gatewayStatus.shape),
  },
  // A session: a machine that a leaked key connected would stay connected after the key was revoked.
  createGatewayLink: {
    ...hub,
    route: 'POST /instance-ai/gateway/create-link',
    summary: 'Get the open pairing token and the command that uses it. renew replaces an open token',
    access: 'session',
    body: z.object({ renew: z.boolean().optional() }),
    response: both(link),
  },
  disconnectGateway: {
    ...hub,
    route: 'POST /instance-ai/gateway/disconnect-session',
    summary: 'Disconnect your machine. Connecting again needs a new pairing',
    access: 'caller',
    response: done,
  },
  toggleGateway: {
    ...hub,
    route: 'POST /instance-ai/filesystem/toggle',
    summary:
      'Switch the tools of the connected machine on or off; it stays connected. Without enabled, invert the switch',
    access: 'session',
    body: z.object({ enabled: z.boolean().optional() }),
    response: both({ ok: z.literal(true), enabled: z.boolean() }),
  },
  connectMachine: {
    ...hub,
    route: 'POST /instance-ai/gateway/init',
    summary: 'Connect a machine with a pairing token or a session key',
    access: 'machine-key',
    body: jsonBody,
    response: both({
      ok: z.literal(true),
      /** Only for a pairing token. */
      sessionKey: z.string().optional(),
      croft: z.strictObject({ protocol: z.number() }).optional(),
    }),
  },
  followMachineRequests: {
    ...hub,
    route: 'GET /instance-ai/gateway/events',
    summary: 'Receive requests to the machine, as server-sent events',
    access: 'machine-key',
    response: raw('A stream of events', ['text/event-stream']),
  },
  answerMachineRequest: {
    ...hub,
    route: 'POST /instance-ai/gateway/response/{requestId}',
    summary: 'Answer a request',
    access: 'machine-key',
    body: jsonBody,
    response: done,
  },
  updateMachineTree: {
    ...hub,
    route: 'POST /instance-ai/gateway/tree',
    summary: 'Send the tree of the directory again, after files changed',
    access: 'machine-key',
    body: jsonBody,
    response: done,
  },
  confirmMachineAlive: {
    ...hub,
    route: 'POST /instance-ai/gateway/alive',
    summary: 'Answer a ping',
    access: 'machine-key',
    response: done,
  },
  disconnectMachine: {
    ...hub,
    route: 'POST /instance-ai/gateway/disconnect',
    summary: 'Disconnect this machine and end its key',
    access: 'machine-key',
    response: done,
  },
});

/** The same routes below `/rest`. Operation ids end with `Rest`. */
export function restGatewayRoutes(): RouteDefinition[] {
  return Object.values(gatewayRoutes).map((definition: RouteDefinition) => ({
    ...definition,
    route: definition.route.replace(' /', ' /rest/') as RouteDefinition['route'],
    operationId: `${definition.operationId}Rest`,
    tag: 'Gateway below /rest',
  }));
}

/** The guard inside the server, where it is configured. */
export const guardRoutes = defineRoutes('Guard', {
  getGuardDecisions: {
    servedBy: 'guard',
    route: 'GET /guard',
    summary: 'Open the page of decisions',
    access: 'admin',
    response: raw('The page', ['text/html']),
  },
  proxyToModel: {
    servedBy: 'guard',
    route: 'POST /guard/proxy/{path}',
    summary:
      "Send a request to the configured model and judge the tool calls of its reply. path is the model's own path",
    access: 'key-header',
    body: raw('The request, as the model takes it', ['application/json']),
    response: raw('The reply, as the model sends it', ['application/json', 'text/event-stream']),
  },
});
