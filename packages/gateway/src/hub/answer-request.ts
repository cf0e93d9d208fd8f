import type { IncomingMessage, ServerResponse } from 'node:http';
import type { EndpointParts } from './endpoint.ts';
import { HostRefusal, REFUSALS } from './gateway-error.ts';
import type { LogEvent } from './hub-options.ts';
import { sendError } from './json-http.ts';
import type { Route } from './routes.ts';

/**
 * Identifies the caller of the page's routes: a user id, or undefined if not signed in. Must also refuse cross-site
 * requests.
 */
export type Identify = (req: IncomingMessage) => Promise<string | undefined>;

/** One request to an endpoint. */
export interface Exchange {
  readonly route: Route;
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly identify: Identify;
}

/** Responds to a request to a known endpoint, including failures. Never throws; logs refusals and failures. */
export function answerRequest(exchange: Exchange, parts: EndpointParts, log: LogEvent): void {
  const { route, res } = exchange;
  // A client that disconnects during its response is not a failure of the process.
  res.on('error', () => undefined);
  answer(exchange, parts).catch((thrown: unknown) => {
    const error = HostRefusal.from(thrown);
    const { code, status } = error as { code?: string; status?: unknown };
    const isHostFailure = error instanceof HostRefusal && error.status >= 500;
    if (typeof status !== 'number' || isHostFailure) log({ event: 'failed', path: route.name, error });
    else log({ event: 'refused', path: route.name, status, ...(code !== undefined && { code }) });
    sendError(res, error);
  });
}

async function answer({ route, req, res, identify }: Exchange, parts: EndpointParts): Promise<void> {
  if (parts.isClosing()) throw REFUSALS.closing();
  if (req.method !== route.method) {
    res.setHeader('Allow', route.method);
    throw REFUSALS.badMethod(route.method);
  }
  if (route.kind === 'key') return route.run(parts, req, res, route.rest);
  const userId = await identify(req);
  if (userId === undefined) throw REFUSALS.notSignedIn();
  return route.run(parts, userId, req, res);
}
