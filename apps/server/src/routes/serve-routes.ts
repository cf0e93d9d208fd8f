import type { IncomingMessage } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context } from 'hono';
import { z } from 'zod';
import { type Audit, changesOf, isAudited, targetsOf } from '../audit.ts';
import {
  type Access,
  errorCodesOf,
  isForPeople,
  isRaw,
  type RouteDefinition,
  splitRoute,
} from '../contract/define-route.ts';
import type { ProblemCode } from '../contract/problem-codes.ts';
import { createBriefTurns } from '../brief-turns.ts';
import { printJson } from '../flows/long-json.ts';
import type { Identified } from '../identify.ts';
import type { Caller } from '../identity.ts';
import { forPeopleOnly, notSignedIn } from '../problem.ts';
import { toProblem } from '../to-problem.ts';
import { endWithCaller } from '../watch-access.ts';
import type { RequestBodies } from './body-budget.ts';
import { readJson } from './read-json.ts';
import { type App, OtherResponse, problem, type RawHttp, type Route, type RouteCall } from './route.ts';

/** How requests are authenticated and responses checked. */
export interface ServeOptions {
  readonly identify: (request: IncomingMessage) => Promise<Identified | undefined>;
  /** Fails a request whose response its definition does not describe. For tests: it parses every response. */
  readonly checksResponses?: boolean | undefined;
  /** Bounds the memory of bodies. */
  readonly bodies?: RequestBodies;
  /** How often the key of a response under way is looked up; 2 s unless given. */
  readonly lookMs?: number;
  /** Records calls of routes that are audited. */
  readonly audit?: Audit;
}

/** Adds routes to an app: finds out who asks, parses the request, and sends what the handler returns. */
export function serveRoutes(app: App, routes: readonly Route[], options: ServeOptions): void {
  for (const { definition, run } of routes) {
    const [method, path] = splitRoute(definition.route);
    app.on(method, path.replace(/\{(\w+)\}/g, ':$1'), async (context) => {
      if (!options.checksResponses) return answer(context, definition, run, options);
      try {
        return await checkResponse(definition, await answer(context, definition, run, options));
      } catch (error) {
        throw checkError(definition, error);
      }
    });
  }
}

const amongStarts = createBriefTurns();

const identify = (incoming: IncomingMessage, { startsRun }: RouteDefinition, options: ServeOptions) =>
  startsRun ? amongStarts(() => options.identify(incoming)) : options.identify(incoming);

type RouteContext = Context<{ Bindings: RawHttp }>;

async function answer(
  context: RouteContext,
  definition: RouteDefinition,
  run: Route['run'],
  options: ServeOptions,
): Promise<Response> {
  const { incoming, outgoing } = context.env;
  const identified = definition.skipsIdentity ? undefined : await identify(incoming, definition, options);
  try {
    refuse(definition.access, identified);
  } catch (error) {
    if (identified !== undefined && isAudited(definition))
      options.audit?.(incoming, {
        action: definition.operationId,
        outcome: toProblem(error)?.code ?? 'internal',
        caller: identified.caller,
        targets: targetsOf(context.req.param(), undefined, undefined),
      });
    throw error;
  }
  // A request is identified once, and an event stream goes on: a key may be revoked meanwhile. Sessions end their streams.
  if (identified?.caller.via === 'key') endWithCaller(outgoing, () => options.identify(incoming), options.lookMs);
  const { query, body } = definition;
  if (body !== undefined) refuseEncoded(incoming);
  const meter = options.bodies?.open(incoming, identified?.caller);
  const call: RouteCall<RouteDefinition> = {
    context,
    incoming,
    outgoing,
    signal: context.req.raw.signal,
    params: context.req.param() as never,
    query: query && (parse(query, context.req.query(), 'query') as never),
    body:
      body === undefined || isRaw(body)
        ? undefined
        : (parse(body, await readJson(incoming, definition.maxBodyBytes, undefined, meter), 'body') as never),
    // `refuse` has checked that there is a caller if the definition needs one.
    identified: identified as Identified,
    caller: identified?.caller as Caller,
    problem: (code: ProblemCode, message: string, headers?: Readonly<Record<string, string>>) =>
      problem(code, message, headers),
    other: (status: number, other: unknown, headers: Readonly<Record<string, string>> = {}) =>
      new OtherResponse(status, other, headers),
  };
  const result = await runAudited(definition, run, call, options.audit);
  if (result instanceof Response) return result;
  const {
    status,
    body: json,
    headers,
  } = result instanceof OtherResponse ? result : { status: definition.status ?? 200, body: result, headers: {} };
  const text = await printJson(json);
  return context.body(text, status as 200, {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
    ...headers,
  });
}

/** Runs a handler, and records the outcome if the route is audited. */
async function runAudited(
  definition: RouteDefinition,
  run: Route['run'],
  call: RouteCall<RouteDefinition>,
  audit: Audit | undefined,
): Promise<unknown> {
  if (audit === undefined || !isAudited(definition)) return run(call);
  const record = (outcome: string, response?: unknown): void =>
    audit(call.incoming, {
      action: definition.operationId,
      outcome,
      caller: call.caller,
      targets: targetsOf(call.params, call.body, response),
      changes: changesOf(definition, call.body),
    });
  try {
    const result = await run(call);
    record('ok', result);
    return result;
  } catch (error) {
    record(toProblem(error)?.code ?? 'internal');
    throw error;
  }
}

/** @throws Problem `not_signed_in`, `forbidden` */
function refuse(access: Access, identified: Identified | undefined): void {
  if (access === 'anyone') return;
  if (identified === undefined) throw notSignedIn();
  const { role, via } = identified.caller;
  if (access.startsWith('admin') && role !== 'admin') throw problem('forbidden', 'Only an admin can do this.');
  if (isForPeople(access) && via === 'key') throw forPeopleOnly();
}

/** Refuses a compressed body, which would otherwise be stored as it arrives. @throws Problem `unsupported_encoding` */
function refuseEncoded({ headers }: IncomingMessage): void {
  const encoding = headers['content-encoding'];
  if (encoding === undefined || encoding.toLowerCase() === 'identity') return;
  throw problem(
    'unsupported_encoding',
    'Compressed bodies are not read. Send the body uncompressed, without the header Content-Encoding.',
    {
      'Accept-Encoding': 'identity',
    },
  );
}

function parse(schema: z.ZodType, value: unknown, where: 'query' | 'body'): unknown {
  const parsed = safeParse(schema, value, where);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const name = issue?.path.join('.');
  throw problem(
    'invalid',
    `${name ? `${name}: ` : ''}${issue?.message ?? 'not understood'} (in the ${where})${knownNames(schema, issue)}`,
  );
}

/** The names that an object takes, after a name that it does not. */
function knownNames(schema: z.ZodType, issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code !== 'unrecognized_keys' || issue.path.length > 0 || !(schema instanceof z.ZodObject)) return '';
  return `. Known names: ${Object.keys(schema.shape).join(', ')}`;
}

/** A response that its definition does not describe. Not a `Problem`, so that it becomes a logged error 500. */
class ContractViolation extends Error {}

/** @throws Problem `invalid` for a value that overflows the stack: edits may hold edits */
function safeParse(schema: z.ZodType, value: unknown, where: string) {
  try {
    return schema.safeParse(value);
  } catch (error) {
    if (error instanceof RangeError) throw problem('invalid', `The ${where} is nested too deeply.`);
    throw error;
  }
}

async function checkResponse(definition: RouteDefinition, response: Response): Promise<Response> {
  const { operationId, status = 200, otherResponses = {} } = definition;
  if (isRaw(definition.response)) {
    checkRaw(definition, definition.response.mediaTypes, response);
    return response;
  }
  const schema = response.status === status ? definition.response : otherResponses[response.status];
  if (schema === undefined) throw new ContractViolation(`${operationId}: status ${response.status} is not defined`);
  const parsed = schema.safeParse(await response.clone().json());
  if (!parsed.success) throw new ContractViolation(`${operationId}: ${z.prettifyError(parsed.error)}`);
  return response;
}

function checkRaw({ operationId, response }: RouteDefinition, mediaTypes: readonly string[], sent: Response): void {
  const type = sent.headers.get('Content-Type')?.split(';', 1)[0];
  const statuses = isRaw(response) ? (response.statuses ?? [200]) : [];
  // The handler of an event stream writes to Node's response itself.
  if (sent === RESPONSE_ALREADY_SENT) return;
  if (!statuses.includes(sent.status)) {
    if (sent.status < 400) throw new ContractViolation(`${operationId}: status ${sent.status} is not defined`);
    return;
  }
  if (type !== undefined && !mediaTypes.includes(type) && !mediaTypes.includes('*/*'))
    throw new ContractViolation(`${operationId}: media type ${type} is not defined`);
}

/** The error itself, or a violation where its code is not one of the definition's. */
function checkError(definition: RouteDefinition, error: unknown): unknown {
  const found = error instanceof ContractViolation ? undefined : toProblem(error);
  if (found === undefined) return error;
  const codes: readonly string[] = errorCodesOf(definition);
  if (codes.includes(found.code)) return error;
  return new ContractViolation(`${definition.operationId}: error code ${found.code} is not defined`, { cause: error });
}
