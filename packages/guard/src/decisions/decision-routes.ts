import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { type AllowedNow, allowLine } from './allow-line.ts';
import type { DecisionFilter, DecisionLog } from './decisions.ts';
import { foreignRequest, isFromBrowser, LOOPBACK_NAMES } from './own-host.ts';
import { KEY_HEADER } from './page/page-script.ts';
import { type RenderedPage, renderOpened, renderPage, renderUsed } from './page/render-page.ts';
import { type PageKeys, sameSecret } from './page-key.ts';

/** The guard's settings, for its page and its health response. */
export interface GuardFacts extends AllowedNow {
  readonly enabled: boolean;
  readonly mode: 'enforce' | 'dry-run';
  readonly strict: boolean;
  /** The directories that calls may write in; empty without a project. */
  readonly roots: readonly string[];
  /** Whether calls may also write new files in the system's temporary directory. */
  readonly newTemporary: boolean;
}

/** The dependencies of the routes. */
export interface DecisionRouteParts {
  readonly log: DecisionLog;
  readonly keys: PageKeys;
  readonly facts: () => GuardFacts;
  /** For {@link guardHealth}. */
  readonly version: string;
  /** A bearer token with which programs read `/guard/decisions`; without it no token is accepted. */
  readonly token?: string | undefined;
  /** Host names of the guard; defaults to the loopback names. */
  readonly hostnames?: readonly string[];
}

/** The parts of a request that the routes use. */
export interface GuardRequest {
  readonly method: string;
  /** Path and query, as in the request line. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

/** A complete response. */
export interface GuardResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Responds to a request for one of the guard's own paths; undefined for every other path. */
export type DecisionRoutes = (request: GuardRequest) => GuardResponse | undefined;

const MAX_LIMIT = 1_000;
const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';
const SAFE = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
};

/**
 * Creates the guard's own routes: `/guard` (page), `/guard/open?code=` (gives a browser its key, once),
 * `/guard/decisions` (JSON, with the key or the token) and `/guard/metrics` (numbers without paths, for every user of
 * this machine). Other users of the machine reach loopback too, so decisions need a key, and every route requires a
 * Host and an Origin of the guard itself. Unknown paths below `/guard` get 404 and never go upstream. A browser gets no
 * other response from this address: a page from an upstream could read the key.
 */
export function createDecisionRoutes(parts: DecisionRouteParts): DecisionRoutes {
  const hostnames = parts.hostnames ?? LOOPBACK_NAMES;
  return ({ method, url, headers }) => {
    const at = url.indexOf('?');
    const path = at === -1 ? url : url.slice(0, at);
    if (path !== '/guard' && !path.startsWith('/guard/')) {
      if (path === '/healthz' || !isFromBrowser(headers)) return undefined;
      if (path === '/') return json(302, {}, { Location: '/guard' });
      return json(403, { error: 'This address is for programs; the page is at /guard' });
    }
    const problem = foreignRequest(headers, hostnames);
    if (problem !== undefined) return json(403, { error: problem });
    if (method !== 'GET' && method !== 'HEAD')
      return json(405, { error: 'Method not allowed' }, { Allow: 'GET, HEAD' });
    const query = new URLSearchParams(at === -1 ? '' : url.slice(at + 1));
    const answer = answerTo(parts, path, query, { method, url, headers });
    return method === 'HEAD' ? { ...answer, body: '' } : answer;
  };
}

function answerTo(
  parts: DecisionRouteParts,
  path: string,
  query: URLSearchParams,
  { method, headers }: GuardRequest,
): GuardResponse {
  switch (path) {
    case '/guard':
    case '/guard/':
      return html(200, renderPage());
    case '/guard/open': {
      // A HEAD request comes from a link preview, so it must not use up the code.
      const key = method === 'GET' ? parts.keys.redeem(query.get('code') ?? '') : undefined;
      return key === undefined ? html(403, renderUsed()) : html(200, renderOpened(key));
    }
    case '/guard/metrics':
      return { status: 200, headers: { ...SAFE, 'Content-Type': METRICS_TYPE }, body: parts.log.metrics() };
    case '/guard/decisions':
      return mayRead(parts, headers) ? decisions(parts, query) : json(401, { error: howToRead(parts) });
    default:
      return json(404, { error: 'Not found' });
  }
}

/**
 * Writes the response to a request of `node:http`. Returns false, and writes nothing, if the path is not the guard's.
 */
export function answerDecisions(routes: DecisionRoutes, request: IncomingMessage, response: ServerResponse): boolean {
  const { method = 'GET', url = '/', headers } = request;
  const answer = routes({ method, url, headers });
  if (answer === undefined) return false;
  request.resume();
  const length = Buffer.byteLength(answer.body);
  response.writeHead(answer.status, {
    ...answer.headers,
    ...(method !== 'HEAD' && { 'Content-Length': length }),
  });
  response.end(answer.body);
  return true;
}

/** The guard's part of a health response: settings and numbers, no paths. Says so if the guard is off. */
export function guardHealth({
  version,
  facts,
  log,
}: Pick<DecisionRouteParts, 'version' | 'facts' | 'log'>): Readonly<Record<string, unknown>> {
  const { enabled, mode, strict } = facts();
  const { unwritten, errors } = log.totals;
  return { version, guard: enabled ? mode : 'off', strict, errors, log_errors: unwritten };
}

function mayRead({ keys, token }: DecisionRouteParts, headers: IncomingHttpHeaders): boolean {
  const key = headers[KEY_HEADER.toLowerCase()];
  if (keys.isKey(typeof key === 'string' ? key : undefined)) return true;
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  return token !== undefined && bearer !== undefined && sameSecret(bearer, token);
}

function howToRead({ token }: DecisionRouteParts): string {
  const key = `Send the page's key as ${KEY_HEADER}: the page has it once it was opened by the address the guard printed`;
  return token === undefined ? key : `${key}. Or send the guard's token as Authorization: Bearer`;
}

function decisions({ log, facts }: DecisionRouteParts, query: URLSearchParams): GuardResponse {
  const filter = readFilter(query);
  if (typeof filter === 'string') return json(400, { error: filter });
  const settings = facts();
  const { enabled, mode, strict, roots, newTemporary } = settings;
  const all = log.recent({ limit: MAX_LIMIT });
  const stopped = all.filter(({ decision }) => decision === 'block');
  const dryRun = stopped.filter((record) => record.mode === 'dry-run').length;
  const named = (values: readonly (string | undefined)[]): readonly string[] =>
    [...new Set(values.flatMap((value) => (value ? [value] : [])))].sort();
  const found = log.recent(filter).map((record) => {
    const allow = allowLine(record, settings);
    return allow === undefined ? record : { ...record, allow };
  });
  return json(200, {
    decisions: found,
    totals: log.totals,
    kept: { calls: all.length, blocked: stopped.length - dryRun, dryRun },
    facts: { enabled, mode, strict, roots, newTemporary },
    agents: named(all.map(({ agent }) => agent)),
    tools: named(all.map(({ tool }) => tool)),
  });
}

/** Returns the filter, or a sentence about what is wrong with the query. */
function readFilter(query: URLSearchParams): DecisionFilter | string {
  const decision = query.get('decision') || undefined;
  if (decision !== undefined && decision !== 'allow' && decision !== 'block') return 'decision is allow or block';
  const limit = query.get('limit') ?? '200';
  if (!/^\d{1,6}$/.test(limit) || Number(limit) < 1) return `limit is a number from 1 to ${MAX_LIMIT}`;
  const since = query.get('since') || undefined;
  if (since !== undefined && !isSince(since))
    return 'since is the id of a decision, or a time such as 2026-01-31T12:00:00Z';
  return {
    decision,
    tool: query.get('tool') || undefined,
    agent: query.get('agent') || undefined,
    since,
    limit: Math.min(Number(limit), MAX_LIMIT),
  };
}

/** Whether a text is a record id, possibly of a record no longer kept, or a time. */
function isSince(text: string): boolean {
  if (/^\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d)?)?$/.test(text)) return !Number.isNaN(Date.parse(text));
  return /^\w{1,20}[-.][0-9a-z]{1,20}$/.test(text);
}

function json(status: number, value: object, headers: Readonly<Record<string, string>> = {}): GuardResponse {
  return {
    status,
    headers: { ...SAFE, 'Content-Type': 'application/json; charset=utf-8', ...headers },
    body: JSON.stringify(value),
  };
}

function html(status: number, { body, csp }: RenderedPage): GuardResponse {
  return {
    status,
    headers: { ...SAFE, 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': csp },
    body,
  };
}
