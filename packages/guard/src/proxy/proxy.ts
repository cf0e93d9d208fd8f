import * as http from 'node:http';
import type { Duplex } from 'node:stream';
import { chooseByModel, modelOf, targetAt, upstreamsFor } from './choose-upstream.ts';
import { type DecisionEvent, Exchange, type ExchangeOptions } from './exchange.ts';
import type { GuardedRequest, RequestJudge } from './guarded-request.ts';
import { HeldBudget } from './held-budget.ts';
import { DEFAULT_LIMITS, type GuardLimits } from './judged-request.ts';
import { refuseRequest } from './refuse-request.ts';
import { passPattern, type Route, routeOf } from './routes.ts';
import { openRequest, passedHeaders, UNREACHABLE, type Upstream, UpstreamAgents } from './upstream.ts';
import { foreignRequest, LOOPBACK_NAMES } from '../decisions/own-host.ts';
import { anthropic } from '../wire/anthropic/anthropic.ts';
import { gemini } from '../wire/gemini/gemini.ts';
import { openaiChat } from '../wire/openai-chat/openai-chat.ts';
import { openaiResponses } from '../wire/openai-responses/openai-responses.ts';
import type { Wire } from '../wire/wire.ts';

/** How to create a proxy. */
export interface GuardProxyOptions {
  readonly upstreams: readonly Upstream[];
  /**
   * Returns the judge for a request; called when a successful reply begins. `undefined`: the guard is off for it, and
   * the reply passes unread. An exception blocks every call of the reply.
   */
  readonly judgeFor: (request: GuardedRequest) => RequestJudge | undefined;
  /** Called for every decision, including allowed ones. An exception blocks the calls of that reply. */
  readonly onDecision?: (event: DecisionEvent) => void;
  /** Called each time an upstream cannot be reached or does not respond in time. Must not throw. */
  readonly onUnreachable?: (upstream: Upstream, error: NodeJS.ErrnoException) => void;
  /**
   * Handles requests of its own (a page, counters) and returns `true` for them. Called before an upstream is chosen.
   */
  readonly own?: (req: http.IncomingMessage, res: http.ServerResponse) => boolean;
  /** Called for each refused request that `passPaths` could let pass. Must not throw. */
  readonly onRefused?: (request: RefusedRequest) => void;
  /** Further facts for the `/healthz` response. */
  readonly health?: () => Readonly<Record<string, unknown>>;
  /** Paths, in the form of `comparablePath`, that pass unread although the guard does not know them. */
  readonly passPaths?: readonly RegExp[];
  /** Host names of the guard, as `foreignRequest` takes them; defaults to the loopback names. */
  readonly hostnames?: readonly string[];
  readonly limits?: Partial<GuardLimits>;
  readonly wires?: readonly Wire[];
}

/** A request to an endpoint that the guard does not know. */
export interface RefusedRequest {
  readonly method: string;
  /** In the form of `comparablePath`. */
  readonly path: string;
  readonly reason: string;
  /** The pattern for `passPaths` that lets this path pass. */
  readonly pattern: string;
}

/** Every protocol that the guard reads. */
export const WIRES: readonly Wire[] = [openaiChat, openaiResponses, anthropic, gemini];

const NOT_PASSED: ReadonlySet<string> = new Set(['host', 'expect']);
const NOTHING: ReadonlySet<string> = new Set();
const NO_WEBSOCKETS = 'The guard does not pass websockets on: it could not see tool calls. Use HTTP.';

/**
 * Creates an HTTP server between agents and models. It judges replies that may contain tool calls, passes others byte
 * for byte, and refuses those that could contain calls in an unknown format. Requests go upstream unchanged, including
 * keys, and are never logged. Refuses a request that a foreign web page could have caused (a Host or an Origin that is
 * not ours). The server is not listening yet.
 */
export function createGuardProxy(options: GuardProxyOptions): http.Server {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const budget = new HeldBudget(limits.maxTotal);
  const wires = options.wires ?? WIRES;
  const agents = new UpstreamAgents(limits.idleMs);
  const { judgeFor, onDecision, onUnreachable } = options;
  const exchange = { judgeFor, onDecision, onUnreachable, limits, budget, agents };
  const routes = cachedRoutes(wires, options.passPaths ?? []);
  const hostnames = options.hostnames ?? LOOPBACK_NAMES;
  let open = 0;

  const server = http.createServer({ keepAliveTimeout: 65_000 }, (req, res) => {
    const url = req.url ?? '/';
    const foreign = foreignRequest(req.headers, hostnames);
    if (foreign !== undefined) {
      req.resume();
      return refuse(res, 403, `${foreign}: the guard takes requests of programs, sent to ${hostnames.join(', ')}.`);
    }
    if (/websocket/i.test(req.headers.upgrade ?? '')) {
      // A server that hands its requests to this one may not listen for upgrades itself.
      res.setHeader('Upgrade', 'HTTP/1.1');
      return refuse(res, 426, NO_WEBSOCKETS);
    }
    if (options.own?.(req, res)) return;
    if (url === '/healthz') {
      const body = JSON.stringify({ status: 'ok', open, held: budget.used, ...options.health?.() });
      res.writeHead(200, { 'Content-Type': 'application/json' });
      return void res.end(body);
    }
    if (budget.full || open >= limits.maxOpen) return refuse(res, 503, 'The guard is at its limit; try again shortly.');
    const upstreams = upstreamsFor(url, options.upstreams);
    const [first] = upstreams;
    if (!first) return refuse(res, 404, 'No upstream is configured for this path.');
    const route = routes(req.method ?? 'GET', url.slice(first.prefix.length) || '/');
    if (route.kind === 'refuse') return refuseRoute(route, req, res, options.onRefused);
    open++;
    res.on('close', () => open--);
    if (route.kind === 'pass')
      return pass(exchange, targetAt(chooseByModel(upstreams, undefined) ?? first, url), req, res);
    const begin = (target: Upstream | undefined): void => {
      if (target) new Exchange(exchange, targetAt(target, url), route.wire, req, res);
      else refuse(res, 404, 'No upstream is configured for this model.');
    };
    if (!upstreams.some(({ model }) => model)) return begin(first);
    modelOf(req, route.wire, url, limits.maxKeptRequest, budget)
      .then((model) => begin(chooseByModel(upstreams, model)))
      .catch(() => res.destroy());
  });
  server.on('close', () => agents.close());
  server.on('upgrade', (_req, socket) => refuseUpgrade(socket));
  server.on('connect', (_req, socket) => refuseUpgrade(socket));
  return server;
}

/** Caches routes: the same few paths recur, and their routes do not change. */
function cachedRoutes(wires: readonly Wire[], passPaths: readonly RegExp[]): (method: string, url: string) => Route {
  const known = new Map<string, Route>();
  return (method, url) => {
    const key = `${method} ${url}`;
    let route = known.get(key);
    if (!route) {
      route = routeOf(method, url, wires, passPaths);
      if (known.size >= 256) known.clear();
      if (key.length <= 256) known.set(key, route);
    }
    return route;
  };
}

/** Forwards a request whose reply cannot contain a call, unchanged in both directions. */
function pass(
  { agents, onUnreachable }: Pick<ExchangeOptions, 'agents' | 'onUnreachable'>,
  to: { target: Upstream; path: string },
  req: http.IncomingMessage,
  res: http.ServerResponse,
): void {
  const request = openRequest(
    agents,
    to.target,
    req.method ?? 'GET',
    to.path,
    passedHeaders(req.rawHeaders, NOT_PASSED),
  );
  request.on('response', (reply) => {
    res.writeHead(reply.statusCode ?? 502, reply.statusMessage, passedHeaders(reply.rawHeaders, NOTHING));
    reply.on('error', () => res.destroy());
    reply.pipe(res);
  });
  request.on('error', (error) => {
    if (!res.headersSent && !res.destroyed) onUnreachable?.(to.target, error);
    refuse(res, 502, UNREACHABLE);
  });
  res.on('close', () => {
    if (!res.writableFinished) request.destroy();
  });
  req.pipe(request);
}

function refuseRoute(
  { reason, path }: Route & { kind: 'refuse' },
  { method = 'GET' }: http.IncomingMessage,
  res: http.ServerResponse,
  onRefused: GuardProxyOptions['onRefused'],
): void {
  const message = `The guard does not pass this request on: ${reason}.`;
  if (path === undefined) return refuse(res, 403, message);
  onRefused?.({ method, path, reason, pattern: passPattern(path) });
  refuse(res, 403, `${message} The operator of the guard can let this path pass.`);
}

/** Responds with an error in a form that both OpenAI's and Anthropic's SDKs show. */
function refuse(res: http.ServerResponse, status: number, message: string): void {
  const error = { type: 'croft_guard', message, param: null, code: `croft_guard_${status}` };
  refuseRequest(res, status, JSON.stringify({ type: 'error', error }));
}

/** Responds as clients expect that can do without a websocket: Codex then uses HTTP at once. */
function refuseUpgrade(socket: Duplex): void {
  const body = JSON.stringify({ error: { message: NO_WEBSOCKETS } });
  socket.on('error', () => socket.destroy());
  socket.end(
    `HTTP/1.1 426 Upgrade Required\r\nUpgrade: HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close, Upgrade\r\n\r\n${body}`,
  );
}
