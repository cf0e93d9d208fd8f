import { publishedToolRoutes } from '../contract/published-tool-routes.ts';
import type { FlowComponents } from '../components/flow-components.ts';
import { toolInputsOf, toolNameOf } from '../flow-tools/tool-inputs.ts';
import { requireFlow } from '../flows/get-flow.ts';
import { type PublishedTool, publishTool, readPublishedTool, unpublishTool } from '../flows/published-tools.ts';
import type { Db } from '../store/database.ts';
import { type Route, route } from './route.ts';

export interface PublishedToolOptions {
  readonly flowComponents: Pick<FlowComponents, 'forBuilding'>;
  readonly storage: () => Promise<Db>;
}

/** Flows that their owners offer to agents as tools. */
export function makePublishedToolRoutes({ flowComponents, storage }: PublishedToolOptions): Route[] {
  const shown = async (userId: string, { flowId, name, description }: PublishedTool) => {
    const { document } = await requireFlow(await storage(), userId, flowId);
    const { registry } = await flowComponents.forBuilding(userId, document);
    const inputs = toolInputsOf(document, registry).map(
      ({ node, name: input, type, required, description: about }) => ({
        name: input,
        type,
        required,
        description: about,
        component_id: node,
      }),
    );
    return { name, description, inputs };
  };
  return [
    route(publishedToolRoutes.getPublishedTool, async ({ caller, params }) => {
      const tool = await readPublishedTool(await storage(), caller.userId, params.id);
      const { name } = await requireFlow(await storage(), caller.userId, params.id);
      return { tool: tool && (await shown(caller.userId, tool)), suggestion: toolNameOf(name) };
    }),
    route(publishedToolRoutes.publishTool, async ({ caller, params, body }) => {
      const tool = await publishTool(await storage(), caller.userId, { flowId: params.id, ...body });
      return { tool: await shown(caller.userId, tool) };
    }),
    route(publishedToolRoutes.unpublishTool, async ({ caller, params }) => ({
      removed: await unpublishTool(await storage(), caller.userId, params.id),
    })),
  ];
}
