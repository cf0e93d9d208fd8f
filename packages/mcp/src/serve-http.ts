import { createMcpHandler, type McpServerFactory } from '@modelcontextprotocol/server';
import { nameSession } from './cancellable-calls.ts';
import { MAX_MESSAGE_BYTES } from './oversized-message.ts';
import { BodyReader } from './read-body.ts';

/** An MCP endpoint for web-standard `Request` and `Response`. */
export interface HttpEndpoint {
  fetch(request: Request, options?: FetchOptions): Promise<Response>;
  close(): Promise<void>;
}

interface FetchOptions {
  /** The sender of the request. The factory gets `extra` unchanged; clients cannot set it. */
  readonly authInfo?: { token: string; clientId: string; scopes: string[]; extra?: Record<string, unknown> };
}

/**
 * Creates a stateless Streamable HTTP endpoint for all protocol versions. Every request gets its own server instance; the session
 * id of 2025 clients only connects cancellations to calls. Does not check Host, Origin or tokens: the caller must do that
 * first.
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
