import { ADDS } from '@croft/tools';
import { listPublishedTools } from '../flows/published-tools.ts';
import type { Caller } from '../identity.ts';
import type { FlowToolOptions } from './flow-desk.ts';
import { type FlowTool, flowTool } from './flow-tool.ts';
import { outcomeOf, runOutput, startRun } from './started-run.ts';
import { shapeOfInputs, type ToolInput, toolInputsOf } from './tool-inputs.ts';

/** The flows that a user published, each as a tool. A call is a run like any other: it asks before it reaches the network. */
export async function publishedFlowTools(options: FlowToolOptions, { userId }: Caller): Promise<readonly FlowTool[]> {
  const tools: FlowTool[] = [];
  for (const { flowId, name, description, document } of await listPublishedTools(await options.storage(), userId)) {
    const { registry } = await options.flowComponents.forBuilding(userId, document);
    const inputs = toolInputsOf(document, registry);
    tools.push(
      flowTool({
        name,
        title:
          document.name
            .replace(/[\p{C}\s]+/gu, ' ')
            .trim()
            .slice(0, 100) || name,
        description,
        input: shapeOfInputs(inputs),
        output: runOutput,
        annotations: { ...ADDS, openWorldHint: true },
        undoable: false,
        run: async (given, call) =>
          outcomeOf(call, await startRun(call, flowId, { inputs: valuesOf(inputs, given) }), false),
      }),
    );
  }
  return tools;
}

function valuesOf(inputs: readonly ToolInput[], given: Readonly<Record<string, unknown>>) {
  const values: Record<string, Record<string, unknown>> = {};
  for (const { name, node, field } of inputs)
    if (given[name] !== undefined) values[node] = { ...values[node], [field]: given[name] };
  return values;
}
