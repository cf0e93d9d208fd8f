import { makeToolset, TOOLSETS } from '@croft/tools';
import { Hono } from 'hono';
import type { RouteDefinition } from './contract/define-route.ts';
import { gatewayRoutes, guardRoutes } from './contract/gateway-routes.ts';
import { routesOfTools } from './contract/tool-routes.ts';
import type { Parts } from './parts.ts';
import { logHostFailure } from './log.ts';
import { notFound, problemBody, toProblem } from './problem.ts';
import { makeAccountRoutes } from './routes/account-routes.ts';
import { makeActivityRoutes } from './routes/activity-routes.ts';
import { makeAgenticFileRoute } from './routes/agentic-files.ts';
import { makeContentRoutes } from './routes/content-routes.ts';
import { makeDocsRoutes } from './routes/docs-routes.ts';
import { makeFileRoutes } from './routes/file-routes.ts';
import { makeKeyRoutes } from './routes/key-routes.ts';
import { makeLocalAccessRoutes } from './routes/local-access-routes.ts';
import { makeLocalSignInRoutes } from './routes/local-sign-in-routes.ts';
import { addMcpRoute } from './routes/mcp-route.ts';
import { makeNamespaceRoutes } from './routes/namespace-routes.ts';
import type { App, RawHttp, Route } from './routes/route.ts';
import { makeServerRoutes } from './routes/server-routes.ts';
import { serveRoutes } from './routes/serve-routes.ts';
import { addStudio } from './routes/studio-routes.ts';
import { makeToolRoutes } from './routes/tool-routes.ts';
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
  const routes = [
    ...makeServerRoutes(parts),
    ...makeLocalAccessRoutes(parts),
    ...makeAccountRoutes(parts),
    ...(parts.settings.autoLogin ? makeLocalSignInRoutes(parts) : []),
    ...makeKeyRoutes(parts),
    ...makeUserRoutes(parts),
    ...makeFileRoutes(parts),
    ...makeContentRoutes(parts),
    ...makeActivityRoutes(parts),
    ...makeNamespaceRoutes(parts),
    makeAgenticFileRoute(parts),
    ...makeToolRoutes(parts),
  ];
  const docs = makeDocsRoutes(parts, () => describedRoutes([...routes, ...docs], parts));
  serveRoutes(app, [...routes, ...docs], { identify: parts.identify, checksResponses });
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

/** The definitions to document: those served, with one for each tool, and those of the hub and the guard. */
function describedRoutes(served: readonly Route[], { guard }: Pick<Parts, 'guard'>): RouteDefinition[] {
  const acquire = () => {
    throw new Error('these tools are for documentation only');
  };
  return [
    ...served.map(({ definition }) => definition).filter(({ operationId }) => operationId !== 'callTool'),
    ...TOOLSETS.flatMap((name) => routesOfTools(name, makeToolset(name, { acquire }))),
    ...Object.values(gatewayRoutes),
    ...(guard === undefined ? [] : Object.values(guardRoutes)),
  ];
}
