import { createMcpHandler, type McpServerFactory } from '@modelcontextprotocol/server';
import { nameSession } from './cancellable-calls.ts';
import { MAX_MESSAGE_BYTES } from './line-guard.ts';

/** An MCP endpoint in web-standard terms: one `Request` in, one `Response` out. */
export interface HttpEndpoint {
  fetch(
    request: Request,
    options?: { authInfo?: { token: string; clientId: string; scopes: string[] } },
  ): Promise<Response>;
  close(): Promise<void>;
}

/**
 * Streamable HTTP in both eras, stateless: every request gets a server instance of its own; the session id a client of
 * the older era is given only leads its cancellations to its calls. It checks neither Host nor Origin nor tokens: the
 * caller must, before handing a request on.
 */
export function createHttpEndpoint(factory: McpServerFactory, onError?: (error: Error) => void): HttpEndpoint {
  const handler = createMcpHandler(factory, {
    maxRequestBodySize: MAX_MESSAGE_BYTES,
    ...(onError && { onerror: onError }),
  });
  return {
    fetch: async (request, options) => nameSession(request, await handler.fetch(request, options)),
    close: () => handler.close(),
  };
}
