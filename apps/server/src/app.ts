import { Hono } from 'hono';
import type { Parts } from './parts.ts';
import { logHostFailure } from './log.ts';
import { notFound, problemBody, toProblem } from './problem.ts';
import { addAccountRoutes, addLocalRoutes } from './routes/account-routes.ts';
import { addAgenticFiles } from './routes/agentic-files.ts';
import { addContentRoutes } from './routes/content-routes.ts';
import { addDocsRoutes } from './routes/docs-routes.ts';
import { type App, createEndpoints, type Endpoints, type RawHttp } from './routes/endpoint.ts';
import { addFileRoutes } from './routes/file-routes.ts';
import { addLocalAccessRoutes } from './routes/local-access-routes.ts';
import { addNamespaceRoutes } from './routes/namespace-routes.ts';
import { addMcpRoute } from './routes/mcp-route.ts';
import { addDownload, addServerRoutes } from './routes/server-routes.ts';
import { addStudio } from './routes/studio-routes.ts';
import { addToolRoutes } from './routes/tool-routes.ts';
import { addUserRoutes } from './routes/user-routes.ts';

/** The routes of a server, ready to answer. */
export interface ServerApp {
  readonly app: App;
  readonly endpoints: Endpoints;
  /** Ends what MCP still answers. */
  close(): Promise<void>;
}

/** All routes but the gateway's and the guard's, which are raw HTTP and come before these. */
export function createApp(parts: Parts, studioDir: string | undefined): ServerApp {
  const app: App = new Hono<{ Bindings: RawHttp }>();
  const endpoints = createEndpoints(app, parts);
  addServerRoutes(endpoints, parts);
  addLocalAccessRoutes(endpoints, parts);
  addAccountRoutes(endpoints, parts);
  addLocalRoutes(endpoints, parts);
  addUserRoutes(endpoints, parts);
  addFileRoutes(endpoints, parts);
  addContentRoutes(endpoints, parts);
  addNamespaceRoutes(endpoints, parts);
  addAgenticFiles(endpoints, parts);
  addToolRoutes(endpoints, parts);
  const mcp = addMcpRoute(app, parts);
  addDownload(app, parts);
  addDocsRoutes(app, parts, endpoints.specs);
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
  return { app, endpoints, close: () => mcp.close() };
}
