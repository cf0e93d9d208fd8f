import type { ServedResources } from '@croft/mcp';
import type { AnyTool } from '@croft/tools';
import { listFlows } from '../flows/list-flows.ts';
import { getFlow } from '../flows/get-flow.ts';
import { exportedFlow } from '../flows/read-flow.ts';
import type { Caller } from '../identity.ts';
import { ASSISTANT_TOOLS } from './assistant-tools.ts';
import { batchTool } from './batch-tool.ts';
import { CATALOGUE_TOOLS, SEARCH_TOOLS } from './catalogue-tools.ts';
import { COMPONENT_TOOLS } from './component-tools.ts';
import { type FlowToolOptions, openDesk } from './flow-desk.ts';
import { type FlowTool, toMcpTool } from './flow-tool.ts';
import { GRAPH_TOOLS } from './graph-tools.ts';
import { MANAGE_TOOLS } from './manage-tools.ts';
import { RUN_TOOLS } from './run-tools.ts';
import { SPEC_TOOLS } from './spec-tools.ts';
import { STARTER_TOOLS, TEMPLATE_TOOLS } from './template-tools.ts';

/** The toolsets over flows. `all` has the names of older clients too. */
export const FLOW_TOOLSETS = ['core', 'all'] as const;
export type FlowToolsetName = (typeof FLOW_TOOLSETS)[number];

const CORE: readonly FlowTool[] = [
  ...MANAGE_TOOLS,
  ...SPEC_TOOLS,
  ...STARTER_TOOLS,
  ...COMPONENT_TOOLS,
  ...CATALOGUE_TOOLS,
  ...RUN_TOOLS,
  ...ASSISTANT_TOOLS,
];
const ALL: readonly FlowTool[] = [...CORE, ...SEARCH_TOOLS, ...TEMPLATE_TOOLS, ...GRAPH_TOOLS];

/** The tools of each toolset. */
export const FLOW_TOOLS: Readonly<Record<FlowToolsetName, readonly FlowTool[]>> = {
  core: [...CORE, batchTool(CORE)],
  all: [...ALL, batchTool(ALL)],
};

/** The tools of one caller, without the flows that the caller published. Each call gets a desk of its own. */
export const callerTools = (options: FlowToolOptions, caller: Caller, toolset: FlowToolsetName): readonly AnyTool[] =>
  FLOW_TOOLS[toolset].map((tool) => toMcpTool(tool, (client) => openDesk(options, caller, client)));

const URI = /^croft:\/\/flows\/([^/]+)$/;
const PAGE = 100;

/** The caller's flows as resources: JSON without secrets. */
export function flowResources(options: FlowToolOptions, { userId }: Caller): ServedResources {
  return {
    template: {
      uriTemplate: 'croft://flows/{id}',
      name: 'flow',
      description: 'A flow as JSON, without secrets.',
      mimeType: 'application/json',
    },
    async list(cursor) {
      const { flows, nextCursor } = await listFlows(await options.storage(), userId, { limit: PAGE, cursor });
      const resources = flows.map(({ id, name, description }) => ({
        uri: `croft://flows/${id}`,
        name,
        ...(description !== '' && { description: description.slice(0, 200) }),
      }));
      return { resources, ...(nextCursor !== null && { nextCursor }) };
    },
    async read(uri) {
      const id = URI.exec(uri)?.[1];
      const found = id === undefined ? undefined : await getFlow(await options.storage(), userId, id);
      if (found === undefined) return undefined;
      const { flow } = await exportedFlow(options, userId, found.document);
      return JSON.stringify({ id: found.id, revision: found.version, flow });
    },
  };
}
