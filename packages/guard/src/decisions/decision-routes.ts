import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { type AllowedNow, allowLine } from './allow-line.ts';
import type { DecisionFilter, DecisionLog } from './decisions.ts';
import { foreignRequest, isFromBrowser, LOOPBACK_NAMES } from './own-host.ts';
import { KEY_HEADER } from './page/page-script.ts';
import { type RenderedPage, renderOpened, renderPage, renderUsed } from './page/render-page.ts';
import { type PageKeys, sameSecret } from './page-key.ts';

/** What a guard is set to, for its page and its health answer. */
export interface GuardFacts extends AllowedNow {
  readonly enabled: boolean;
  readonly mode: 'enforce' | 'dry-run';
  readonly strict: boolean;
  readonly roots: readonly string[];
}

/** What the routes are made of. */
export interface DecisionRouteParts {
  readonly log: DecisionLog;
  readonly keys: PageKeys;
  readonly facts: () => GuardFacts;
  /** For {@link guardHealth}. */
  readonly version: string;
  /** A bearer token that opens `/guard/decisions` for programs; none is taken when absent. */
  readonly token?: string | undefined;
  /** Names the guard is reached by; those of loopback when absent. */
  readonly hostnames?: readonly string[];
}

/** What of a request decides the answer. */
export interface GuardRequest {
  readonly method: string;
  /** Path and query, as the request line has them. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

/** An answer, whole. */
export interface GuardResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Answers what is the guard's own; undefined for every other path. */
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
 * The guard's own routes: `/guard` (page), `/guard/open?code=` (gives a browser its key, once), `/guard/decisions` (JSON,
 * with the key or the token) and `/guard/metrics` (numbers, no paths: for whoever is on this machine).
 * Loopback is no user boundary, so decisions want a key; all of them want a Host and an Origin of our own. Everything
 * below `/guard` is ours: what is not known there is 404 and never goes upstream. A browser is shown nothing else of this
 * address: a page from an upstream could read the key.
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
      // A HEAD is a link preview, not a person: it must not use the code up.
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

/** Writes an answer to a request of `node:http`. Returns false, and nothing is written, when the path is not the guard's. */
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

/** The guard's part of a health answer: settings and numbers, no paths. A guard that is off says so. */
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
  const { enabled, mode, strict, roots } = settings;
  const all = log.recent({ limit: MAX_LIMIT });
  const named = (values: readonly (string | undefined)[]): readonly string[] =>
    [...new Set(values.flatMap((value) => (value ? [value] : [])))].sort();
  const found = log.recent(filter).map((record) => {
    const allow = allowLine(record, settings);
    return allow === undefined ? record : { ...record, allow };
  });
  return json(200, {
    decisions: found,
    totals: log.totals,
    kept: { calls: all.length, blocked: all.filter(({ decision }) => decision === 'block').length },
    facts: { enabled, mode, strict, roots },
    agents: named(all.map(({ agent }) => agent)),
    tools: named(all.map(({ tool }) => tool)),
  });
}

/** The filter, or what is wrong with it. */
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

/** An id as the doors make them, also of a decision that is kept no longer; or a time. */
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
