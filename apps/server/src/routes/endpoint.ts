import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context, Hono } from 'hono';
import type { z } from 'zod';
import type { Identified } from '../identify.ts';
import type { Caller } from '../identity.ts';
import type { Parts } from '../parts.ts';
import { notSignedIn, Problem } from '../problem.ts';

/** What node:http gives beside hono's own view of a request. */
export interface RawHttp {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

export type App = Hono<{ Bindings: RawHttp }>;

/**
 * Who may ask. `caller`: anybody known, also by an API key; `session`: a person in a browser, because a key must not make
 * keys or change passwords; `admin`: a caller who is one; `admin-session`: an admin in a browser.
 */
export type Access = 'anyone' | 'caller' | 'session' | 'admin' | 'admin-session';

/** Whether an API key is not enough, whoever's it is: what changes accounts would make a leaked key a lasting way in. */
export const isForPeople = (access: Access): boolean => access === 'session' || access === 'admin-session';

/** One endpoint, said once: what is parsed, who may ask, and what the documentation tells. */
export interface EndpointSpec<Query, Body> {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Parameters as `:id`. */
  readonly path: string;
  readonly summary: string;
  readonly access: Access;
  readonly query?: z.ZodType<Query>;
  readonly body?: z.ZodType<Body>;
  /** The body of a good answer; absent for one that is not JSON. */
  readonly answer?: z.ZodType;
  /** Other than 200. */
  readonly status?: number;
  /** Bytes a body may have; 1 MiB unless given. */
  readonly maxBodyBytes?: number;
  /** Does not look up the caller: a health check has to answer while the database is down, whatever cookie it has. */
  readonly skipsIdentity?: boolean;
  /** Not in the documentation. */
  readonly isHidden?: boolean;
}

/** One request to an endpoint, parsed. */
export interface EndpointCall<Query, Body> {
  readonly context: Context<{ Bindings: RawHttp }>;
  readonly query: Query;
  readonly body: Body;
  readonly identified: Identified | undefined;
  /** @throws Problem `not_signed_in`, where anybody may ask */
  readonly caller: Caller;
  /** A parameter of the path. */
  param(name: string): string;
}

/** Adds endpoints to an app and keeps what they say of themselves. */
export interface Endpoints {
  readonly specs: readonly EndpointSpec<unknown, unknown>[];
  add<Query = undefined, Body = undefined>(
    spec: EndpointSpec<Query, Body>,
    run: (call: EndpointCall<Query, Body>) => Promise<Response | object> | Response | object,
  ): void;
}

const MAX_BODY_BYTES = 1024 * 1024;
const MIN_BODY_MS = 60_000;
const SLOW_BYTES_PER_MS = 64;

/** Endpoints that know who asks, parse what is sent, and answer objects as JSON. */
export function createEndpoints(app: App, parts: Pick<Parts, 'identify'>): Endpoints {
  const specs: EndpointSpec<unknown, unknown>[] = [];
  return {
    specs,
    add(spec, run) {
      specs.push(spec as EndpointSpec<unknown, unknown>);
      app[spec.method](spec.path, async (context) => {
        const identified = spec.skipsIdentity ? undefined : await parts.identify(context.env.incoming);
        refuse(spec.access, identified);
        const query = spec.query && parse(spec.query, context.req.query(), 'query');
        const body = spec.body && parse(spec.body, await readJson(context.env.incoming, spec.maxBodyBytes), 'body');
        const answer = await run({
          context,
          query: query as never,
          body: body as never,
          identified,
          get caller() {
            if (identified === undefined) throw notSignedIn();
            return identified.caller;
          },
          param: (name) => context.req.param(name) ?? '',
        });
        if (answer instanceof Response) return answer;
        return Response.json(answer, { status: spec.status ?? 200, headers: { 'Cache-Control': 'no-store' } });
      });
    },
  };
}

/** @throws Problem `not_signed_in`, `forbidden` */
function refuse(access: Access, identified: Identified | undefined): void {
  if (access === 'anyone') return;
  if (identified === undefined) throw notSignedIn();
  const { role, via } = identified.caller;
  if (access.startsWith('admin') && role !== 'admin') throw new Problem(403, 'forbidden', 'Only an admin can do this.');
  if (isForPeople(access) && via === 'key')
    throw new Problem(403, 'forbidden', 'An API key cannot do this. Sign in with a browser.');
}

function parse<T>(schema: z.ZodType<T>, value: unknown, where: 'query' | 'body'): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const name = issue?.path.join('.');
  throw new Problem(
    400,
    'invalid',
    `${name ? `${name}: ` : ''}${issue?.message ?? 'not understood'} (in the ${where})`,
  );
}

/**
 * A body as JSON. One that takes longer than a slow line would is broken off: anybody may begin to sign in.
 *
 * @throws Problem `invalid`, `too_large`, `broken_off`
 */
export async function readJson(
  request: IncomingMessage,
  maxBytes = MAX_BODY_BYTES,
  deadlineMs = MIN_BODY_MS + maxBytes / SLOW_BYTES_PER_MS,
): Promise<unknown> {
  const late = setTimeout(() => request.destroy(), deadlineMs);
  const text = await readText(request, maxBytes).finally(() => clearTimeout(late));
  try {
    return text === '' ? {} : JSON.parse(text);
  } catch {
    throw new Problem(400, 'invalid', 'The body is not JSON.');
  }
}

/**
 * The chunks of a body, for a reader that may stop early. Node destroys a request whose reader stops, and the connection
 * then never takes another request; this leaves the rest to be read and thrown away when the answer is out.
 */
export function keepConnection(request: IncomingMessage): AsyncIterable<Buffer> {
  return request.iterator({ destroyOnReturn: false });
}

async function readText(request: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of keepConnection(request)) {
      size += chunk.length;
      if (size > maxBytes) throw new Problem(413, 'too_large', `The body is larger than ${maxBytes} bytes.`);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof Problem) throw error;
    // The client went away, or was too slow: nobody hears this, and it is no failure of the server.
    throw new Problem(408, 'broken_off', 'The body did not arrive whole. Send it again.');
  }
  return Buffer.concat(chunks).toString('utf8');
}
