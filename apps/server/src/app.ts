import { Hono } from 'hono';
import type { Parts } from './parts.ts';
import { logHostFailure } from './log.ts';
import { notFound, problemBody, toProblem } from './problem.ts';
import { makeAccountRoutes } from './routes/account-routes.ts';
import { addAgenticFiles } from './routes/agentic-files.ts';
import { addContentRoutes } from './routes/content-routes.ts';
import { makeDocsRoutes } from './routes/docs-routes.ts';
import { createEndpoints } from './routes/endpoint.ts';
import { addFileRoutes } from './routes/file-routes.ts';
import { makeKeyRoutes } from './routes/key-routes.ts';
import { makeLocalAccessRoutes } from './routes/local-access-routes.ts';
import { makeLocalSignInRoutes } from './routes/local-sign-in-routes.ts';
import { addMcpRoute } from './routes/mcp-route.ts';
import { addNamespaceRoutes } from './routes/namespace-routes.ts';
import type { App, RawHttp } from './routes/route.ts';
import { makeServerRoutes } from './routes/server-routes.ts';
import { serveRoutes } from './routes/serve-routes.ts';
import { addStudio } from './routes/studio-routes.ts';
import { addToolRoutes } from './routes/tool-routes.ts';
import { makeUserRoutes } from './routes/user-routes.ts';

/** The routes of a server, ready to answer. */
export interface ServerApp {
  readonly app: App;
  /** Ends what MCP still answers. */
  close(): Promise<void>;
}

/** What an app is made with, beside its parts. */
export interface AppOptions {
  readonly studioDir: string | undefined;
  /** Parses every response by its definition; for tests. */
  readonly checksResponses: boolean | undefined;
}

/** All routes but the gateway's and the guard's, which are raw HTTP and come before these. */
export function createApp(parts: Parts, { studioDir, checksResponses }: AppOptions): ServerApp {
  const app: App = new Hono<{ Bindings: RawHttp }>();
  const serveOptions = { identify: parts.identify, checksResponses };
  const endpoints = createEndpoints(app, serveOptions);
  addFileRoutes(endpoints, parts);
  addContentRoutes(endpoints, parts);
  addNamespaceRoutes(endpoints, parts);
  addAgenticFiles(endpoints, parts);
  addToolRoutes(endpoints, parts);
  const routes = [
    ...makeServerRoutes(parts),
    ...makeLocalAccessRoutes(parts),
    ...makeAccountRoutes(parts),
    ...(parts.settings.autoLogin ? makeLocalSignInRoutes(parts) : []),
    ...makeKeyRoutes(parts),
    ...makeUserRoutes(parts),
  ];
  const docs = makeDocsRoutes(parts, () => [
    ...[...routes, ...docs].map(({ definition }) => definition),
    ...endpoints.definitions,
  ]);
  serveRoutes(app, [...routes, ...docs], serveOptions);
  const mcp = addMcpRoute(app, parts);
  addStudio(app, studioDir, parts.basePath);
  app.notFound((context) => context.json(problemBody(notFound()), 404));
  app.onError((error, context) => {
    const problem = toProblem(error);
    if (problem === undefined) {
      parts.log.error({ err: error, method: context.req.method, path: context.req.path }, 'a request failed');
      return Response.json(
        { error: { code: 'internal', message: 'Something went wrong here. It is in the log of the server.' } },
        { status: 500 },
      );
    }
    logHostFailure(parts.log, error, { method: context.req.method, path: context.req.path });
    const headers = { ...problem.headers, 'Cache-Control': 'no-store' };
    return Response.json(problemBody(problem), { status: problem.status, headers });
  });
  return { app, close: () => mcp.close() };
}
