import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpEndpoint } from '@croft/mcp';
import { getRequestListener } from '@hono/node-server';
import { createApp } from '../app.ts';
import { trustedProxies } from '../edge/addresses.ts';
import { admit } from '../edge/admit.ts';
import { bearerOf } from '../edge/bearer.ts';
import { originRule } from '../edge/own-origin.ts';
import type { LocalSessions } from '../local-session.ts';
import type { Overview } from '../pages/home.ts';
import { Problem } from '../problem.ts';
import { addMcpEndpoint } from '../routes/mcp-endpoint.ts';
import { sameSecret } from '../token-file.ts';
import { addPageRoutes } from './page-routes.ts';

export interface McpOnlyOptions {
  readonly endpoint: HttpEndpoint;
  readonly host: string;
  readonly publicUrl?: string | undefined;
  /** One-time codes and keys of the page. */
  readonly sessions: LocalSessions;
  /** The bearer token of `/mcp`; `undefined` lets every local program use the tools. */
  readonly token: string | undefined;
  readonly version: string;
  readonly overview: () => Overview;
  readonly onError?: ((error: Error) => void) | undefined;
}

/**
 * The server without accounts, files and database. Loopback is not a user boundary: the page needs its key, `/mcp` its
 * bearer token, and both a Host and Origin of this server. The empty page and `/healthz` are open.
 */
export function composeMcpOnly(options: McpOnlyOptions): (request: IncomingMessage, response: ServerResponse) => void {
  const { host, publicUrl, token, onError } = options;
  const edge = {
    basePath: '/',
    originRule: originRule({ host, publicUrl, allowedOrigins: [] }),
    proxies: trustedProxies([]),
  };
  const app = createApp((error) => {
    onError?.(error);
    return new Problem(500, 'internal', 'Something went wrong. The terminal that runs Croft shows the reason.');
  });
  addMcpEndpoint(app, {
    open: async () => options.endpoint,
    authorize: async (context) => {
      const given = bearerOf(context.req.header('authorization'));
      const isKnown = token === undefined || (given !== undefined && sameSecret(given, token));
      return isKnown ? { token: '', clientId: 'local', scopes: [] } : undefined;
    },
    unauthorized: 'send the bearer token of this server',
  });
  addPageRoutes(app, options);
  const respond = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  return (request, response) => {
    if (admit(request, response, edge)) void respond(request, response);
  };
}
