import { emailOf } from '../accounts/accounts.ts';
import { flowShareRoutes } from '../contract/flow-share-routes.ts';
import { sendFlowChange } from '../flows/announce-flow.ts';
import { acceptanceOf, acceptFlow } from '../flows/approve-flow.ts';
import { listShares, shareFlow, unshareFlow } from '../flows/share-flow.ts';
import type { FlowRouteOptions } from './flow-routes.ts';
import { type Route, route } from './route.ts';

/** Sharing of flows between the users of the server. */
export function makeFlowShareRoutes({ storage, events }: FlowRouteOptions): Route[] {
  return [
    route(flowShareRoutes.listFlowShares, async ({ caller, params }) => ({
      shares: await listShares(await storage(), caller.userId, params.id),
    })),
    route(flowShareRoutes.shareFlow, async ({ caller, params, body }) => {
      const { userId } = caller;
      const request = { userId, flowId: params.id, email: emailOf(body.user), access: body.access };
      const { share, notice } = await shareFlow(await storage(), request);
      sendFlowChange(events, notice);
      return { share };
    }),
    route(flowShareRoutes.unshareFlow, async ({ caller, params }) => {
      const request = { userId: caller.userId, flowId: params.id, otherId: params.user };
      for (const notice of await unshareFlow(await storage(), request)) sendFlowChange(events, notice);
      return { userId: params.user };
    }),
    route(flowShareRoutes.getFlowAcceptance, async ({ caller, params }) => ({
      ...(await acceptanceOf(await storage(), caller.userId, params.id)),
    })),
    route(flowShareRoutes.acceptFlow, async ({ caller, params, body }) => ({
      ...(await acceptFlow(await storage(), caller.userId, params.id, body.version)),
    })),
  ];
}
