import { Hono } from 'hono';
import { notFound, type Problem, problemBody } from './problem.ts';
import type { App, RawHttp } from './routes/route.ts';

/**
 * An app without routes: unknown addresses get 404, and every error a JSON body.
 *
 * @param findProblem turns an error into what the client may know, and logs the rest
 */
export function createApp(findProblem: (error: Error, request: { method: string; path: string }) => Problem): App {
  const app: App = new Hono<{ Bindings: RawHttp }>();
  app.notFound((context) => context.json(problemBody(notFound()), 404));
  app.onError((error, { req: { method, path } }) => {
    const problem = findProblem(error, { method, path });
    const headers = { ...problem.headers, 'Cache-Control': 'no-store' };
    return Response.json(problemBody(problem), { status: problem.status, headers });
  });
  return app;
}
