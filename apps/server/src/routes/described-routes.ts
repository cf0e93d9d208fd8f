import { makeToolset, TOOLSETS } from '@croft/tools';
import type { RouteDefinition } from '../contract/define-route.ts';
import { gatewayRoutes, guardRoutes, restGatewayRoutes } from '../contract/gateway-routes.ts';
import { mcpRoutes } from '../contract/mcp-routes.ts';
import { routesOfTools } from '../contract/tool-routes.ts';
import type { Route } from './route.ts';

/**
 * The definitions to document: those that the app serves, with one for each tool, and those of MCP and the hub.
 *
 * @param hasGuard whether those of the guard are served too
 */
export function describedRoutes(served: readonly Route[], hasGuard: boolean): RouteDefinition[] {
  const acquire = () => {
    throw new Error('these tools are for documentation only');
  };
  return [
    ...served.map(({ definition }) => definition).filter(({ operationId }) => operationId !== 'callTool'),
    ...TOOLSETS.flatMap((name) => routesOfTools(name, makeToolset(name, { acquire, hasTrash: true }))),
    ...Object.values(mcpRoutes),
    ...Object.values(gatewayRoutes),
    ...restGatewayRoutes(),
    ...(hasGuard ? Object.values(guardRoutes) : []),
  ];
}
