import {
  checkConnection,
  connectPorts,
  type FlowDocument,
  type FlowEdge,
  type FlowNode,
  type Registry,
  nodeTitle,
} from '@croft/flow';
import { readFlowRequest } from '../draft/flow-request.ts';
import { removalIn } from '../draft/removal.ts';
import { stemsOf } from '../draft/words.ts';
import {
  type AssistantTool,
  failed,
  next,
  textOf,
  textParameters,
  type ToolContext,
  type ToolData,
} from './assistant-tool.ts';

/** Removes steps, and connects what led to each with what followed. For `croft/offline`. */
export const REMOVE_STEP: AssistantTool = {
  name: 'remove_step',
  description: 'Takes a step out of the flow, and connects the steps before and after it.',
  parameters: textParameters({ request: 'The message that names the steps.' }),
  label: () => 'Removing a step',
  run: (args, context) => removeSteps(textOf(args, 'request'), context),
};

async function removeSteps(message: string, { working, turn, notes }: ToolContext): Promise<ToolData> {
  const { request, run } = readFlowRequest(message);
  const flow = await working.read();
  const { ids, leftOut } = removalIn(request, flow, turn.registry) ?? { ids: [], leftOut: [request] };
  notes.leftOut.push(...leftOut);
  const rest = { nodes: flow.nodes.filter(({ id }) => !ids.includes(id)) };
  const note = leftOut.length === 0 ? '' : notRemoved(leftOut, rest, turn.registry);
  if (ids.length === 0) return failed(note);
  const sentences: string[] = [];
  for (const node of flow.nodes.filter(({ id }) => ids.includes(id)))
    sentences.push(await removed(node, working, turn));
  const summary = sentences.join(' ');
  if (note !== '') return { text: summary, summary, note, ends_request: true };
  return { text: summary, summary, ...(run && next('run_flow', {})) };
}

/** The reply about things that only a person removes. */
function notRemoved(parts: readonly string[], { nodes }: Pick<FlowDocument, 'nodes'>, registry: Registry): string {
  const words = new Set(parts.flatMap(stemsOf));
  const titles = nodes
    .filter(({ type }) => registry.get(type)?.descriptor.boundary === undefined)
    .map((node) => nodeTitle(node, registry));
  const example = titles.find((each) => stemsOf(each).some((stem) => words.has(stem))) ?? titles[0];
  const how =
    example === undefined
      ? ''
      : ` To take a component out, name it, for example: remove the ${example} component. To leave rows or lines out of the result, write, for example: add a step that drops the lines that contain "…".`;
  return `Not removed: ${parts.map((each) => `“${each.slice(0, 200)}”`).join(', ')}. croft/offline takes only components that you name out of the flow, and deletes no files, rows or flows: delete files on the page Files, or in their directory.${how}`;
}

/** Removes one component; says so in a sentence, with the components that nothing leads to any more. */
async function removed(
  node: FlowNode,
  working: ToolContext['working'],
  { registry }: ToolContext['turn'],
): Promise<string> {
  const flow = await working.read();
  const { id } = node;
  const before = flow.edges.filter(({ to }) => to.node === id);
  const after = flow.edges.filter(({ from }) => from.node === id);
  await working.apply([{ kind: 'remove_component', id }]);
  const open: FlowEdge[] = [];
  for (const edge of after) {
    const rest = await working.read();
    const joined = joinedBy(before, edge, rest, registry);
    if (joined === undefined) open.push(edge);
    else await working.apply(connectPorts(rest, registry, joined));
  }
  const waiting = flow.nodes
    .filter((each) => open.some(({ to }) => to.node === each.id))
    .map((each) => `“${nodeTitle(each, registry)}”`);
  return [
    `Removed “${nodeTitle(node, registry)}”.`,
    ...(waiting.length === 0 ? [] : [`Nothing leads to ${waiting.join(' and ')} now: connect it.`]),
  ].join(' ');
}

/** The connection from the only step before the removed one to a step after it; undefined where the ports do not fit. */
function joinedBy(
  [first, ...others]: readonly FlowEdge[],
  { to }: FlowEdge,
  flow: FlowDocument,
  registry: Registry,
): FlowEdge | undefined {
  if (first === undefined || others.length > 0) return undefined;
  const edge = { from: first.from, to };
  const nodes = new Map(flow.nodes.map((node) => [node.id, node]));
  return checkConnection(nodes, registry, edge).problem === undefined ? edge : undefined;
}
