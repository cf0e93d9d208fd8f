import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Hub } from '@croft/gateway/hub';
import { type GuardInside, isGuardProxy } from '../guard-inside.ts';
import type { Identified } from '../identify.ts';
import type { Caller } from '../identity.ts';
import { isForPeople, splitRoute } from '../contract/define-route.ts';
import { gatewayRoutes } from '../contract/gateway-routes.ts';
import { type Log, problemOf } from '../log.ts';
import { forPeopleOnly, notSignedIn, Problem } from '../problem.ts';
import { toProblem } from '../to-problem.ts';
import { endWithCaller } from '../watch-access.ts';
import { sendProblem } from './admit.ts';

const GATEWAY = /^\/(rest\/)?instance-ai\//;
/** Paths of the gateway that an API key does not open. */
const FOR_PEOPLE = new Set(
  Object.values(gatewayRoutes).flatMap(({ access, route }) => (isForPeople(access) ? [splitRoute(route)[1]] : [])),
);

export interface RawRouteOptions {
  readonly guard: GuardInside | undefined;
  readonly hub: Pick<Hub, 'handle'>;
  readonly identify: (request: IncomingMessage) => Promise<Identified | undefined>;
  /** Whether the database answered last time; does not ask it. */
  readonly isReady: () => boolean;
  readonly log: Log;
  /** The user of an API key that comes in a header of its own. */
  readonly ownerOfKey: (secret: string) => Promise<Caller | undefined>;
  /** Milliseconds between two looks at the key of a response under way. */
  readonly lookMs?: number;
  /** Waits for the database. @throws Problem 503 with Retry-After */
  readonly storage: () => Promise<unknown>;
}

/**
 * Answers requests of the gateway and the guard, as raw HTTP. Call it after `admit`.
 *
 * @returns whether the response is sent, or will be
 */
export function answerRaw(request: IncomingMessage, response: ServerResponse, options: RawRouteOptions): boolean {
  const { guard, isReady, log, storage } = options;
  const url = request.url ?? '/';
  if (guard !== undefined && /^\/guard([/?]|$)/.test(url)) {
    answerGuard(request, response, guard, options).catch((error: unknown) => fail(response, error, log));
    return true;
  }
  if (!GATEWAY.test(url)) return false;
  if (isReady()) return handle(request, response, options);
  storage().then(
    () => {
      if (!handle(request, response, options)) sendProblem(response, new Problem(404, 'not_found', 'Not found'));
    },
    (error: unknown) => fail(response, error, log),
  );
  return true;
}

/** The proxy needs an API key in `X-Croft-Key`, because `Authorization` is for the model. The page needs an admin. */
async function answerGuard(
  request: IncomingMessage,
  response: ServerResponse,
  guard: GuardInside,
  { identify, lookMs, ownerOfKey }: RawRouteOptions,
): Promise<void> {
  if (!isGuardProxy(request.url ?? '')) {
    const found = await identify(request);
    if (found === undefined) throw notSignedIn();
    if (found.caller.role !== 'admin') throw new Problem(403, 'forbidden', 'Only an admin can do this.');
    return guard.decisions(request, response);
  }
  const key = request.headers['x-croft-key'];
  if (typeof key !== 'string' || (await ownerOfKey(key)) === undefined)
    throw new Problem(401, 'not_signed_in', 'Send an API key of this server in the header X-Croft-Key.');
  // The reply of a model may be streamed for minutes.
  endWithCaller(response, () => ownerOfKey(key), lookMs);
  guard.proxy(request, response);
}

function fail(response: ServerResponse, error: unknown, log: Log): void {
  const problem = problemOf(log, error, {});
  if (response.headersSent) return void response.destroy();
  sendProblem(response, problem);
}

function handle(request: IncomingMessage, response: ServerResponse, { hub, identify }: RawRouteOptions): boolean {
  return hub.handle(request, response, async (asked) => {
    try {
      const caller = (await identify(asked))?.caller;
      if (caller?.via === 'key' && needsSession(asked.url ?? '')) throw forPeopleOnly();
      return caller?.userId;
    } catch (error) {
      throw toProblem(error) ?? error;
    }
  });
}

/** Whether the path of the gateway, also below `/rest`, is for people with a session. */
const needsSession = (url: string): boolean => FOR_PEOPLE.has((url.split('?')[0] ?? '').replace(/^\/rest(?=\/)/, ''));
