import { randomUUID } from 'node:crypto';
import type { RequestId } from '@modelcontextprotocol/server';

/** The header by which a client of the older era says that several of its requests belong together. */
const SESSION_HEADER = 'mcp-session-id';

/**
 * In the older era a call over HTTP is cancelled by another request, which another server instance gets. The session
 * id leads from one to the other. It is a name and nothing else: no state hangs on it, any is accepted, and without
 * one a call ends with its connection.
 */
export class CancellableCalls {
  private readonly running = new Map<string, AbortController>();

  /** Runs a call under a signal that also `cancel` aborts. */
  async run<T>(
    session: string,
    id: RequestId,
    signal: AbortSignal,
    call: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const key = keyOf(session, id);
    const controller = new AbortController();
    this.running.set(key, controller);
    try {
      return await call(AbortSignal.any([signal, controller.signal]));
    } finally {
      if (this.running.get(key) === controller) this.running.delete(key);
    }
  }

  cancel(session: string, id: RequestId): void {
    this.running.get(keyOf(session, id))?.abort();
  }
}

/** Ids are the client's choice: `1` and `"1"` are two. */
function keyOf(session: string, id: RequestId): string {
  return JSON.stringify([session, id]);
}

/**
 * The session a request names. It counts for its own caller alone: any name is accepted, so two callers may use one.
 *
 * @param authInfo of the request, as it was given to the endpoint
 */
export function sessionOf(request: Request | undefined, authInfo: unknown): string | undefined {
  const named = request?.headers.get(SESSION_HEADER) ?? undefined;
  const { clientId } = (authInfo ?? {}) as { clientId?: unknown };
  return named === undefined ? undefined : JSON.stringify([clientId ?? null, named]);
}

/** Gives a client its session id with the answer to its first request, the only one that names no protocol version. */
export function nameSession(request: Request, response: Response): Response {
  const isFirst =
    request.method === 'POST' &&
    response.status === 200 &&
    !request.headers.has('mcp-protocol-version') &&
    !request.headers.has(SESSION_HEADER);
  if (isFirst) response.headers.set(SESSION_HEADER, randomUUID());
  return response;
}
