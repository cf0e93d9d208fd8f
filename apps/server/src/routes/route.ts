import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context, Hono } from 'hono';
import type { z } from 'zod';
import type { ParamNames, ResponseOf, RouteDefinition } from '../contract/define-route.ts';
import { PROBLEM_STATUS, type ProblemCode } from '../contract/problem-codes.ts';
import type { Identified } from '../identify.ts';
import type { Caller } from '../identity.ts';
import { Problem } from '../problem.ts';

/** Node's request and response, beside hono's view of them. */
export interface RawHttp {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

export type App = Hono<{ Bindings: RawHttp }>;

/** One request to a route, parsed by its definition. */
export interface RouteCall<D extends RouteDefinition> {
  readonly context: Context<{ Bindings: RawHttp }>;
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
  readonly params: Readonly<Record<ParamNames<D['route']>, string>>;
  readonly query: D extends { readonly query: infer Q extends z.ZodType } ? z.output<Q> : undefined;
  /** `undefined` for a raw body: read `incoming`. */
  readonly body: D extends { readonly body: infer B extends z.ZodType } ? z.output<B> : undefined;
  readonly identified: D['access'] extends 'anyone' ? Identified | undefined : Identified;
  readonly caller: D['access'] extends 'anyone' ? Caller | undefined : Caller;
  /** An error with one of the codes that the definition lists. Throw it. */
  problem(code: ErrorsOf<D>, message: string, headers?: Readonly<Record<string, string>>): Problem;
  /** A response with a status of `otherResponses`. */
  other<Status extends keyof OtherOf<D> & number>(
    status: Status,
    body: z.output<OtherOf<D>[Status]>,
    headers?: Readonly<Record<string, string>>,
  ): OtherResponse;
}

type ErrorsOf<D> = D extends { readonly errors: readonly (infer Code extends ProblemCode)[] } ? Code : never;
type OtherOf<D> = D extends { readonly otherResponses: infer O extends Readonly<Record<number, z.ZodType>> }
  ? O
  : Record<never, z.ZodType>;

/** A JSON response whose status is neither that of success nor that of an error. */
export class OtherResponse {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, body: unknown, headers: Readonly<Record<string, string>>) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** A handler returns the JSON that the definition describes, or a response if the definition is raw. */
type ResultOf<D extends RouteDefinition> = D['response'] extends z.ZodType ? ResponseOf<D> | OtherResponse : Response;

type Leaf = string | number | boolean | bigint | symbol | null | undefined | Response | OtherResponse;
type KeysOf<T> = T extends unknown ? keyof T : never;
type FieldOf<T, K> = T extends unknown ? (K extends keyof T ? T[K] : never) : never;

/** Names of the fields that `Given` has and `Shape` does not, at any depth. TypeScript allows them in what a function returns. */
type ExtraFields<Given, Shape> = unknown extends Shape
  ? never
  : Given extends Leaf
    ? never
    : Given extends readonly (infer E)[]
      ? Shape extends readonly (infer S)[]
        ? ExtraFields<E, S>
        : never
      : string extends KeysOf<Shape>
        ? never
        : { [K in keyof Given]-?: K extends KeysOf<Shape> ? ExtraFields<Given[K], FieldOf<Shape, K>> : K }[keyof Given];

/** Refuses a handler whose response has fields that its definition lacks. */
type NoExtraFields<Given, Shape> = [ExtraFields<Given, Shape>] extends [never]
  ? unknown
  : { readonly 'the definition of the response lacks': ExtraFields<Given, Shape> };

/** A definition with its handler, to be served by `serveRoutes`. */
export interface Route {
  readonly definition: RouteDefinition;
  readonly run: (call: RouteCall<RouteDefinition>) => unknown;
}

/**
 * Joins a definition with its handler. A response with a missing, additional or mistyped field does not compile. Fields
 * that a variable of a wider type has at run time are found by tests, which parse every response strictly.
 */
export function route<D extends RouteDefinition, R extends ResultOf<D>>(
  definition: D,
  run: ((call: RouteCall<D>) => R | Promise<R>) & NoExtraFields<R, ResultOf<D>>,
): Route {
  return { definition, run: run as Route['run'] };
}

/** An error with the status of its code. */
export function problem(
  code: ProblemCode,
  message: string,
  headers: Readonly<Record<string, string>> = {},
  cause?: unknown,
): Problem {
  return new Problem(PROBLEM_STATUS[code], code, message, headers, cause);
}
