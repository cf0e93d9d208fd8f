import { checkConnection, connectPorts, type FlowDocument, type FlowEdge, type Registry, nodeTitle } from '@croft/flow';
import {
  type AssistantTool,
  failed,
  textOf,
  textParameters,
  type ToolContext,
  type ToolData,
} from './assistant-tool.ts';

/** Removes a step, and connects what led to it with what followed. For `croft/offline`. */
export const REMOVE_STEP: AssistantTool = {
  name: 'remove_step',
  description: 'Takes a step out of the flow, and connects the steps before and after it.',
  parameters: textParameters({ component_id: 'The id of the component.' }),
  label: () => 'Removing a step',
  run: (args, context) => removeStep(textOf(args, 'component_id'), context),
};

async function removeStep(id: string, { working, turn }: ToolContext): Promise<ToolData> {
  const flow = await working.read();
  const node = flow.nodes.find((each) => each.id === id);
  if (node === undefined) return failed(`There is no component '${id.slice(0, 100)}' on the canvas.`);
  const before = flow.edges.filter(({ to }) => to.node === id);
  const after = flow.edges.filter(({ from }) => from.node === id);
  await working.apply([{ kind: 'remove_component', id }]);
  const open: FlowEdge[] = [];
  for (const edge of after) {
    const rest = await working.read();
    const joined = joinedBy(before, edge, rest, turn.registry);
    if (joined === undefined) open.push(edge);
    else await working.apply(connectPorts(rest, turn.registry, joined));
  }
  const waiting = flow.nodes
    .filter((each) => open.some(({ to }) => to.node === each.id))
    .map((each) => `“${nodeTitle(each, turn.registry)}”`);
  const summary = [
    `Removed “${nodeTitle(node, turn.registry)}”.`,
    ...(waiting.length === 0 ? [] : [`Nothing leads to ${waiting.join(' and ')} now: connect it on the canvas.`]),
  ].join(' ');
  return { text: summary, summary };
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
