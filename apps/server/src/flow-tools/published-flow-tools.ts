import type { FlowDocument, Registry } from '@croft/flow';
import type { StoredTools } from '@croft/mcp';
import { REPLACES } from '@croft/tools';
import { approvedFlowFrom } from '../flow-runs/start-stored-flow.ts';
import { type ListedTool, listPublishedTools } from '../flows/published-tools.ts';
import type { Caller } from '../identity.ts';
import { type FlowToolOptions, openDesk } from './flow-desk.ts';
import { type FlowTool, flowTool, type FlowToolCall, refuse, toMcpTool } from './flow-tool.ts';
import { outcomeOf, runOutput, startFlow } from './started-run.ts';
import { linkTo } from './template-tools.ts';
import { shapeOfInputs, type ToolInput, toolInputsOf } from './tool-inputs.ts';
import type { ToolShape, ToolShapes } from './tool-shape.ts';

/** The flows that a user published, each as a tool. Reads documents only where a flow changed, or for the tool of a call. */
export function publishedFlowTools(options: FlowToolOptions, caller: Caller, shapes: ToolShapes): StoredTools {
  const { userId } = caller;
  const read = async (name?: string) => {
    const listed = await listPublishedTools(await options.storage(), userId, name);
    const known = await shapes.of(userId, listed);
    return listed.flatMap((tool, index) => {
      const shape = known[index];
      return shape === undefined
        ? []
        : [toMcpTool(publishedFlowTool(tool, shape), (client) => openDesk(options, caller, client))];
    });
  };
  return { list: () => read(), find: async (name) => (await read(name))[0] };
}

/** A call is a run at a version that the owner accepted. Like any other run, it asks before it reaches the network. */
const publishedFlowTool = ({ flowId, name, description }: ListedTool, { title, inputs }: ToolShape): FlowTool =>
  flowTool({
    name,
    title: title || name,
    description,
    input: shapeOfInputs(inputs),
    output: runOutput,
    // A flow may overwrite and delete files.
    annotations: { ...REPLACES, openWorldHint: true },
    undoable: false,
    run: async (given, call) => outcomeOf(call, await startPublished(call, flowId, given), false),
  });

function startPublished(call: FlowToolCall, flowId: string, given: Readonly<Record<string, unknown>>) {
  const { options } = call.desk;
  const page = `${linkTo(call.desk, flowId)}/use`;
  const refusal = () =>
    refuse(
      `Not run: another user changed this flow, and it runs only at a version that the user accepted. Ask the user to check the flow and to accept it on this page: ${page}`,
    );
  const values = (flow: FlowDocument, registry: Registry) => ({
    inputs: valuesOf(toolInputsOf(flow, registry), given),
  });
  return startFlow(call, { flowId, values }, approvedFlowFrom(options.storage, refusal));
}

function valuesOf(inputs: readonly ToolInput[], given: Readonly<Record<string, unknown>>) {
  const values: Record<string, Record<string, unknown>> = {};
  const known = new Map(inputs.map((input) => [input.name, input]));
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    const input = known.get(name);
    if (input === undefined) throw refuse(`The flow changed and has no input ${name} now. List the tools again.`);
    values[input.node] = { ...values[input.node], [input.field]: value };
  }
  return values;
}
