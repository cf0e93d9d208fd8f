import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Parts } from '../parts.ts';
import { Problem, problemBody, toProblem } from '../problem.ts';
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
  request.url = withoutBasePath(request.url ?? '/', parts.basePath);
  if (!GATEWAY.test(request.url)) return false;
  if (parts.isReady()) return handle(request, response, parts);
  parts.storage().then(
    () => {
      if (!handle(request, response, parts)) refuse(response, new Problem(404, 'not_found', 'Not found'));
    },
    (error: unknown) => refuse(response, toProblem(error) ?? new Problem(500, 'internal', 'Something went wrong.')),
  );
  return true;
}

function handle(request: IncomingMessage, response: ServerResponse, parts: Parts): boolean {
  return parts.hub.handle(request, response, async (asked) => {
    try {
      return (await parts.identify(asked))?.caller.userId;
    } catch (error) {
      // A page of another site is nobody here.
      if (error instanceof Problem && error.code === 'cross_site') return undefined;
      throw error;
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
