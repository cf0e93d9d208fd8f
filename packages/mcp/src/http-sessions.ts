import { randomUUID } from 'node:crypto';
import {
  isLegacyRequest,
  type McpServerFactory,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { isFirstRequest, SESSION_HEADER } from './cancellable-calls.ts';
import { MAX_MESSAGE_BYTES } from './oversized-message.ts';

/** Marks the ids of these sessions: any other id connects cancellations only, and needs no session. */
const PREFIX = 'asks-';
const SESSION_NOT_FOUND = -32_001;
const NOT_ALLOWED = -32_000;

/** The bounds of the sessions of one endpoint. */
export interface SessionLimits {
  readonly maxSessions: number;
  readonly maxPerCaller: number;
  /** A session without a request for this long ends. */
  readonly idleMs: number;
}

const DEFAULT_LIMITS: SessionLimits = { maxSessions: 512, maxPerCaller: 16, idleMs: 8 * 60 * 60_000 };

/** One request, as the endpoint has it. */
export interface SessionRequest {
  readonly request: Request;
  readonly authInfo: { token: string; clientId: string; scopes: string[]; extra?: Record<string, unknown> } | undefined;
  /** The body, where the endpoint has read it: always of a client's first request. */
  readonly parsedBody?: unknown;
}

interface Session {
  readonly caller: string;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  usedAt: number;
}

/**
 * Sessions for clients of the 2025 versions that can ask the person: a question is a request of the server, so the server
 * must know the client from its `initialize` until the answer. Each session has a server instance of its own, and serves
 * the caller who opened it. Beyond a bound, the session that was not used for longest ends; its client gets 404, upon
 * which it opens a new one.
 */
export class HttpSessions {
  private readonly factory: McpServerFactory;
  private readonly limits: SessionLimits;
  /** Least recently used first. */
  private readonly sessions = new Map<string, Session>();

  constructor(factory: McpServerFactory, limits: SessionLimits = DEFAULT_LIMITS) {
    this.factory = factory;
    this.limits = limits;
  }

  /** Answers a request that belongs to a session, or opens one; `undefined` for all others. */
  async answer(asked: SessionRequest): Promise<Response | undefined> {
    const { request, parsedBody } = asked;
    const id = request.headers.get(SESSION_HEADER);
    if (id === null) return this.openFor(asked);
    if (!id.startsWith(PREFIX)) return undefined;
    if (!(await isLegacyRequest(request, parsedBody, { maxRequestBodySize: MAX_MESSAGE_BYTES }))) return undefined;
    // Questions travel on the stream of their call, so nothing would come on a stream of its own.
    if (request.method === 'GET') return refuse(405, NOT_ALLOWED, 'Method not allowed.');
    this.endIdle();
    const session = this.sessions.get(id);
    if (session === undefined || session.caller !== callerOf(asked))
      return refuse(404, SESSION_NOT_FOUND, 'Session not found');
    session.usedAt = Date.now();
    this.sessions.delete(id);
    this.sessions.set(id, session);
    return session.transport.handleRequest(request, optionsOf(asked));
  }

  async close(): Promise<void> {
    const open = [...this.sessions.values()];
    this.sessions.clear();
    await Promise.all(open.map(({ transport }) => transport.close()));
  }

  private async openFor(asked: SessionRequest): Promise<Response | undefined> {
    const { request, parsedBody: body } = asked;
    if (!isFirstRequest(request)) return undefined;
    if (!declaresQuestions(body) || !(await isLegacyRequest(request, body))) return undefined;
    const caller = callerOf(asked);
    this.makeRoom(caller);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => `${PREFIX}${randomUUID()}`,
      onsessioninitialized: (id) => void this.sessions.set(id, { caller, transport, usedAt: Date.now() }),
      onsessionclosed: (id) => void this.sessions.delete(id),
      maxRequestBodySize: MAX_MESSAGE_BYTES,
    });
    const { authInfo } = asked;
    const server = await this.factory({ era: 'legacy', requestInfo: request, ...(authInfo && { authInfo }) });
    await server.connect(transport);
    return transport.handleRequest(request, optionsOf(asked));
  }

  private makeRoom(caller: string): void {
    this.endIdle();
    const own = [...this.sessions].filter(([, session]) => session.caller === caller);
    if (own.length >= this.limits.maxPerCaller) this.end((own[0] as [string, Session])[0]);
    if (this.sessions.size >= this.limits.maxSessions) this.end(this.sessions.keys().next().value as string);
  }

  private endIdle(): void {
    const since = Date.now() - this.limits.idleMs;
    for (const [id, { usedAt }] of this.sessions) {
      if (usedAt >= since) return;
      this.end(id);
    }
  }

  private end(id: string): void {
    const session = this.sessions.get(id);
    this.sessions.delete(id);
    session?.transport.close().catch(() => undefined);
  }
}

/** Whether this is an `initialize` of a client that can ask the person. */
function declaresQuestions(body: unknown): boolean {
  const { method, params } = (body ?? {}) as {
    method?: unknown;
    params?: { capabilities?: { elicitation?: unknown } };
  };
  return method === 'initialize' && typeof params?.capabilities?.elicitation === 'object';
}

function callerOf({ authInfo }: SessionRequest): string {
  return JSON.stringify(authInfo?.clientId ?? null);
}

function optionsOf({ authInfo, parsedBody }: SessionRequest) {
  return { ...(authInfo && { authInfo }), ...(parsedBody !== undefined && { parsedBody }) };
}

function refuse(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status });
}
