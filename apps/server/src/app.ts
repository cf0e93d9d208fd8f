import { Hono } from 'hono';
import { noRoute, type Problem, problemBody } from './problem.ts';
import type { App, RawHttp } from './routes/route.ts';

/**
 * An app without routes: unknown addresses get 404, known ones 405 for other methods, and every error a JSON body.
 *
 * @param findProblem turns an error into what the client may know, and logs the rest
 */
export function createApp(findProblem: (error: Error, request: { method: string; path: string }) => Problem): App {
  const app: App = new Hono<{ Bindings: RawHttp }>();
  app.notFound(({ req: { path } }) => respond(noRoute(methodsOf(app, path))));
  app.onError((error, { req: { method, path } }) => respond(findProblem(error, { method, path })));
  return app;
}

function respond(problem: Problem): Response {
  const headers = { ...problem.headers, 'Cache-Control': 'no-store' };
  return Response.json(problemBody(problem), { status: problem.status, headers });
}

/** The methods with a route for a path. Routes for all methods or all paths do not count: they decide themselves. */
function methodsOf(app: App, path: string): readonly string[] {
  return ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((method) =>
    app.router.match(method, path)[0].some(([[, route]]) => route.method === method && route.path !== '/*'),
  );
}
