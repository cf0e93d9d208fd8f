import {
  connectPorts,
  type Descriptor,
  type Field,
  type FlowDocument,
  type FlowEdge,
  type Registry,
  nodeTitle,
  typesFit,
} from '@croft/flow';
import { refused } from '../component-values.ts';
import { hasCondition } from '../draft/approval.ts';
import { writeAfterApproval } from '../draft/approval-before.ts';
import { uncovered, vocabularyOf, wordsOfValues } from '../draft/coverage.ts';
import { readFlowRequest } from '../draft/flow-request.ts';
import { inputOf } from '../draft/chain.ts';
import { openFields } from '../draft/best-step.ts';
import { columnsIn } from '../draft/column-names.ts';
import { isMiddle, stepFor } from '../draft/from-components.ts';
import { componentNamedIn } from '../draft/named-component.ts';
import { readRequest, type RequestParts } from '../draft/request-parts.ts';
import { fitsFile, FILE_NAME, otherForm, portForFile, WRITER } from '../draft/file-form.ts';
import { newComponent } from '../flow-parts.ts';
import { addApproval } from './add-approval.ts';
import {
  type AssistantTool,
  failed,
  next,
  textOf,
  textParameters,
  type ToolContext,
  type ToolData,
} from './assistant-tool.ts';
import { cannotDo, EXAMPLES, notBuilt, WITHOUT_RULES } from './offline-help.ts';

/** Adds a step before the answer of the flow, or beside it where the step writes a file. For `croft/offline`. */
export const ADD_STEP: AssistantTool = {
  name: 'add_step',
  description: 'Adds a step or component that does something: add a component that counts, summarises or writes.',
  parameters: textParameters({ request: "The purpose of the step, in the user's own words." }),
  label: () => 'Adding a step',
  run: (args, context) => addStep(textOf(args, 'request'), context),
};

/** Words that only refer to the flow that there is. */
const BESIDES = /\s*,?\s\b(?:as well|also|too)\b/gi;

async function addStep(message: string, context: ToolContext): Promise<ToolData> {
  const { request, run } = readFlowRequest(message.replace(BESIDES, ''));
  const { working, turn, notes } = context;
  const flow = await working.read();
  const shown = answerOf(flow);
  const named = componentNamedIn(request, turn.registry);
  if (named !== undefined && startsFlow(named)) return addStarter(named, run, context);
  if (flow.nodes.length === 0) return failed(named === undefined ? cannotDo(request, turn) : needsFlow(named));
  if (shown === undefined) return failed('The flow has no Chat output to add the step before. Add one first.');
  const parts = readRequest(request);
  if (writeAfterApproval(parts) !== undefined) return addApproval(parts, run, context);
  const step = stepWith(named, stepFor(parts, turn.registry, columnsIn(flow)));
  if (step === undefined) return failed(notAdded(request, named));
  const { descriptor, config, input } = step;
  const source = flow.nodes.find(({ id }) => id === shown.from.node);
  const given = turn.registry.get(source?.type ?? '')?.descriptor.outputs.find(({ name }) => name === shown.from.port);
  const label = descriptor.label;
  if (!typesFit(given?.types ?? [], input.accepts ?? []))
    return failed(
      `“${label}” cannot take what the flow shows. Add it from the palette of the canvas, with a converter before it.`,
    );
  const isBranch = descriptor.category === 'files';
  const file = textOf(config, FILE_NAME);
  const from = portForFile(file, shown.from, flow, { registry: turn.registry, isOwnText: true });
  if (file !== '' && !fitsFile(file, from, flow, { registry: turn.registry, parts })) {
    notes.leftOut.push(request);
    return { ...failed(`Nothing was added: ${otherForm([file])}`), ends_request: true };
  }
  const takers = flow.edges.filter(({ from }) => from.node === shown.from.node && from.port === shown.from.port);
  const moved = isBranch ? [] : takers.flatMap((edge) => movedTo(edge, descriptor, flow, turn.registry));
  if (!isBranch && !moved.some(({ edge }) => edge === shown))
    return failed(
      `“${label}” gives nothing that the flow can show. Add it from the palette of the canvas, and connect it there.`,
    );
  const missing = descriptor === named ? [] : leftOutOf(parts, step, flow, turn.registry);
  if (hasCondition(missing) && descriptor.effects.some((effect) => effect.endsWith('-write'))) {
    notes.leftOut.push(request);
    return failed(
      `Nothing was added: without ${missing.map((each) => `“${each}”`).join(', ')}, which I do not know how to carry out, ${label} would do more than you asked for. ${WITHOUT_RULES}`,
    );
  }
  const node = newComponent(flow, turn.registry, descriptor.type);
  if ('error' in node) return refused(node);
  await working.apply([{ kind: 'add_component', node: { ...node, values: config } }]);
  const connect = async (edge: Parameters<typeof connectPorts>[2]) =>
    working.apply(connectPorts(await working.read(), turn.registry, edge));
  await working.apply(moved.map(({ edge }) => ({ kind: 'disconnect', edge })));
  await connect({ from, to: { node: node.id, port: input.name } });
  for (const { edge, output } of moved) await connect({ from: { node: node.id, port: output }, to: edge.to });
  const nameOf = ({ to }: FlowEdge) => {
    const found = flow.nodes.find(({ id }) => id === to.node);
    return `“${found ? nodeTitle(found, turn.registry) : to.node}”`;
  };
  const values = Object.values(config).filter((each) => typeof each === 'string');
  const before = moved.map(({ edge }) => nameOf(edge)).join(' and ');
  const others = isBranch ? [] : takers.filter((edge) => moved.every((each) => each.edge !== edge));
  const summary = [
    `Added “${label}”${values.length === 0 ? '' : ` with ${values.join(' ')}`}${parts.appends ? ', adding to its end' : ''}${isBranch ? '' : `, before ${before}`}.`,
    ...(others.length === 0 ? [] : [`Still without this step: ${others.map(nameOf).join(' and ')}.`]),
  ].join(' ');
  const open = openFields(descriptor, config).filter(({ name }) => name !== input.name);
  if (open.length > 0) return added(summary, open, run, context);
  notes.leftOut.push(...missing);
  const note = notBuilt(missing);
  if (note !== '') return { text: summary, summary, note, ends_request: true };
  return { text: summary, summary, ...(run && next('run_flow', {})) };
}

/** The component that a message names, without values, unless the rules read a step of that component from it. */
function stepWith(named: Descriptor | undefined, read: ReturnType<typeof stepFor>): typeof read {
  if (named === undefined || read?.descriptor === named) return read;
  const input = inputOf(named);
  // A file that is changed or deleted at a place that a flow gives is the user's to connect.
  if (input === undefined || !(isMiddle(named) || named.type === WRITER)) return undefined;
  return { descriptor: named, input, config: {}, read: [] };
}

/** Whether a component starts a flow: it works without an input. */
const startsFlow = (named: Descriptor): boolean =>
  named.control === undefined &&
  named.outputs.length > 0 &&
  !(isMiddle(named) && inputOf(named) !== undefined) &&
  named.type !== WRITER &&
  openFields(named, {}).every(({ kind }) => kind !== 'handle');

const notAdded = (request: string, named: Descriptor | undefined): string =>
  named === undefined
    ? `I have no rule for this: “${request.slice(0, 200)}”. Write, for example: add a step that writes the result to out.txt. Or name a component by its title: add a Sort rows component. ${WITHOUT_RULES}`
    : `No place for “${named.label}” in this flow is clear, so nothing was added. Add it from the palette of the canvas, and connect it there.`;

const needsFlow = ({ label }: Descriptor): string =>
  `The flow is empty, so “${label}” has nothing to work on. Write first, for example: ${EXAMPLES[0]}. Or add it from the palette of the canvas.`;

async function addStarter(descriptor: Descriptor, run: boolean, context: ToolContext): Promise<ToolData> {
  const { working, turn } = context;
  const node = newComponent(await working.read(), turn.registry, descriptor.type);
  if ('error' in node) return refused(node);
  await working.apply([{ kind: 'add_component', node }]);
  const summary = `Added “${descriptor.label}”, without a connection. Connect its output.`;
  return added(summary, openFields(descriptor, {}), run, context);
}

/** The result for a component that has required fields without a value: it does not run yet. */
function added(summary: string, open: readonly Field[], run: boolean, { notes }: ToolContext): ToolData {
  const fields = open.map(({ label }) => `“${label}”`).join(', ');
  const set = open.length === 0 ? '' : ` Set ${fields} in the inspector.`;
  if (!run) return { text: `${summary}${set}`, summary: `${summary}${set}` };
  notes.leftOut.push('run it');
  const first = open.length === 0 ? 'connect it' : `set ${fields} in the inspector`;
  return { text: summary, summary, note: `Not run: ${first} first.`, ends_request: true };
}

/** The parts of a request that neither the step nor the flow carries out. */
function leftOutOf(
  parts: RequestParts,
  { descriptor, config, read }: NonNullable<ReturnType<typeof stepFor>>,
  { nodes }: FlowDocument,
  registry: Registry,
): readonly string[] {
  const types = [descriptor, ...nodes.flatMap(({ type }) => registry.get(type)?.descriptor ?? [])];
  const words = new Set([...types.flatMap(vocabularyOf), ...wordsOfValues(config)]);
  return uncovered(parts, { words, values: Object.values(config), takesMessage: true }, read);
}

/** A connection that can begin at a step instead, with the output of the step that it begins at. */
function movedTo(edge: FlowEdge, step: Descriptor, { nodes }: FlowDocument, registry: Registry) {
  const target = nodes.find(({ id }) => id === edge.to.node);
  const accepts = registry
    .get(target?.type ?? '')
    ?.descriptor.fields.find(({ name }) => name === edge.to.port)?.accepts;
  const output = step.outputs.find(({ types }) => typesFit(types, accepts ?? []))?.name;
  return output === undefined ? [] : [{ edge, output }];
}

/** The connection that brings the answer of the flow. */
function answerOf({ nodes, edges }: FlowDocument) {
  const ids = new Set(nodes.filter(({ type }) => type === 'ChatOutput').map(({ id }) => id));
  return edges.find(({ to }) => ids.has(to.node));
}
