import { flowTagRoutes } from '../contract/flow-tag-routes.ts';
import { sendFlowChange } from '../flows/announce-flow.ts';
import { listTags, setTags } from '../flows/flow-tags.ts';
import type { FlowRouteOptions } from './flow-routes.ts';
import { type Route, route } from './route.ts';

/** Tags of flows. */
export function makeFlowTagRoutes({ storage, events }: FlowRouteOptions): Route[] {
  return [
    route(flowTagRoutes.listFlowTags, async ({ caller }) => ({
      tags: await listTags(await storage(), caller.userId),
    })),
    route(flowTagRoutes.setFlowTags, async ({ caller, params, body }) => {
      const { tags, notice } = await setTags(await storage(), {
        userId: caller.userId,
        flowId: params.id,
        tags: body.tags,
      });
      sendFlowChange(events, notice);
      return { tags };
    }),
  ];
}
