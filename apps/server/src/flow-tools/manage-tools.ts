import { emptyFlow } from '@croft/flow';
import { type Actor, ADDS, READS, REPLACES } from '@croft/tools';
import { z } from 'zod';
import { flowDescription, flowName } from '../contract/flow-fields.ts';
import { actorOf } from '../files/actor-of.ts';
import { onRecord } from '../files/on-record.ts';
import { sendFlowChange } from '../flows/announce-flow.ts';
import { duplicateFlow } from '../flows/create-flow.ts';
import { deleteFlow } from '../flows/deleted-flows.ts';
import { listWholeFlows } from '../flows/list-flows.ts';
import { exportedFlow } from '../flows/read-flow.ts';
import { createOnDesk, editOnDesk, type FlowDesk, made, type OpenFlow, openFlow } from './flow-desk.ts';
import { flowTool, refuse } from './flow-tool.ts';
import { anyObject, flowHead, flowId, flowInfo, flowShape, headOf, ifRevision, infoOf, shapeOf } from './shown.ts';

const PAGE = 20;
/** Of the documents of a page, which are parsed and drawn without a pause. */
const MAX_PAGE_BYTES = 512 * 1024;

/** Tools over whole flows. */
export const MANAGE_TOOLS = [
  flowTool({
    name: 'create_flow',
    title: 'Create flow',
    description: 'Creates an empty flow. To create it with components, use create_flow_from_spec.',
    input: { name: flowName.default('Untitled flow'), description: flowDescription.default('') },
    output: flowHead,
    annotations: ADDS,
    run: async ({ name, description }, { desk }) =>
      headOf(await createOnDesk(desk, { ...emptyFlow(name), description })),
  }),
  flowTool({
    name: 'list_flows',
    title: 'List flows',
    description: 'Lists flows, the latest change first, each with its components and connections and without values.',
    input: {
      query: z.string().max(200).optional().describe('Part of the name.'),
      cursor: z.string().max(200).optional().describe('next_cursor of the page before.'),
    },
    output: {
      result: z.array(z.object({ ...flowHead, ...flowShape })),
      next_cursor: z.string().optional(),
    },
    annotations: READS,
    async run({ query, cursor }, { desk }) {
      const { options, caller } = desk;
      const asked = { limit: PAGE, search: query, cursor, maxBytes: MAX_PAGE_BYTES };
      const page = await listWholeFlows(await options.storage(), caller.userId, asked);
      const result = page.flows.map(({ id, version, document }) => ({
        ...headOf({ ...document, id, version }),
        ...shapeOf(document),
      }));
      return { result, ...(page.nextCursor !== null && { next_cursor: page.nextCursor }) };
    },
  }),
  flowTool({
    name: 'get_flow_info',
    title: 'Get flow',
    description: 'Reads a flow: its components, connections, inputs and outputs, without values.',
    input: { flow_id: flowId },
    output: flowInfo,
    annotations: READS,
    run: async ({ flow_id }, { desk }) => infoOf(await openFlow(desk, flow_id)),
  }),
  flowTool({
    name: 'rename_flow',
    title: 'Rename flow',
    description: 'Changes the name of a flow, or its description.',
    input: {
      flow_id: flowId,
      name: flowName.optional(),
      description: flowDescription.optional(),
      if_revision: ifRevision,
    },
    output: flowHead,
    annotations: ADDS,
    async run({ flow_id, name, description, if_revision }, { desk }) {
      if (name === undefined && description === undefined) throw refuse('Give a name or a description.');
      await editOnDesk(desk, flow_id, { revision: if_revision }, () => [{ kind: 'set_details', name, description }]);
      return headOfOpen(await openFlow(desk, flow_id));
    },
  }),
  flowTool({
    name: 'export_flow',
    title: 'Export flow',
    description: 'Gives a flow as JSON, without its secrets. `removed` names the places of secrets.',
    input: { flow_id: flowId },
    output: { flow: anyObject, removed: z.array(anyObject), revision: z.number() },
    annotations: READS,
    async run({ flow_id }, { desk }) {
      const { document, version } = await openFlow(desk, flow_id);
      const { flow, removed } = await exportedFlow(desk.options, desk.caller.userId, document);
      return { flow, removed, revision: version };
    },
  }),
  flowTool({
    name: 'delete_flow',
    title: 'Delete flow',
    description:
      "Deletes a flow. Its JSON without secrets is kept in the user's files, from where it can be imported; `kept_as` names the file.",
    input: { flow_id: flowId, if_revision: ifRevision },
    output: { deleted: z.string(), kept_as: z.string() },
    annotations: REPLACES,
    undoable: false,
    async run({ flow_id, if_revision }, { desk }) {
      const flow = await openFlow(desk, flow_id);
      if (flow.access !== 'owner') throw refuse('Only the owner of this flow can do this.');
      if (if_revision !== undefined && if_revision !== flow.version)
        throw refuse(`The flow has revision ${flow.version} now, and not ${if_revision}. Read it again.`);
      const kept = await keepFile(desk, flow);
      const { options, caller } = desk;
      const { notice } = await deleteFlow(await options.storage(), caller.userId, flow_id);
      options.recordAudit?.({ action: 'deleteFlow', outcome: 'ok', targets: [flow_id] });
      sendFlowChange(options.events, notice);
      await options.queuedRuns.removeSchedulesOf({ flowId: flow_id });
      return { deleted: flow_id, kept_as: kept };
    },
  }),
  flowTool({
    name: 'duplicate_flow',
    title: 'Duplicate flow',
    description: 'Copies a flow. The copy has the same name with (copy).',
    input: { flow_id: flowId },
    output: flowHead,
    annotations: ADDS,
    async run({ flow_id }, { desk }) {
      const { options, caller } = desk;
      return headOf(await made(desk, duplicateFlow(await options.storage(), caller.userId, flow_id)));
    },
  }),
  flowTool({
    name: 'notify_done',
    title: 'Say that you are done',
    description: 'Tells the user, who may have the flow open, that you have finished, with a summary of your changes.',
    input: { flow_id: flowId, summary: z.string().min(1).max(2_000) },
    output: { notified: z.string() },
    annotations: ADDS,
    undoable: false,
    async run({ flow_id, summary }, { desk }) {
      const { id } = await openFlow(desk, flow_id);
      desk.options.events.send(desk.caller.userId, { event: 'flow_settled', data: { id, summary } });
      return { notified: id };
    },
  }),
];

const headOfOpen = ({ id, version, document }: OpenFlow) => headOf({ ...document, id, version });

/** Writes a flow that is deleted into the caller's files. Returns the path there. @throws WorkspaceError */
async function keepFile({ options, caller, client }: FlowDesk, { id, document }: OpenFlow): Promise<string> {
  const { flow } = await exportedFlow(options, caller.userId, document);
  const words = flow.name.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '');
  // Whole characters, of at most four bytes each.
  const name = [...words].slice(0, 50).join('') || 'flow';
  const path = `deleted-flows/${name}-${id.slice(0, 8)}.json`;
  const actor: Actor = { ...actorOf(caller), via: 'mcp', client: client ?? null };
  const { workspace, namespaceOf } = options.files.open(caller.userId);
  await onRecord(options, namespaceOf(path), { actor, tool: 'delete_flow', paths: [path] }, (journal) =>
    workspace.write(path, `${JSON.stringify(flow, undefined, 2)}\n`, { journal }),
  );
  return path;
}
