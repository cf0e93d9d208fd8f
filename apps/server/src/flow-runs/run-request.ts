import {
  type ComponentRegistry,
  describeFlowIo,
  type Finding,
  type FlowDocument,
  type FlowNode,
  portsOf,
  inTurns,
  validateFlowInParts,
  wrongValue,
} from '@croft/flow';
import { isOfAuthor, type Services } from '@croft/components';
import { problem } from '../routes/route.ts';

/** Values that a caller passes to a run of a stored flow. */
export interface RunValues {
  /** For the chat input, else the text input. */
  readonly message?: string | undefined;
  /** For every node with a session of its own that names none. */
  readonly session?: string | undefined;
  /** Fields of the flow's inputs, by node id. */
  readonly inputs?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined;
}

type NodeInputs = Record<string, Record<string, unknown>>;

const MAX_FINDINGS = 5;
/**
 * The inputs of a run. Values reach the flow's inputs only: a caller changes no other node, and no code or secret.
 *
 * @throws Problem `invalid` with node, field and fix
 */
export function inputsOf(flow: FlowDocument, registry: ComponentRegistry<Services>, values: RunValues): NodeInputs {
  // Authors choose the ids of nodes: `__proto__` and `constructor` must not reach objects of the whole process.
  const inputs = Object.create(null) as NodeInputs;
  const set = (node: string, field: string, value: unknown) => {
    (inputs[node] ??= Object.create(null) as NodeInputs[string])[field] = value;
  };
  if (values.session !== undefined)
    for (const node of flow.nodes) if (namesNoSession(node, registry)) set(node.id, 'session_id', values.session);
  const given = Object.entries(values.inputs ?? {});
  // Reads the ports of all nodes.
  const open = new Set(given.length === 0 ? [] : describeFlowIo(flow, registry).inputs.map(({ id }) => id));
  for (const [id, fields] of given) {
    const node = flow.nodes.find((each) => each.id === id);
    if (node === undefined || !open.has(id))
      throw problem('invalid', `inputs: '${id}' is not an input of the flow. Inputs are ${[...open].join(', ')}.`);
    for (const [name, value] of Object.entries(fields)) {
      checkField(node, name, value, registry);
      set(id, name, value);
    }
  }
  if (values.message !== undefined) {
    const entry =
      flow.nodes.find(({ type }) => type === 'ChatInput') ?? flow.nodes.find(({ type }) => type === 'TextInput');
    if (entry === undefined)
      throw problem('invalid', 'message: the flow has no chat input or text input. Add one, or send `inputs`.');
    set(entry.id, 'input_value', values.message);
  }
  return inputs;
}

/**
 * @param inCode what is wrong with the flow's own code
 * @throws Problem `invalid` where the flow cannot run
 */
export async function requireRunnable(
  flow: FlowDocument,
  registry: ComponentRegistry<Services>,
  inputs: NodeInputs,
  inCode: readonly Finding[] = [],
): Promise<void> {
  const findings = await inTurns(validateFlowInParts(flow, registry));
  const blocking = [...inCode, ...findings].filter(
    ({ severity, code, node, field }) =>
      severity === 'error' && (code !== 'missing_value' || inputs[node ?? '']?.[field ?? ''] === undefined),
  );
  if (blocking.length === 0) return;
  const shown = blocking.slice(0, MAX_FINDINGS).map(({ message, fix }) => `${message} ${fix}`);
  const more = blocking.length - shown.length;
  throw problem('invalid', `The flow cannot run: ${shown.join(' ')}${more > 0 ? ` And ${more} more.` : ''}`);
}

function checkField(node: FlowNode, name: string, value: unknown, registry: ComponentRegistry<Services>): void {
  const component = registry.get(node.type);
  const ports = component && portsOf(node, component);
  const field = ports?.fields.find((each) => each.name === name);
  const refuse = (what: string) => problem('invalid', `inputs: '${name}' of ${node.id} ${what}`);
  if (field === undefined)
    throw refuse(`is not a field. Fields are ${ports?.fields.map((each) => each.name).join(', ')}.`);
  if (component && isOfAuthor(component.descriptor.type, field)) throw refuse('is set in the flow, not by a run.');
  const fault = wrongValue(field, value);
  if (fault !== undefined) throw refuse(`${fault}.`);
}

function namesNoSession(node: FlowNode, registry: ComponentRegistry<Services>): boolean {
  const component = registry.get(node.type);
  const field = component?.descriptor.fields.find(({ name }) => name === 'session_id');
  const value = node.values['session_id'] ?? field?.default;
  return field !== undefined && (value === undefined || value === '' || value === 'default');
}
