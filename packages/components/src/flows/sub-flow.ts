import type { FlowTool, NodeCall, Outputs } from '@croft/flow';
import { callKey } from '@croft/flow';
import { ComponentError, type CroftComponent, type Services } from '../services.ts';
import { isRow, joinTexts, message, type Row, toData, toRows, toText } from '../values.ts';
import { FLOW_FIELD, type FoundFlow, refuseCircles } from './flow-library.ts';
import { inputsFor, toolInputsOf } from './flow-inputs.ts';
import { runInside } from './run-inside.ts';

const TYPE = 'RunFlow';
/** Of a flow as JSON. In memory, a flow takes up to twenty times as many bytes. */
const MAX_CHARACTERS = 2 * 1024 * 1024;

/** Another flow of the user, as one component or as a tool. */
export const subFlow: CroftComponent = {
  descriptor: {
    type: TYPE,
    label: 'Run flow',
    description:
      'Runs another of your flows with a message, and gives its result. As a tool, an agent can run the flow.',
    category: 'logic',
    icon: 'workflow',
    keywords: ['sub-flow', 'subflow', 'nested', 'reuse', 'tool'],
    aliases: ['SubFlow', 'FlowTool'],
    // The other flow decides which of them happen.
    effects: ['model', 'code', 'network-write', 'workspace-write', 'database-write'],
    control: 'flow',
    tool: true,
    fields: [
      {
        name: FLOW_FIELD,
        label: 'Flow',
        kind: 'flow',
        required: true,
        variables: false,
        help: 'The name or id of a flow; with croft run, a file of the directory. The name of a template runs that template.',
      },
      { name: 'input_value', label: 'Message', kind: 'multiline', accepts: ['Message'], toolParameter: true },
      {
        name: 'inputs',
        label: 'Other inputs',
        kind: 'json',
        schema: { type: 'object' },
        accepts: ['Data'],
        default: {},
        advanced: true,
        help: 'Values for inputs of the flow: {"NODE.FIELD": value}.',
      },
    ],
    outputs: [
      { name: 'message', label: 'Text', types: ['Message'] },
      { name: 'data', label: 'Data', types: ['Data'], help: 'the result; of several, each under its component' },
      { name: 'dataframe', label: 'Rows', types: ['Table'] },
    ],
  },
  async *run(call) {
    const { inputs } = call;
    const leave = await takeSlot(call);
    try {
      const found = await flowFor(call);
      const text = inputs['input_value'] === undefined ? undefined : toText(inputs['input_value']);
      const given = inputsFor(found, text, isRow(inputs['inputs']) ? inputs['inputs'] : {});
      return resultOf(found, yield* runInside(found, given, call));
    } finally {
      leave();
    }
  },
  async tools(call) {
    const leave = await takeSlot(call);
    try {
      return [toolFor(await flowFor(call), call)];
    } finally {
      leave();
    }
  },
};

async function takeSlot({ services: { flows }, signal }: NodeCall<Services>): Promise<() => void> {
  return (await flows?.slots.take(flows.underWay.length, signal)) ?? (() => undefined);
}

/** @throws ComponentError where the flow does not exist, is too large, or is under way already */
async function flowFor({ inputs, services: { flows } }: NodeCall<Services>): Promise<FoundFlow<Services>> {
  if (flows === undefined)
    throw new ComponentError('This run has no other flows.', 'Run the flow with croft run or on a server.');
  const name = toText(inputs[FLOW_FIELD]).trim();
  const found = name === '' ? undefined : await flows.find(name);
  if (found === undefined) {
    const names = await flows.names();
    throw new ComponentError(
      `There is no flow '${name}'.`,
      names.length === 0 ? 'Create the flow first.' : `Choose one of these: ${names.join(', ')}.`,
    );
  }
  if (JSON.stringify(found.flow).length > MAX_CHARACTERS)
    throw new ComponentError(
      `The flow '${name}' has more than ${MAX_CHARACTERS} characters, too many to run inside of another one.`,
      'Run it by itself, or split it.',
    );
  await refuseCircles(flows, found, TYPE);
  return found;
}

/** Several results are one record, by component. */
function resultOf({ flow }: FoundFlow<Services>, outputs: Readonly<Record<string, Outputs>>): Outputs {
  const results = flow.nodes.flatMap(({ id }) => {
    const own = Object.hasOwn(outputs, id) ? (outputs[id] as Outputs) : {};
    const values = Object.values(own);
    return values.length === 0 ? [] : [[id, values.length === 1 ? values[0] : own] as const];
  });
  const values = results.map(([, value]) => value);
  return {
    message: message(joinTexts(values, '\n', toText)),
    data: results.length === 1 ? toData(values[0]) : (Object.fromEntries(results) as Row),
    dataframe: values.flatMap(toRows),
  };
}

function toolFor(found: FoundFlow<Services>, call: NodeCall<Services>): FlowTool {
  const { flow, registry } = found;
  const parameters = toolInputsOf(found);
  const calls = new Map<string, number>();
  const effects = flow.nodes.flatMap(({ type }) => registry.get(type)?.descriptor.effects ?? []);
  return {
    name: nameOf(flow.name),
    description: flow.description.trim() || `Runs the flow '${flow.name}' and gives its result.`,
    parameters: {
      type: 'object',
      properties: Object.fromEntries(parameters.map(({ name, help }) => [name, { type: 'string', description: help }])),
      required: parameters.map(({ name }) => name),
      additionalProperties: false,
    },
    readOnly: effects.every((effect) => effect === 'none' || effect.endsWith('-read')),
    async call(args, signal, report) {
      const stepKey = callKey(call.stepKey, args, calls);
      const given = Object.fromEntries(
        parameters.flatMap(({ name, input }) => (Object.hasOwn(args, name) ? [[input, args[name]]] : [])),
      );
      const leave = await takeSlot({ ...call, signal });
      try {
        const running = runInside(found, inputsFor(found, undefined, given), { ...call, stepKey, signal });
        for (;;) {
          const { done, value } = await running.next();
          if (done !== true) {
            report?.(value);
            continue;
          }
          const { message: text, data } = resultOf(found, value);
          return toText(text) === '' ? data : toText(text);
        }
      } finally {
        leave();
      }
    },
  };
}

const nameOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 64) || 'run_flow';
