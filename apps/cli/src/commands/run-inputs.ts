import {
  type Field,
  type FlowDocument,
  type FlowNode,
  type Json,
  portsOf,
  type Registry,
  wrongValue,
} from '@croft/flow';
import { UsageError } from '../usage-error.ts';

/** Values of fields by node id and field name. */
export type RunInputs = Readonly<Record<string, Readonly<Record<string, Json>>>>;

const MAX_LISTED = 30;

/**
 * Parses `--input`: `NODE.FIELD=VALUE` sets any field; other text is the message for the chat input. A text that looks like a field
 * of an unknown component is refused, because it is more often a mistake than a message.
 *
 * @param onNote called with a sentence where the flow runs, but probably not as the user intended
 * @throws UsageError for an unknown component or field, for a value of another kind than the field has, for a message where the flow takes none, or for a chat without a message
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
      if (entry === undefined || looksLikeField(id, field)) throw unknownNode('--input', id, flow, entry);
    }
    if (entry === undefined)
      throw new UsageError(
        `the flow has no chat input or text input; use --input NODE.FIELD=VALUE, with NODE one of ${idsOf(flow)}`,
      );
    set(entry.id, 'input_value', each);
  }
  const values = flow.nodes.flatMap((node) => {
    const given = inputs.get(node.id);
    return given === undefined ? [] : [[node.id, valuesFor(node, registry, given)] as const];
  });
  if (entry !== undefined && isEmpty(flow, entry) && inputs.get(entry.id)?.['input_value'] === undefined) {
    if (entry.type === 'ChatInput')
      throw new UsageError(
        `the message is empty; give one with --input 'text', or run with none on purpose: --input ${entry.id}.input_value=`,
      );
    onNote("The text input is empty. Give a text with --input 'text'.");
  }
  return Object.fromEntries(values);
}

/** @throws UsageError where `--until` names no component of the flow */
export function checkUntil(flow: FlowDocument, until: string | undefined): void {
  if (until !== undefined && !flow.nodes.some(({ id }) => id === until)) throw unknownNode('--until', until, flow);
}

/** Tells `Chat.text=a` from a message with a URL (`https://a.example/?b=c`), code or a number (`1.5=x`). */
function looksLikeField(id: string, field: string): boolean {
  return /^[A-Za-z_][\w-]*$/.test(id) && /^[A-Za-z_]\w*$/.test(field);
}

function unknownNode(flag: string, id: string, flow: FlowDocument, entry?: FlowNode): UsageError {
  const asMessage =
    entry === undefined ? '' : `. To send this text as the message, put ${entry.id}.input_value= before it`;
  return new UsageError(`${flag}: the flow has no component '${id}'; it has ${idsOf(flow)}${asMessage}`);
}

/**
 * The values of a component, by the kinds of its fields. Without the checks the engine ignores an unknown field, and the
 * flow runs with the value of the file; a number as text is added like a text.
 */
function valuesFor(node: FlowNode, registry: Registry, given: Readonly<Record<string, string>>): Record<string, Json> {
  const component = registry.get(node.type);
  if (component === undefined) return given;
  const { fields, inputs } = portsOf({ ...node, values: { ...node.values, ...given } }, component);
  const names = [...new Set([...fields, ...inputs].map(({ name }) => name))];
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new UsageError(`--input: ${node.id} (${node.type}) has no field '${unknown}'; it has ${names.join(', ')}`);
  const values = Object.entries(given).map(([name, text]): [string, Json] => {
    const field = fields.find((each) => each.name === name);
    if (field === undefined) return [name, text];
    const value = valueFor(field, text);
    const wrong = wrongValue(field, value);
    if (wrong !== undefined) throw new UsageError(`--input: '${name}' (${field.label}) of ${node.id} ${wrong}`);
    return [name, value];
  });
  return Object.fromEntries(values);
}

/** A text of the command line as a value of the field's kind; the text itself where it is not valid. */
function valueFor({ kind, list }: Field, text: string): Json {
  switch (kind) {
    case 'number':
    case 'slider':
    case 'integer':
      return /^\s*$/.test(text) || Number.isNaN(Number(text)) ? text : Number(text);
    case 'switch':
      return text === 'true' ? true : text === 'false' ? false : text;
    case 'multiselect':
    case 'key-value':
    case 'table':
    case 'json':
      return jsonIn(text);
    default:
      return list === true && text.startsWith('[') ? jsonIn(text) : text;
  }
}

function jsonIn(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

function isEmpty({ edges }: FlowDocument, { id, values }: FlowNode): boolean {
  return (values['input_value'] ?? '') === '' && !edges.some(({ to }) => to.node === id && to.port === 'input_value');
}

function idsOf({ nodes }: FlowDocument): string {
  const more = nodes.length - MAX_LISTED;
  const listed = nodes.slice(0, MAX_LISTED).map(({ id }) => id);
  return `${listed.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
