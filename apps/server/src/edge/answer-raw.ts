import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Parts } from '../parts.ts';
import { type GuardInside, isGuardProxy } from '../guard-inside.ts';
import { type Log, logHostFailure } from '../log.ts';
import { notSignedIn, Problem, problemBody, toProblem } from '../problem.ts';
import { withoutBasePath } from './base-path.ts';
import type { OriginRule } from './own-origin.ts';
import { setSecurityHeaders } from './security-headers.ts';

const GATEWAY = /^\/(rest\/)?instance-ai\//;

/**
 * What every request goes through before it has a route: headers that protect the answer, the Host and Origin rule, the
 * base path. The gateway's requests are answered here, as raw HTTP.
 *
 * @returns whether the answer is given, or on its way
 */
export function answerRaw(
  request: IncomingMessage,
  response: ServerResponse,
  parts: Parts,
  originRule: OriginRule,
): boolean {
  setSecurityHeaders(response);
  const { host } = parts.proxies.originOf(request);
  const refusal = originRule.refuse(request.headers, host);
  if (refusal !== undefined) {
    refuse(response, new Problem(403, 'not_allowed', refusal));
    return true;
  }
  if (request.headers.origin !== undefined && originRule.isAllowed(request.headers.origin)) {
    letRead(request.headers.origin, response);
    if (request.method === 'OPTIONS') {
      response.writeHead(204).end();
      return true;
    }
  }
  request.url = withoutBasePath(request.url ?? '/', parts.basePath);
  if (parts.guard !== undefined && /^\/guard([/?]|$)/.test(request.url)) {
    answerGuard(request, response, parts, parts.guard).catch((error: unknown) => fail(response, error, parts.log));
    return true;
  }
  if (!GATEWAY.test(request.url)) return false;
  if (parts.isReady()) return handle(request, response, parts);
  parts.storage().then(
    () => {
      if (!handle(request, response, parts)) refuse(response, new Problem(404, 'not_found', 'Not found'));
    },
    (error: unknown) => fail(response, error, parts.log),
  );
  return true;
}

/** Lets pages of a further origin send API keys and read what they get. Never cookies. */
function letRead(origin: string, response: ServerResponse): void {
  response.setHeader('Access-Control-Allow-Origin', origin);
  response.setHeader('Access-Control-Allow-Methods', 'GET, HEAD, POST, PUT, PATCH, DELETE');
  response.setHeader(
    'Access-Control-Allow-Headers',
    'authorization, content-type, x-croft, range, if-range, mcp-session-id, mcp-protocol-version',
  );
  response.setHeader(
    'Access-Control-Expose-Headers',
    'mcp-session-id, retry-after, accept-ranges, content-range, etag',
  );
  response.setHeader('Access-Control-Max-Age', '600');
  response.setHeader('Vary', 'Origin');
}

/** The proxy is for whoever has an API key, in a header of its own: the usual one is for the model. The page is an admin's. */
async function answerGuard(
  request: IncomingMessage,
  response: ServerResponse,
  parts: Parts,
  guard: GuardInside,
): Promise<void> {
  if (!isGuardProxy(request.url ?? '')) {
    const found = await parts.identify(request);
    if (found === undefined) throw notSignedIn();
    if (found.caller.role !== 'admin') throw new Problem(403, 'forbidden', 'Only an admin can do this.');
    return guard.decisions(request, response);
  }
  const key = request.headers['x-croft-key'];
  if (typeof key !== 'string' || (await parts.ownerOfKey(key)) === undefined)
    throw new Problem(401, 'not_signed_in', 'Send an API key of this server in the header X-Croft-Key.');
  guard.proxy(request, response);
}

function fail(response: ServerResponse, error: unknown, log: Log): void {
  const problem = toProblem(error);
  if (problem === undefined) log.error({ err: error }, 'a request failed');
  else logHostFailure(log, error, {});
  if (response.headersSent) return void response.destroy();
  refuse(response, problem ?? new Problem(500, 'internal', 'Something went wrong.'));
}

function handle(request: IncomingMessage, response: ServerResponse, parts: Parts): boolean {
  return parts.hub.handle(request, response, async (asked) => {
    try {
      return (await parts.identify(asked))?.caller.userId;
    } catch (error) {
      throw toProblem(error) ?? error;
    }
  });
}

function refuse(response: ServerResponse, problem: Problem): void {
  response.writeHead(problem.status, {
    ...problem.headers,
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
  });
  response.end(JSON.stringify(problemBody(problem)));
}
