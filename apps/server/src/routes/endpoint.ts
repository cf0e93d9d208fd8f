import type { z } from 'zod';
import { type Access, type Method, raw, type RouteDefinition } from '../contract/define-route.ts';
import { PROBLEM_STATUS, type ProblemCode } from '../contract/problem-codes.ts';
import type { Identified } from '../identify.ts';
import type { Caller } from '../identity.ts';
import { notSignedIn } from '../problem.ts';
import type { App, Route, RouteCall } from './route.ts';
import { type ServeOptions, serveRoutes } from './serve-routes.ts';

/** A route that has no definition in `contract/` yet. */
export interface EndpointSpec<Query, Body> {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Parameters as `:id`. */
  readonly path: string;
  readonly summary: string;
  readonly access: Access;
  readonly query?: z.ZodType<Query>;
  readonly body?: z.ZodType<Body>;
  /** The JSON of a success; absent for a body that is not JSON. */
  readonly answer?: z.ZodType;
  readonly status?: number;
  readonly skipsIdentity?: boolean;
  readonly isHidden?: boolean;
}

/** One request to an endpoint, parsed. */
export interface EndpointCall<Query, Body> {
  readonly context: RouteCall<RouteDefinition>['context'];
  readonly query: Query;
  readonly body: Body;
  readonly identified: Identified | undefined;
  /** @throws Problem `not_signed_in`, where anyone may call */
  readonly caller: Caller;
  /** A parameter of the path. */
  param(name: string): string;
}

/** Adds endpoints to an app and keeps their definitions. */
export interface Endpoints {
  readonly definitions: readonly RouteDefinition[];
  add<Query = undefined, Body = undefined>(
    spec: EndpointSpec<Query, Body>,
    run: (call: EndpointCall<Query, Body>) => Promise<Response | object> | Response | object,
  ): void;
}

const ANY_CODE = Object.keys(PROBLEM_STATUS) as ProblemCode[];

/** Serves endpoints that have no definition in `contract/` yet. */
export function createEndpoints(app: App, options: ServeOptions): Endpoints {
  const definitions: RouteDefinition[] = [];
  return {
    definitions,
    add(spec, run) {
      const { method, path, summary, access, query, body, answer, status, skipsIdentity, isHidden } = spec;
      const route = `${method.toUpperCase() as Method} ${path.replace(/:(\w+)/g, '{$1}') as `/${string}`}` as const;
      const definition: RouteDefinition = {
        route,
        summary,
        access,
        operationId: route.replace(/\W+/g, '_'),
        tag: 'Files',
        ...(query && { query }),
        ...(body && { body }),
        response: answer ?? raw('The content', ['*/*'], [200, 206]),
        ...(status && { status }),
        ...(skipsIdentity && { skipsIdentity }),
        ...(isHidden && { isHidden }),
        errors: ANY_CODE,
      };
      definitions.push(definition);
      const handler: Route['run'] = (call) =>
        run({
          context: call.context,
          query: call.query as never,
          body: call.body as never,
          identified: call.identified,
          get caller() {
            if (call.caller === undefined) throw notSignedIn();
            return call.caller;
          },
          param: (name) => (call.params as Record<string, string>)[name] ?? '',
        });
      serveRoutes(app, [{ definition, run: handler }], options);
    },
  };
}
