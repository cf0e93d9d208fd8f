import { z } from 'zod';
import type { ProblemCode } from './problem-codes.ts';

/**
 * The callers a route accepts. `caller`: a session or an API key. `session`: a session only, because a key must not create keys
 * or change passwords. `admin`: a caller with that role. `admin-session`: an admin with a session.
 * `machine-key`: a machine with its gateway key. `key-header`: an API key in `X-Croft-Key`, because `Authorization` is
 * for the model.
 */
export type Access = 'anyone' | 'caller' | 'session' | 'admin' | 'admin-session' | 'machine-key' | 'key-header';

/** Whether a route needs a session: an API key that could change accounts would turn a leak into lasting access. */
export const isForPeople = (access: Access): boolean => access === 'session' || access === 'admin-session';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A body that is not JSON: a file, a stream, a page. Its bytes are written or read by the handler. */
export interface Raw {
  readonly kind: 'raw';
  readonly mediaTypes: readonly string[];
  readonly description: string;
  /** Statuses of success, when 200 is not the only one. */
  readonly statuses?: readonly number[];
}

/** Describes a body that is not JSON. */
export function raw(description: string, mediaTypes: readonly string[], statuses?: readonly number[]): Raw {
  return { kind: 'raw', mediaTypes, description, ...(statuses !== undefined && { statuses }) };
}

export const isRaw = (body: z.ZodType | Raw | undefined): body is Raw => body !== undefined && 'kind' in body;

/** The input and output of one route. The server's handlers, OpenAPI and the studio's client derive from it. */
export interface RouteData {
  /** Method and path; parameters in braces: `DELETE /api/v1/keys/{id}`. */
  readonly route: `${Method} /${string}`;
  readonly summary: string;
  readonly access: Access;
  /** An object of strings, as a query has them. */
  readonly query?: z.ZodType;
  readonly body?: z.ZodType | Raw;
  readonly response: z.ZodType | Raw;
  /** Of a success; 200 by default. */
  readonly status?: number;
  /** JSON bodies with other statuses, which are not errors in the usual envelope. */
  readonly otherResponses?: Readonly<Record<number, z.ZodType>>;
  /** Codes the handler throws, beside those that access, query and body imply. */
  readonly errors?: readonly ProblemCode[];
  /** 1 MiB by default. */
  readonly maxBodyBytes?: number;
  /** Answers without looking up the caller, so that it works while the database is down. */
  readonly skipsIdentity?: boolean;
  /** One of these requests is identified at a time: clients send many together, and others must not wait for all of them. */
  readonly startsRun?: boolean;
  /** The part that serves the route, and checks its access. Errors are `{ code, message }`; of MCP, JSON-RPC errors. */
  readonly servedBy?: 'hub' | 'guard' | 'mcp';
  /** Whether the server's log records every call. By default it does for `DELETE`. */
  readonly audit?: boolean;
  /** Left out of the documentation. */
  readonly isHidden?: boolean;
}

/** A route with its names in OpenAPI. */
export type RouteDefinition = RouteData & { readonly operationId: string; readonly tag: string };

/** Defines the routes of one area. The key of a route is its operation id; the area is its tag. */
export function defineRoutes<const T extends Readonly<Record<string, RouteData>>>(
  tag: string,
  routes: T,
): { readonly [K in keyof T]: T[K] & { readonly operationId: string; readonly tag: string } } {
  const named = Object.entries(routes).map(([operationId, data]) => [operationId, { ...data, operationId, tag }]);
  return Object.fromEntries(named) as never;
}

/** Names of the parameters in a path. */
export type ParamNames<Route extends string> = Route extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never;

/** A type whose fields, at any depth, cannot be assigned. */
export type DeepReadonly<T> = T extends readonly (infer E)[]
  ? readonly DeepReadonly<E>[]
  : T extends object
    ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T;

/** The JSON that a success returns; `never` for a raw one. A test with `z.ZodType` would compare every method of a schema. */
export type ResponseOf<D extends { readonly response: unknown }> = D['response'] extends Raw
  ? never
  : DeepReadonly<z.output<D['response']>>;

/** Parameters, query and body of a route, as a client sends them. */
export type RequestOf<D extends { readonly route: string }> = (ParamNames<D['route']> extends never
  ? unknown
  : { readonly params: Readonly<Record<ParamNames<D['route']>, string>> }) &
  (D extends { readonly query: infer Q } ? QueryInput<z.input<Q>> : unknown) &
  (D extends { readonly body: infer B } ? (B extends Raw ? unknown : { readonly body: z.input<B> }) : unknown);

type QueryInput<Q> = Record<never, never> extends Q ? { readonly query?: Q } : { readonly query: Q };

/** Method and path of a route, as `['GET', '/api/v1/files']`. */
export function splitRoute(route: RouteData['route']): [Method, string] {
  const space = route.indexOf(' ');
  return [route.slice(0, space) as Method, route.slice(space + 1)];
}

const ANY_TIME: readonly ProblemCode[] = ['not_allowed', 'starting', 'database_down', 'disk_full', 'internal'];

/** Every code a route may answer with: those it lists and those that its access, query and body imply. */
export function errorCodesOf({ access, query, body, errors, route }: RouteData): readonly ProblemCode[] {
  const codes: ProblemCode[] = [...ANY_TIME, ...(errors ?? [])];
  if (access !== 'anyone') codes.push('not_signed_in');
  if (access !== 'anyone' && access !== 'caller') codes.push('forbidden');
  // A cookie counts only on a request that a foreign page cannot send.
  if (access !== 'anyone' || !route.startsWith('GET ')) codes.push('cross_site');
  // A parameter may hold a NUL character, which the database refuses.
  if (query !== undefined || body !== undefined || route.includes('{')) codes.push('invalid');
  if (body !== undefined) codes.push('too_large', 'broken_off', 'busy', 'unsupported_encoding');
  return [...new Set(codes)].sort();
}

/** The body of every error. */
export const problemBody = z.strictObject({ error: z.strictObject({ code: z.string(), message: z.string() }) });
