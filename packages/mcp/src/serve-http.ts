import { createMcpHandler, type McpServerFactory } from '@modelcontextprotocol/server';
import { nameSession } from './cancellable-calls.ts';
import { MAX_MESSAGE_BYTES } from './oversized-message.ts';
import { BodyReader } from './read-body.ts';

/** An MCP endpoint in web-standard terms: one `Request` in, one `Response` out. */
export interface HttpEndpoint {
  fetch(request: Request, options?: FetchOptions): Promise<Response>;
  close(): Promise<void>;
}

interface FetchOptions {
  /** Who sends the request. `extra` goes to the factory unchanged; a client cannot write it. */
  readonly authInfo?: { token: string; clientId: string; scopes: string[]; extra?: Record<string, unknown> };
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
  const bodies = new BodyReader();
  const answer = (request: Request, options?: FetchOptions): Promise<Response> =>
    bodies.takes(request)
      ? bodies.read(request, async (body) =>
          'refused' in body ? body.refused : handler.fetch(request, { ...options, parsedBody: body.parsed }),
        )
      : handler.fetch(request, options);
  return {
    fetch: async (request, options) => nameSession(request, await answer(request, options)),
    close: () => handler.close(),
  };
}
