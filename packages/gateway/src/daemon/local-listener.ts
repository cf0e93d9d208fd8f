import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { canonicalOrigin, type PageOrigins } from './page-origins.ts';

/** What a page asked for, and may ask for. */
export interface ConnectRequest {
  readonly origin: string;
  /** Base address of the server, without a trailing slash; of the same origin as the page. */
  readonly server: string;
  readonly token: string;
}

/** What a page is answered: a status and a body. */
export interface PageAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** What the listener needs of the daemon. Only allowed pages get to any of it, but for `wanted`. */
export interface ListenerDaemon {
  health(): object;
  status(): object;
  connect(request: ConnectRequest): Promise<PageAnswer>;
  disconnect(): Promise<void>;
  /**
   * A page nobody knows wants to connect. Its request is over by then: what is decided changes nothing it can see but
   * how its next request is answered.
   */
  wanted(origin: string, request: ConnectRequest | undefined): void;
}

export interface ListenerOptions {
  /** 0 for any. */
  readonly port: number;
  readonly origins: PageOrigins;
  readonly daemon: ListenerDaemon;
  /** Told of failures that are nobody's input. */
  readonly onError: (error: unknown) => void;
}

/** The local listener, while it listens. */
export interface LocalListener {
  readonly port: number;
  /** Tells the pages that follow along. */
  announce(event: string, data: object): void;
  close(): Promise<void>;
}

const MAX_BODY_BYTES = 64 * 1024;
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

/** The one answer for everybody who may know nothing: whether somebody listens here can be seen anyway, no more. */
const FORBIDDEN: PageAnswer = { status: 403, body: { error: 'Forbidden.' } };

/**
 * Listens on 127.0.0.1 for pages that broker a pairing. The browser of this machine carries requests of every page
 * there is, so each is judged: the `Host` must be this listener (a rebound name is not), the `Origin` must be there and
 * allowed, a body must be JSON (which makes a browser ask first), and a page can only have this daemon connect to the
 * server the page itself came from.
 *
 * @throws Node's error when the port cannot be had
 */
export async function startListener(options: ListenerOptions): Promise<LocalListener> {
  const followers = new Set<ServerResponse>();
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 10_000, keepAliveTimeout: 5_000 });
  server.maxConnections = 128;
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
      await daemon.disconnect();
      return answer(res, { status: 200, body: { status: 'disconnected' } });
    }
  }
}

/** A page at a name that was made to lead here (DNS rebinding) sends that name. */
function isOwnHost(host: string | undefined, port: number): boolean {
  const own = ['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${port}`);
  return host !== undefined && (own.includes(host.toLowerCase()) || (port === 80 && own.includes(`${host}:80`)));
}

/** Browsers send exactly the one spelling of an origin; anything else was made by hand. */
function originOf(req: IncomingMessage): string | undefined {
  const { origin } = req.headers;
  return origin !== undefined && canonicalOrigin(origin) === origin ? origin : undefined;
}

function pathOf(req: IncomingMessage): string {
  return (req.url ?? '').split('?', 1)[0] as string;
}

/** Whether an unknown page's request is one to ask the person about. */
async function wish(req: IncomingMessage, origin: string): Promise<ConnectRequest | 'preflight' | undefined> {
  // A browser asks before it sends JSON; told no, it sends nothing, so its question is the only sign of the wish.
  if (req.method === 'OPTIONS')
    return req.headers['access-control-request-method'] === 'POST' ? 'preflight' : undefined;
  if (req.method !== 'POST') return undefined;
  try {
    const request = await readConnect(req, origin);
    return 'status' in request ? undefined : request;
  } catch {
    // It ended in the middle: no wish, and no other answer either.
    return undefined;
  }
}

function preflight(req: IncomingMessage, res: ServerResponse): void {
  res.setHeader('access-control-allow-methods', 'GET, POST');
  res.setHeader('access-control-allow-headers', 'content-type');
  res.setHeader('access-control-max-age', PREFLIGHT_SECONDS);
  // What Chromium asks before a page of a wider network may reach a narrower one, by its old name and its new.
  for (const network of ['private', 'local'])
    if (req.headers[`access-control-request-${network}-network`] === 'true')
      res.setHeader(`access-control-allow-${network}-network`, 'true');
  res.writeHead(204).end();
}

function refuseBody(req: IncomingMessage): PageAnswer | undefined {
  // Anything else a page can send without being asked whether it may.
  if (!/^application\/json\s*(;|$)/i.test(req.headers['content-type'] ?? ''))
    return { status: 415, body: { error: 'Send JSON, with Content-Type: application/json' } };
  return undefined;
}

async function readConnect(req: IncomingMessage, origin: string): Promise<ConnectRequest | PageAnswer> {
  const refused = refuseBody(req);
  if (refused) return refused;
  const text = await readBody(req);
  if (text === undefined) return { status: 413, body: { error: 'The body is larger than 64 KB' } };
  const given = parseObject(text);
  if (given === undefined) return { status: 400, body: { error: 'Invalid JSON body' } };
  const { url, token } = given;
  if (typeof url !== 'string' || typeof token !== 'string' || url === '' || token === '')
    return { status: 400, body: { error: 'Missing required fields: url, token' } };
  const server = serverAddress(url);
  if (server === undefined || !isKey(token)) return { status: 400, body: { error: 'Invalid URL' } };
  // Or any page could have this directory served to a server of its choice.
  if (new URL(server).origin !== origin) return { status: 403, body: { error: 'Connection rejected.' } };
  return { origin, server, token };
}

/** Whether a text can be a token or key: they travel in a header. */
export function isKey(token: string): boolean {
  return /^[\x21-\x7e]{1,256}$/.test(token);
}

/**
 * A server's base address as requests are made from it: http or https, a path kept, no trailing slash, nothing after
 * the path and no name or password in it. `undefined` for anything else.
 */
export function serverAddress(text: string): string | undefined {
  if (text.length > 2_048 || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isPlain = url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  if ((url.protocol !== 'http:' && url.protocol !== 'https:') || !isPlain) return undefined;
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

async function readBody(req: IncomingMessage): Promise<string | undefined> {
  if (Number(req.headers['content-length'] ?? 0) > MAX_BODY_BYTES) return undefined;
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of req as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MAX_BODY_BYTES) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

function follow(res: ServerResponse, followers: Set<ServerResponse>): void {
  if (followers.size >= MAX_FOLLOWERS) return answer(res, { status: 429, body: { error: 'Too many pages follow' } });
  res.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' });
  res.write('event: ready\ndata: {}\n\n');
  followers.add(res);
  res.on('close', () => followers.delete(res));
}

function answer(res: ServerResponse, { status, body }: PageAnswer): void {
  res.setHeader('content-type', 'application/json; charset=utf-8');
  res.setHeader('cache-control', 'no-store');
  res.setHeader('x-content-type-options', 'nosniff');
  // What is left of a body that was not read ends with the connection.
  if (status === 413) res.setHeader('connection', 'close');
  res.writeHead(status).end(JSON.stringify(body));
}
