import { connectPorts, type FlowDocument, typesFit } from '@croft/flow';
import { stepFor } from '../draft/from-components.ts';
import { readRequest } from '../draft/request-parts.ts';
import { newComponent } from '../flow-parts.ts';
import {
  type AssistantTool,
  failed,
  textOf,
  textParameters,
  type ToolContext,
  type ToolData,
} from './assistant-tool.ts';
import { WITHOUT_RULES } from './offline-help.ts';

/** Adds a step before the answer of the flow, or beside it where the step writes a file. For `croft/offline`. */
export const ADD_STEP: AssistantTool = {
  name: 'add_step',
  description: 'Adds a step or component that does something: add a component that counts, summarises or writes.',
  parameters: textParameters({ request: "The purpose of the step, in the user's own words." }),
  label: () => 'Adding a step',
  run: (args, context) => addStep(textOf(args, 'request'), context),
};

async function addStep(request: string, context: ToolContext): Promise<ToolData> {
  const { working, turn } = context;
  const flow = await working.read();
  const shown = answerOf(flow);
  if (shown === undefined) return failed('The flow has no Chat output to add the step before. Build a flow first.');
  const step = stepFor(readRequest(request), turn.registry);
  if (step === undefined)
    return failed(
      `No component that I know does this: “${request.slice(0, 200)}”. Write, for example: add a step that writes the result to out.txt. ${WITHOUT_RULES}`,
    );
  const { descriptor, config, input } = step;
  const source = flow.nodes.find(({ id }) => id === shown.from.node);
  const given = turn.registry.get(source?.type ?? '')?.descriptor.outputs.find(({ name }) => name === shown.from.port);
  const label = descriptor.label;
  if (!typesFit(given?.types ?? [], input.accepts ?? []))
    return failed(`${label} cannot take what the flow shows. Add it on the canvas, with a converter before it.`);
  const isBranch = descriptor.category === 'files';
  const answer = turn.registry.get('ChatOutput')?.descriptor.fields.find(({ name }) => name === shown.to.port);
  const output = descriptor.outputs.find(({ types }) => typesFit(types, answer?.accepts ?? []));
  if (!isBranch && output === undefined) return failed(`${label} gives nothing that the flow can show.`);
  const node = newComponent(flow, turn.registry, descriptor.type);
  if ('error' in node) return failed(node.error);
  await working.apply([{ kind: 'add_component', node: { ...node, values: config } }]);
  const connect = async (edge: Parameters<typeof connectPorts>[2]) =>
    working.apply(connectPorts(await working.read(), turn.registry, edge));
  if (!isBranch) await working.apply([{ kind: 'disconnect', edge: shown }]);
  await connect({ from: shown.from, to: { node: node.id, port: input.name } });
  if (!isBranch && output !== undefined) await connect({ from: { node: node.id, port: output.name }, to: shown.to });
  const value = Object.values(config).find((each) => typeof each === 'string');
  const summary = `Added “${label}”${value === undefined ? '' : ` with ${value}`}.`;
  return { text: summary, summary };
}

/** The connection that brings the answer of the flow. */
function answerOf({ nodes, edges }: FlowDocument) {
  const ids = new Set(nodes.filter(({ type }) => type === 'ChatOutput').map(({ id }) => id));
  return edges.find(({ to }) => ids.has(to.node));
}
