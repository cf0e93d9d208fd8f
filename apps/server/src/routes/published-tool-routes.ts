import { publishedToolRoutes } from '../contract/published-tool-routes.ts';
import type { FlowComponents } from '../components/flow-components.ts';
import { toolNameOf } from '../flow-tools/tool-inputs.ts';
import { shapeOfFlow, storedShapeOf, type ToolShape } from '../flow-tools/tool-shape.ts';
import { requireFlow, type StoredFlow } from '../flows/get-flow.ts';
import { type PublishedTool, publishTool, readPublishedTool, unpublishTool } from '../flows/published-tools.ts';
import { Problem } from '../problem.ts';
import type { Db } from '../store/database.ts';
import { type Route, route } from './route.ts';

export interface PublishedToolOptions {
  readonly flowComponents: Pick<FlowComponents, 'forFlow'>;
  readonly storage: () => Promise<Db>;
}

/** Flows that their owners offer to agents as tools. */
export function makePublishedToolRoutes(options: PublishedToolOptions): Route[] {
  const { storage } = options;
  return [
    route(publishedToolRoutes.getPublishedTool, async ({ caller: { userId }, params }) => {
      const flow = await requireOwnFlow(await storage(), userId, params.id);
      const tool = await readPublishedTool(await storage(), userId, params.id);
      const shape = tool && (await shapeOfFlow(options, userId, flow.document));
      return { tool: tool && shape && shown(tool, shape), suggestion: toolNameOf(flow.name) };
    }),
    route(publishedToolRoutes.publishTool, async ({ caller: { userId }, params, body }) => {
      const flow = await requireOwnFlow(await storage(), userId, params.id);
      const shape = await shapeOfFlow(options, userId, flow.document);
      const tool = { flowId: params.id, ...body };
      return { tool: shown(await publishTool(await storage(), userId, tool, storedShapeOf(shape, flow)), shape) };
    }),
    route(publishedToolRoutes.unpublishTool, async ({ caller, params }) => ({
      removed: await unpublishTool(await storage(), caller.userId, params.id),
    })),
  ];
}

async function requireOwnFlow(db: Db, userId: string, flowId: string): Promise<StoredFlow> {
  const found = await requireFlow(db, userId, flowId);
  if (found.access !== 'owner') throw new Problem(403, 'forbidden', 'Only the owner of this flow can do this.');
  return found;
}

const shown = ({ name, description }: PublishedTool, { inputs }: ToolShape) => ({
  name,
  description,
  inputs: inputs.map(({ node, name: input, type, required, description: about }) => ({
    name: input,
    type,
    required,
    description: about,
    component_id: node,
  })),
});
