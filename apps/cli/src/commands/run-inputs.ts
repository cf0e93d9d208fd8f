import { type FlowDocument, type FlowNode, portsOf, type Registry } from '@croft/flow';
import { UsageError } from '../usage-error.ts';

/** Values of fields by node id and field name. */
export type RunInputs = Readonly<Record<string, Readonly<Record<string, string>>>>;

const MAX_LISTED = 30;

/**
 * Parses `--input`: `NODE.FIELD=VALUE` sets any field; other text is the message for the chat input.
 *
 * @param onNote called with a sentence where the flow runs, but probably not as the user intended
 * @throws UsageError for an unknown field, for a message where the flow takes none, or for a chat without a message
 */
export function readInputs(
  flow: FlowDocument,
  registry: Registry,
  given: readonly string[],
  onNote: (note: string) => void,
): RunInputs {
  const inputs = new Map<string, Record<string, string>>();
  const set = (id: string, field: string, value: string) => inputs.set(id, { ...inputs.get(id), [field]: value });
  const entry =
    flow.nodes.find(({ type }) => type === 'ChatInput') ?? flow.nodes.find(({ type }) => type === 'TextInput');
  for (const each of given) {
    const [, id, field, value] = /^([^.=\s]+)\.([^.=\s]+)=([\s\S]*)$/.exec(each) ?? [];
    if (id !== undefined && field !== undefined && value !== undefined) {
      if (flow.nodes.some((node) => node.id === id)) {
        set(id, field, value);
        continue;
      }
      if (entry === undefined) throw unknownNode('--input', id, flow);
      onNote(`The flow has no component '${id}', so this --input is the message. It has ${idsOf(flow)}.`);
    }
    if (entry === undefined)
      throw new UsageError(
        `the flow has no chat input or text input; use --input NODE.FIELD=VALUE, with NODE one of ${idsOf(flow)}`,
      );
    set(entry.id, 'input_value', each);
  }
  for (const node of flow.nodes) checkFields(node, registry, inputs.get(node.id));
  if (entry !== undefined && isEmpty(flow, entry) && inputs.get(entry.id)?.['input_value'] === undefined) {
    if (entry.type === 'ChatInput')
      throw new UsageError(
        `the message is empty; give one with --input 'text', or run with none on purpose: --input ${entry.id}.input_value=`,
      );
    onNote("The text input is empty. Give a text with --input 'text'.");
  }
  return Object.fromEntries(inputs);
}

/** @throws UsageError where `--until` names no component of the flow */
export function checkUntil(flow: FlowDocument, until: string | undefined): void {
  if (until !== undefined && !flow.nodes.some(({ id }) => id === until)) throw unknownNode('--until', until, flow);
}

function unknownNode(flag: string, id: string, flow: FlowDocument): UsageError {
  return new UsageError(`${flag}: the flow has no component '${id}'; it has ${idsOf(flow)}`);
}

/** Without this check the engine ignores an unknown field, and the flow runs with the value of the file. */
function checkFields(node: FlowNode, registry: Registry, given: Readonly<Record<string, string>> = {}): void {
  const component = registry.get(node.type);
  if (component === undefined) return;
  const { fields, inputs } = portsOf({ ...node, values: { ...node.values, ...given } }, component);
  const names = [...new Set([...fields, ...inputs].map(({ name }) => name))];
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new UsageError(`--input: ${node.id} (${node.type}) has no field '${unknown}'; it has ${names.join(', ')}`);
}

function isEmpty({ edges }: FlowDocument, { id, values }: FlowNode): boolean {
  return (values['input_value'] ?? '') === '' && !edges.some(({ to }) => to.node === id && to.port === 'input_value');
}

function idsOf({ nodes }: FlowDocument): string {
  const more = nodes.length - MAX_LISTED;
  const listed = nodes.slice(0, MAX_LISTED).map(({ id }) => id);
  return `${listed.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
