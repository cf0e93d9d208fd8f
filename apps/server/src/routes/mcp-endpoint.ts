import type { HttpEndpoint } from '@croft/mcp';
import type { Context } from 'hono';
import { rpcError } from '../edge/rpc-error.ts';
import { Problem } from '../problem.ts';
import { createCallTurns } from './call-turns.ts';
import type { App, RawHttp } from './route.ts';

type McpSender = NonNullable<NonNullable<Parameters<HttpEndpoint['fetch']>[1]>['authInfo']>;

export interface McpEndpointOptions {
  /** Creates the endpoint, at the first request with a sender. */
  readonly open: () => Promise<HttpEndpoint>;
  /** Identifies the sender; `undefined` for an unknown one. @throws Problem */
  readonly authorize: (context: Context<{ Bindings: RawHttp }>) => Promise<McpSender | undefined>;
  /** Default: `/mcp`. */
  readonly path?: string;
  /** Tells an unknown sender what to send. */
  readonly unauthorized: string;
}

/**
 * Adds an MCP endpoint. Refusals are JSON-RPC errors.
 *
 * @returns ends the open responses
 */
export function addMcpEndpoint(app: App, { open, authorize, path = '/mcp', unauthorized }: McpEndpointOptions) {
  const turn = createCallTurns();
  let opened: Promise<HttpEndpoint> | undefined;
  app.all(path, async (context) => {
    let authInfo: McpSender | undefined;
    try {
      authInfo = await authorize(context);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return context.json(rpcError(error.message), { status: error.status as 403, headers: error.headers });
    }
    if (authInfo === undefined)
      return context.json(rpcError(`Unauthorized: ${unauthorized}`), 401, { 'WWW-Authenticate': 'Bearer' });
    // A first request may fail for want of descriptors or memory: the next one tries again.
    opened ??= open().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    const endpoint = await opened;
    await turn(authInfo.clientId);
    const response = await endpoint.fetch(context.req.raw, { authInfo });
    // The transport sets `keep-alive`, also for clients that asked to close. Node knows what they asked for.
    response.headers.delete('connection');
    return response;
  });
  return { close: async (): Promise<void> => (await opened?.catch(() => undefined))?.close() };
}
