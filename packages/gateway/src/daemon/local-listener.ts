import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { canonicalOrigin, type PageOrigins } from './page-origins.ts';
import { type ConnectRequest, type PageAnswer, refuseBody, readConnect } from './connect-request.ts';
import { peerOwner } from './peer-owner.ts';

/** The parts of the daemon that the listener uses. Only allowed pages reach them, except `wanted`. */
export interface ListenerDaemon {
  health(): object;
  status(): object;
  connect(request: ConnectRequest): Promise<PageAnswer>;
  /** Ends the connection, if there is one and the page is of its server. */
  disconnect(origin: string): Promise<PageAnswer>;
  /**
   * An unknown page wants to connect. Its request has been answered already, so the decision only affects its next one.
   */
  wanted(origin: string, request: ConnectRequest | undefined): void;
  /** A program of another user of this machine connected. Its connection was closed. */
  refusedUser(): void;
}

export interface ListenerOptions {
  /** 0 for any free port. */
  readonly port: number;
  readonly origins: PageOrigins;
  readonly daemon: ListenerDaemon;
  /** Called for internal failures, not for invalid input. */
  readonly onError: (error: unknown) => void;
}

/** The running local listener. */
export interface LocalListener {
  readonly port: number;
  /** Sends an event to the pages that follow along. */
  announce(event: string, data: object): void;
  close(): Promise<void>;
}
const MAX_FOLLOWERS = 32;
const PING_MS = 15_000;
const PREFLIGHT_SECONDS = 600;
const METHODS: Readonly<Record<string, 'GET' | 'POST'>> = {
  '/health': 'GET',
  '/status': 'GET',
  '/events': 'GET',
  '/connect': 'POST',
  '/disconnect': 'POST',
};

/**
 * The single response for every page without access. It reveals only that something listens, which is visible anyway.
 */
const FORBIDDEN: PageAnswer = { status: 403, body: { error: 'Forbidden.' } };

/**
 * Listens on 127.0.0.1 for pages that broker a pairing. On Linux, programs of other users of this machine are refused:
 * they could send the `Origin` of an allowed page. The browser of this user carries requests of any web page, so each is
 * checked: the `Host` must be this listener (rejects DNS rebinding), the `Origin` must be present and
 * allowed, a body must be JSON (which makes a browser send a preflight), and a page can connect this daemon only to the
 * server the page itself came from.
 *
 * @throws Node's error if the port is not available
 */
export async function startListener(options: ListenerOptions): Promise<LocalListener> {
  const followers = new Set<ServerResponse>();
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 10_000, keepAliveTimeout: 5_000 });
  server.maxConnections = 128;
  server.on('connection', (socket: Socket) => {
    const owner = peerOwner(socket);
    if (owner === 'own') return;
    // Without a response: idle connections of another user must not use up those of this user.
    socket.destroy();
    if (owner === 'other') options.daemon.refusedUser();
  });
  server.on('request', (req, res) => {
    respond(req, res, portOf(server), options, followers).catch((error: unknown) => {
      options.onError(error);
      if (!res.headersSent) answer(res, { status: 500, body: { error: 'Something went wrong here.' } });
      else res.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port: options.port, host: '127.0.0.1' }, resolve);
  });
  const ping = setInterval(() => {
    for (const follower of followers) follower.write(': ping\n\n');
  }, PING_MS).unref();
  return {
    port: portOf(server),
    announce(event, data) {
      for (const follower of followers) follower.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    },
    async close() {
      clearInterval(ping);
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo | null)?.port ?? 0;
}

async function respond(
  req: IncomingMessage,
  res: ServerResponse,
  port: number,
  { origins, daemon }: ListenerOptions,
  followers: Set<ServerResponse>,
): Promise<void> {
  const origin = isOwnHost(req.headers.host, port) ? originOf(req) : undefined;
  const standing = origin === undefined ? 'denied' : origins.standingOf(origin);
  const path = pathOf(req);
  if (origin === undefined || standing === 'denied') return answer(res, FORBIDDEN);
  if (standing === 'unknown') {
    const wanted = path === '/connect' && (await wish(req, origin));
    answer(res, FORBIDDEN);
    if (wanted) daemon.wanted(origin, wanted === 'preflight' ? undefined : wanted);
    return;
  }
  res.setHeader('access-control-allow-origin', origin);
  res.setHeader('vary', 'Origin');
  if (req.method === 'OPTIONS') return preflight(req, res);
  const method = METHODS[path];
  if (method === undefined) return answer(res, { status: 404, body: { error: 'Not found' } });
  if (req.method !== method) {
    res.setHeader('allow', `${method}, OPTIONS`);
    return answer(res, { status: 405, body: { error: `Use ${method}` } });
  }
  switch (path) {
    case '/health':
      return answer(res, { status: 200, body: { ...daemon.health() } });
    case '/status':
      return answer(res, { status: 200, body: { ...daemon.status() } });
    case '/events':
      return follow(res, followers);
    case '/connect': {
      const request = await readConnect(req, origin);
      return answer(res, 'status' in request ? request : await daemon.connect(request));
    }
    default: {
      const refused = refuseBody(req);
      if (refused) return answer(res, refused);
      return answer(res, await daemon.disconnect(origin));
    }
  }
}

/** Rejects DNS rebinding: a page whose host name was made to resolve to this machine sends that name. */
function isOwnHost(host: string | undefined, port: number): boolean {
  const own = ['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${port}`);
  return host !== undefined && (own.includes(host.toLowerCase()) || (port === 80 && own.includes(`${host}:80`)));
}

/** Browsers send the canonical spelling of an origin; other spellings were not made by a browser. */
function originOf(req: IncomingMessage): string | undefined {
  const { origin } = req.headers;
  return origin !== undefined && canonicalOrigin(origin) === origin ? origin : undefined;
}

function pathOf(req: IncomingMessage): string {
  return (req.url ?? '').split('?', 1)[0] as string;
}

/** Whether the person should be asked about an unknown page's request. */
async function wish(req: IncomingMessage, origin: string): Promise<ConnectRequest | 'preflight' | undefined> {
  // A browser sends a preflight before JSON. If that is refused it sends nothing more, so the preflight is the only
  // sign.
  if (req.method === 'OPTIONS')
    return req.headers['access-control-request-method'] === 'POST' ? 'preflight' : undefined;
  if (req.method !== 'POST') return undefined;
  try {
    const request = await readConnect(req, origin);
    return 'status' in request ? undefined : request;
  } catch {
    // The request ended early: no question, and the same response as always.
    return undefined;
  }
}

function preflight(req: IncomingMessage, res: ServerResponse): void {
  res.setHeader('access-control-allow-methods', 'GET, POST');
  res.setHeader('access-control-allow-headers', 'content-type');
  res.setHeader('access-control-max-age', PREFLIGHT_SECONDS);
  // Chromium sends this before a page of a wider network may reach a narrower one, under an old and a new name.
  for (const network of ['private', 'local'])
    if (req.headers[`access-control-request-${network}-network`] === 'true')
      res.setHeader(`access-control-allow-${network}-network`, 'true');
  res.writeHead(204).end();
}

function follow(res: ServerResponse, followers: Set<ServerResponse>): void {
  if (followers.size >= MAX_FOLLOWERS)
    return answer(res, { status: 429, body: { error: 'Too many pages read these events' } });
  res.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' });
  res.write('event: ready\ndata: {}\n\n');
  followers.add(res);
  res.on('close', () => followers.delete(res));
}

function answer(res: ServerResponse, { status, body }: PageAnswer): void {
  res.setHeader('content-type', 'application/json; charset=utf-8');
  res.setHeader('cache-control', 'no-store');
  res.setHeader('x-content-type-options', 'nosniff');
  // The rest of an unread body ends with the connection.
  if (status === 413) res.setHeader('connection', 'close');
  res.writeHead(status).end(JSON.stringify(body));
}
