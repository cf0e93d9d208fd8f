import { type AccountRouteOptions, makeAccountRoutes } from './account-routes.ts';
import { makeActivityRoutes } from './activity-routes.ts';
import { makeAgUiRoute } from './ag-ui-route.ts';
import { type AssistantRouteOptions, makeAssistantRoutes } from './assistant-routes.ts';
import { type AssistantSessionOptions, makeAssistantSessionRoutes } from './assistant-session-routes.ts';
import { type AgenticFileOptions, makeAgenticFileRoute } from './agentic-files.ts';
import { type AuditRouteOptions, makeAuditRoutes } from './audit-routes.ts';
import { makeChatRoutes } from './chat-routes.ts';
import { makeCollectionRoutes } from './collection-routes.ts';
import { type ComponentRouteOptions, makeComponentRoutes } from './component-routes.ts';
import { createRequestBodies } from './body-budget.ts';
import { compressJson } from './compress-json.ts';
import { makeContentRoutes } from './content-routes.ts';
import { describedRoutes } from './described-routes.ts';
import { type DocsRouteOptions, makeDocsRoutes } from './docs-routes.ts';
import { type FileRouteOptions, makeFileRoutes } from './file-routes.ts';
import { type FlowCommandRouteOptions, makeFlowCommandRoutes } from './flow-command-routes.ts';
import { addFlowMcpRoute, type FlowMcpOptions } from './flow-mcp-route.ts';
import { type FlowRouteOptions, makeFlowRoutes } from './flow-routes.ts';
import { makeFlowShareRoutes } from './flow-share-routes.ts';
import { makeFlowTagRoutes } from './flow-tag-routes.ts';
import { type FlowTransferOptions, makeFlowTransferRoutes } from './flow-transfer-routes.ts';
import { makeKeyRoutes } from './key-routes.ts';
import { type LocalAccessRouteOptions, makeLocalAccessRoutes } from './local-access-routes.ts';
import { type LocalSignInOptions, makeLocalSignInRoutes } from './local-sign-in-routes.ts';
import { addMcpRoute, type McpRouteOptions } from './mcp-route.ts';
import { makeMcpServerRoutes, type McpServerOptions } from './mcp-server-routes.ts';
import { makeNamespaceRoutes, type NamespaceRouteOptions } from './namespace-routes.ts';
import { makeOpenaiRoutes } from './openai-routes.ts';
import { makePublicLinkRoutes, type PublicLinkOptions } from './public-link-routes.ts';
import { makePublishedToolRoutes } from './published-tool-routes.ts';
import { makeRestorePointRoutes } from './restore-point-routes.ts';
import type { App, Route } from './route.ts';
import { makeRunRoutes, type RunRouteOptions } from './run-routes.ts';
import { makeScheduleRoutes } from './schedule-routes.ts';
import { type ServeOptions, serveRoutes } from './serve-routes.ts';
import { makeServerRoutes, type ServerRouteOptions } from './server-routes.ts';
import { addStudio } from './studio-routes.ts';
import { makeToolRoutes, type ToolRouteOptions } from './tool-routes.ts';
import { makeUserRoutes, type UserRouteOptions } from './user-routes.ts';
import { makeModelTestRoutes, type ModelTestOptions } from './model-test-routes.ts';
import { makeVariableRoutes, type VariableRouteOptions } from './variable-routes.ts';
import { makeWebhookRoutes, type WebhookRouteOptions } from './webhook-routes.ts';
import { makeWorkerRoutes, type WorkerRouteOptions } from './worker-routes.ts';

/** The options of all route factories. Each factory takes only its own part. */
export type RoutesOptions = ServeOptions &
  ServerRouteOptions &
  LocalAccessRouteOptions &
  AccountRouteOptions &
  LocalSignInOptions &
  UserRouteOptions &
  AuditRouteOptions &
  FileRouteOptions &
  FlowRouteOptions &
  FlowTransferOptions &
  NamespaceRouteOptions &
  AgenticFileOptions &
  ComponentRouteOptions &
  RunRouteOptions &
  AssistantRouteOptions &
  AssistantSessionOptions &
  ToolRouteOptions &
  PublicLinkOptions &
  VariableRouteOptions &
  ModelTestOptions &
  WebhookRouteOptions &
  WorkerRouteOptions &
  FlowCommandRouteOptions &
  McpServerOptions &
  DocsRouteOptions &
  FlowMcpOptions &
  McpRouteOptions & {
    readonly hasGuard: boolean;
    /** The built studio; without it a plain page says that it is missing. */
    readonly studioDir: string | undefined;
  };

/**
 * Adds every route but those of the gateway and the guard, which `edge/answer-raw.ts` answers.
 *
 * @returns ends the open MCP responses
 */
export function addRoutes(app: App, options: RoutesOptions): { close(): Promise<void> } {
  const routes: readonly Route[] = [
    ...makeServerRoutes(options),
    ...makeLocalAccessRoutes(options),
    ...makeAccountRoutes(options),
    ...(options.settings.autoLogin ? makeLocalSignInRoutes(options) : []),
    ...makeKeyRoutes(options),
    ...makeUserRoutes(options),
    ...makeAuditRoutes(options, () => routes.map(({ definition }) => definition)),
    ...makeFileRoutes(options),
    ...makeContentRoutes(options),
    ...makeActivityRoutes(options),
    ...makeFlowRoutes(options),
    ...makeFlowTagRoutes(options),
    ...makeFlowTransferRoutes(options),
    ...makeRestorePointRoutes(options),
    ...makeFlowShareRoutes(options),
    ...makePublicLinkRoutes(options),
    ...makePublishedToolRoutes(options),
    ...makeComponentRoutes(options),
    ...makeRunRoutes(options),
    ...makeChatRoutes(options),
    ...makeCollectionRoutes(options),
    ...makeScheduleRoutes(options),
    ...makeWebhookRoutes(options),
    ...makeWorkerRoutes(options),
    ...makeFlowCommandRoutes(options),
    ...makeMcpServerRoutes(options),
    ...makeOpenaiRoutes(options),
    ...makeAssistantRoutes(options),
    ...makeAssistantSessionRoutes(options),
    makeAgUiRoute(options),
    ...makeNamespaceRoutes(options),
    makeAgenticFileRoute(options),
    ...makeToolRoutes(options),
    ...makeVariableRoutes(options),
    ...makeModelTestRoutes(options),
  ];
  const docs = makeDocsRoutes(options, () => describedRoutes([...routes, ...docs], options.hasGuard));
  app.use('/api/*', compressJson);
  serveRoutes(app, [...routes, ...docs], { ...options, bodies: createRequestBodies(options.proxies) });
  const mcp = [addMcpRoute(app, options), addFlowMcpRoute(app, options)];
  addStudio(app, options.studioDir, options.basePath);
  return {
    close: async () => {
      await Promise.all(mcp.map((endpoint) => endpoint.close()));
    },
  };
}
