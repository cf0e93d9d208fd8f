import { createMcpHandler, type McpServerFactory } from '@modelcontextprotocol/server';
import { isFirstRequest, newSessionId, SESSION_HEADER } from './cancellable-calls.ts';
import { HttpSessions, type SessionLimits } from './http-sessions.ts';
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
 * Creates a Streamable HTTP endpoint for all protocol versions. Every request gets its own server instance, and the session id
 * of 2025 clients only connects cancellations to calls and carries the client's name. A 2025 client that can ask the person gets a session of its own, because
 * a question needs one. Does not check Host, Origin or tokens: the caller must do that first, at every request.
 */
export function createHttpEndpoint(
  factory: McpServerFactory,
  onError?: (error: Error) => void,
  limits?: SessionLimits,
): HttpEndpoint {
  const handler = createMcpHandler(factory, {
    maxRequestBodySize: MAX_MESSAGE_BYTES,
    ...(onError && { onerror: onError }),
  });
  const sessions = new HttpSessions(factory, limits);
  const bodies = new BodyReader();
  const serve = async (request: Request, options?: FetchOptions, parsedBody?: unknown): Promise<Response> => {
    const isFirst = isFirstRequest(request);
    const body = isFirst ? (parsedBody ?? (await smallBody(request))) : parsedBody;
    const inSession = await sessions.answer({ request, authInfo: options?.authInfo, parsedBody: body });
    if (inSession) return inSession;
    const response = await handler.fetch(request, parsedBody === undefined ? options : { ...options, parsedBody });
    if (isFirst && response.status === 200) response.headers.set(SESSION_HEADER, newSessionId(body));
    return response;
  };
  return {
    fetch: (request, options) =>
      bodies.takes(request)
        ? bodies.read(request, options?.authInfo?.clientId ?? '', async (body) =>
            'refused' in body ? body.refused : serve(request, options, body.parsed),
          )
        : serve(request, options),
    close: async () => {
      await Promise.all([sessions.close(), handler.close()]);
    },
  };
}

/** The body of a request that is still to be served; `undefined` for one that is not JSON. */
async function smallBody(request: Request): Promise<unknown> {
  try {
    return await request.clone().json();
  } catch {
    return undefined;
  }
}
