import { describeFlowIo, type FlowNode, portsOf, wrongValue } from '@croft/flow';
import { ComponentError, type Services } from '../services.ts';
import { isOfAuthor } from './author-fields.ts';
import type { FoundFlow } from './flow-library.ts';

/** Values of fields by node and field. */
export type FlowInputs = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/**
 * The inputs of a sub-flow: the message for its chat input, else its text input, and values under `NODE.FIELD`. Values
 * reach the flow's inputs only.
 *
 * @throws ComponentError that names the input
 */
export function inputsFor(
  found: FoundFlow<Services>,
  text: string | undefined,
  values: Readonly<Record<string, unknown>>,
): FlowInputs {
  const { flow, registry } = found;
  const inputs = Object.create(null) as Record<string, Record<string, unknown>>;
  const set = (node: string, field: string, value: unknown) => {
    (inputs[node] ??= Object.create(null) as Record<string, unknown>)[field] = value;
  };
  const open = describeFlowIo(flow, registry).inputs.map(({ id }) => id);
  for (const [name, value] of Object.entries(values)) {
    const dot = name.lastIndexOf('.');
    const node = flow.nodes.find(({ id }) => id === name.slice(0, dot) && open.includes(id));
    if (node === undefined)
      throw new ComponentError(
        `'${name}' is not an input of the flow '${flow.name}'.`,
        `Write it as NODE.FIELD, with one of these nodes: ${open.join(', ')}.`,
      );
    checkValue(found, node, name.slice(dot + 1), value);
    set(node.id, name.slice(dot + 1), value);
  }
  const entry = entryOf(found);
  if (text !== undefined && entry !== undefined) set(entry.id, 'input_value', text);
  else if (text !== undefined && text !== '')
    throw new ComponentError(
      `The flow '${flow.name}' takes no message.`,
      'Add a chat input to it, or leave the message empty.',
    );
  return inputs;
}

/** The node that takes the message of a flow. */
function entryOf({ flow, registry }: FoundFlow<Services>): FlowNode | undefined {
  const ofType = (wanted: string) => flow.nodes.find(({ type }) => registry.get(type)?.descriptor.type === wanted);
  return ofType('ChatInput') ?? ofType('TextInput');
}

function checkValue({ flow, registry }: FoundFlow<Services>, node: FlowNode, name: string, value: unknown): void {
  const component = registry.get(node.type);
  const field = component && portsOf(node, component).fields.find((each) => each.name === name);
  const type = component?.descriptor.type ?? node.type;
  const place = `'${name}' of ${node.id} in the flow '${flow.name}'`;
  if (field === undefined) throw new ComponentError(`${place} is not a field.`, 'Use the name of a field.');
  if (isOfAuthor(type, field)) throw new ComponentError(`${place} is set in that flow only.`, 'Remove the value here.');
  const fault = wrongValue(field, value);
  if (fault !== undefined) throw new ComponentError(`${place} ${fault}.`, 'Correct the value.');
}

/** An argument of a flow that is used as a tool. */
export interface ToolInput {
  readonly name: string;
  readonly help: string;
  /** `NODE.FIELD`. */
  readonly input: string;
}

/** The chat and text inputs of a flow: the arguments that a model gives. */
export function toolInputsOf({ flow, registry }: FoundFlow<Services>): readonly ToolInput[] {
  const open = new Set(describeFlowIo(flow, registry).inputs.map(({ id }) => id));
  const nodes = flow.nodes.filter(
    ({ id, type }) => open.has(id) && registry.get(type)?.descriptor.boundary === 'input',
  );
  const [only] = nodes;
  if (nodes.length === 1 && only !== undefined)
    return [{ name: 'input_value', help: only.name ?? 'The message for the flow.', input: `${only.id}.input_value` }];
  return nodes.map(({ id, name }) => ({
    name: id.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64),
    help: name ?? id,
    input: `${id}.input_value`,
  }));
}
