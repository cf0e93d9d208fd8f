import type { IncomingMessage, ServerResponse } from 'node:http';
import { Problem, problemBody } from '../problem.ts';
import type { TrustedProxies } from './addresses.ts';
import { withoutBasePath } from './base-path.ts';
import type { OriginRule } from './own-origin.ts';
import { rpcError } from './rpc-error.ts';
import { setSecurityHeaders } from './security-headers.ts';

export interface EdgeOptions {
  /** `/` or `/croft/`. */
  readonly basePath: string;
  readonly originRule: OriginRule;
  readonly proxies: TrustedProxies;
}

/**
 * Prepares every request before routing: sets security headers, checks Host and Origin, answers CORS preflights, and
 * removes the base path from the URL.
 *
 * @returns false if the response is sent: the request was refused or was a preflight
 */
export function admit(request: IncomingMessage, response: ServerResponse, options: EdgeOptions): boolean {
  const { basePath, originRule, proxies } = options;
  setSecurityHeaders(response);
  const url = withoutBasePath(request.url ?? '/', basePath);
  const { host } = proxies.originOf(request);
  const refusal = originRule.refuse(request.headers, host);
  if (refusal !== undefined) {
    if (/^\/mcp([/?]|$)/.test(url)) sendJson(response, 403, rpcError(refusal));
    else sendProblem(response, new Problem(403, 'not_allowed', refusal));
    return false;
  }
  if (request.headers.origin !== undefined && originRule.isAllowed(request.headers.origin)) {
    setCorsHeaders(request.headers.origin, response);
    if (request.method === 'OPTIONS') {
      response.writeHead(204).end();
      return false;
    }
  }
  request.url = url;
  return true;
}

/** Allows pages of another origin to send API keys and read responses. Never cookies. */
function setCorsHeaders(origin: string, response: ServerResponse): void {
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

/** Answers a raw request with an error. */
export function sendProblem(response: ServerResponse, problem: Problem): void {
  sendJson(response, problem.status, problemBody(problem), problem.headers);
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { ...headers, 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
  response.end(JSON.stringify(body));
}
