import { accountRoutes, localSignInRoutes } from './account-routes.ts';
import { activityRoutes } from './activity-routes.ts';
import { agUiRoutes } from './ag-ui-routes.ts';
import { assistantRoutes } from './assistant-routes.ts';
import { auditRoutes } from './audit-routes.ts';
import { chatRoutes } from './chat-routes.ts';
import { collectionRoutes } from './collection-routes.ts';
import { componentRoutes } from './component-routes.ts';
import type { RequestOf, ResponseOf, RouteDefinition } from './define-route.ts';
import { docsRoutes } from './docs-routes.ts';
import { fileRoutes } from './file-routes.ts';
import { flowRoutes } from './flow-routes.ts';
import { flowShareRoutes } from './flow-share-routes.ts';
import { flowTagRoutes } from './flow-tag-routes.ts';
import { flowTransferRoutes } from './flow-transfer-routes.ts';
import { gatewayRoutes, guardRoutes } from './gateway-routes.ts';
import { keyRoutes } from './key-routes.ts';
import { localAccessRoutes } from './local-access-routes.ts';
import { mcpRoutes } from './mcp-routes.ts';
import { mcpServerRoutes } from './mcp-server-routes.ts';
import { namespaceRoutes, sharedMountRoutes } from './namespace-routes.ts';
import { openaiRoutes } from './openai-routes.ts';
import { publicLinkRoutes } from './public-link-routes.ts';
import { publishedToolRoutes } from './published-tool-routes.ts';
import { restorePointRoutes } from './restore-point-routes.ts';
import { runRoutes } from './run-routes.ts';
import { scheduleRoutes } from './schedule-routes.ts';
import { serverRoutes } from './server-routes.ts';
import { toolRoutes } from './tool-routes.ts';
import { userRoutes } from './user-routes.ts';
import { variableRoutes } from './variable-routes.ts';
import { webhookRoutes } from './webhook-routes.ts';
import { flowCommandRoutes } from './flow-command-routes.ts';
import { workerRoutes } from './worker-routes.ts';

export type { ServerEvent, ServerEventName } from './server-events.ts';

/** The definitions of all routes, by operation id. */
export const ROUTES = {
  ...serverRoutes,
  ...accountRoutes,
  ...localSignInRoutes,
  ...keyRoutes,
  ...userRoutes,
  ...auditRoutes,
  ...localAccessRoutes,
  ...fileRoutes,
  ...namespaceRoutes,
  ...sharedMountRoutes,
  ...toolRoutes,
  ...activityRoutes,
  ...flowRoutes,
  ...flowTagRoutes,
  ...flowTransferRoutes,
  ...restorePointRoutes,
  ...flowShareRoutes,
  ...publicLinkRoutes,
  ...publishedToolRoutes,
  ...componentRoutes,
  ...runRoutes,
  ...chatRoutes,
  ...collectionRoutes,
  ...scheduleRoutes,
  ...webhookRoutes,
  ...workerRoutes,
  ...flowCommandRoutes,
  ...mcpServerRoutes,
  ...openaiRoutes,
  ...assistantRoutes,
  ...agUiRoutes,
  ...variableRoutes,
  ...mcpRoutes,
  ...gatewayRoutes,
  ...guardRoutes,
  ...docsRoutes,
} satisfies Readonly<Record<string, RouteDefinition>>;

type AnyRoute = (typeof ROUTES)[keyof typeof ROUTES];

/** Method and path of a route, such as `GET /api/v1/keys`. */
export type RouteKey = AnyRoute['route'];

// A filter of the union would go through all routes for each key.
type ByRoute = { [Each in AnyRoute as Each['route']]: Each };
type RouteOf<K extends RouteKey> = ByRoute[K];

/** Parameters, query and body of this route, as a client sends them. */
export type ApiRequest<K extends RouteKey> = RequestOf<RouteOf<K>>;

/** The JSON that this route returns; `never` for a raw one. */
export type ApiResponse<K extends RouteKey> = ResponseOf<RouteOf<K>>;
