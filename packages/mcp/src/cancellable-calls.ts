import { randomUUID } from 'node:crypto';
import type { RequestId } from '@modelcontextprotocol/server';

/** The header with which a client of the 2025 versions connects its requests. */
export const SESSION_HEADER = 'mcp-session-id';

/**
 * Cancels calls over HTTP in the 2025 versions. The cancellation is a separate request, which another server instance handles; the
 * session id connects it to the call. Any id is accepted and no other state depends on it. Without an id, a call ends with its
 * connection.
 */
export class CancellableCalls {
  private readonly running = new Map<string, AbortController>();

  /** Runs a call with a signal that `cancel` can also abort. */
  async run<T>(
    session: string,
    id: RequestId,
    signal: AbortSignal,
    call: (signal: AbortSignal) => T | Promise<T>,
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

/** Builds the key of a call. Clients choose ids; `1` and `"1"` are different. */
function keyOf(session: string, id: RequestId): string {
  return JSON.stringify([session, id]);
}

/**
 * The session of a request, combined with its caller: any id is accepted, so two callers may use the same one.
 *
 * @param authInfo the caller, as given to the endpoint
 */
export function sessionOf(request: Request | undefined, authInfo: unknown): string | undefined {
  const named = request?.headers.get(SESSION_HEADER) ?? undefined;
  const { clientId } = (authInfo ?? {}) as { clientId?: unknown };
  return named === undefined ? undefined : JSON.stringify([clientId ?? null, named]);
}

/** Whether this is a client's first request: the only one without a protocol version. */
export function isFirstRequest({ method, headers }: Request): boolean {
  return method === 'POST' && !headers.has('mcp-protocol-version') && !headers.has(SESSION_HEADER);
}

const MAX_NAME_CHARS = 100;
const NAMED_SESSION = /^[\da-f-]{36}\.([\w-]{1,540})$/;

/**
 * Makes a session id that carries the name that the client gave itself: no later request of a 2025 client does, and the
 * server keeps no state for it.
 *
 * @param body of the client's first request
 */
export function newSessionId(body: unknown): string {
  const { params } = (body ?? {}) as { params?: { clientInfo?: { name?: unknown } } };
  const name = params?.clientInfo?.name;
  if (typeof name !== 'string' || name === '') return randomUUID();
  return `${randomUUID()}.${Buffer.from(name.slice(0, MAX_NAME_CHARS)).toString('base64url')}`;
}

/** The name in the session id of a request. As untrusted as any name of a client. */
export function clientOfSession({ headers }: Request): string | undefined {
  const [, encoded] = NAMED_SESSION.exec(headers.get(SESSION_HEADER) ?? '') ?? [];
  return encoded === undefined ? undefined : Buffer.from(encoded, 'base64url').toString('utf8');
}
