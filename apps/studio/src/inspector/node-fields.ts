import {
  type Descriptor,
  type Edit,
  type Field,
  fieldVariables,
  type FlowDocument,
  type FlowNode,
  isRequired,
  isShown,
  type Json,
  portsOf,
  type PortRef,
} from '@croft/flow';

/** A field of a node as the inspector shows it. */
export interface NodeField {
  readonly field: Field;
  /** The node's own value, else the default, else null. */
  readonly value: Json;
  /** Whether the node has a value of its own. */
  readonly isOwn: boolean;
  /** Whether it needs a value with the other values of the node. */
  readonly isRequired: boolean;
  /** Outputs that bring the value instead. */
  readonly sources: readonly PortRef[];
  /** Inputs that the text makes by `{name}`, and whether each is connected. */
  readonly variables: readonly { readonly name: string; readonly sources: readonly PortRef[] }[];
}

type Entry = { readonly descriptor: Descriptor };

/** The fields of a node that are shown with its values, in their order. Ports without a value are left out. */
export function nodeFields(flow: FlowDocument, node: FlowNode, entry: Entry): readonly NodeField[] {
  const { fields } = portsOf(node, entry);
  const sources = sourcesOf(flow, node.id);
  return fields
    .filter(({ kind, showWhen }) => kind !== 'handle' && isShown(showWhen, node, fields))
    .map((field) => ({
      field,
      value: node.values[field.name] ?? field.default ?? null,
      isOwn: node.values[field.name] !== undefined,
      isRequired: isRequired(field, node, fields),
      sources: sources.get(field.name) ?? [],
      variables: fieldVariables(field, node).map((name) => ({ name, sources: sources.get(name) ?? [] })),
    }));
}

/** The outputs that are connected to a node, by its inputs. */
export function sourcesOf({ edges }: FlowDocument, id: string): ReadonlyMap<string, readonly PortRef[]> {
  const found = new Map<string, PortRef[]>();
  for (const { from, to } of edges) {
    if (to.node !== id) continue;
    const list = found.get(to.port);
    if (list) list.push(from);
    else found.set(to.port, [from]);
  }
  return found;
}

/** Whether a field belongs to the first group: it is not advanced, or it has a value, a connection or a problem. */
export const isProminent = ({ field, isOwn, sources }: NodeField, hasProblem: boolean): boolean =>
  field.advanced !== true || isOwn || sources.length > 0 || hasProblem;

/** The edit that gives a field a value, or takes its value away; undefined where nothing changes. */
export function valueEdit({ id, values }: FlowNode, field: Field, value: Json): Edit | undefined {
  const before = values[field.name];
  const hasNoDefault = field.default === undefined || field.default === null || field.default === '';
  if ((value === null || value === '') && hasNoDefault) return before === undefined ? undefined : unset(id, field.name);
  if (isSame(before ?? field.default ?? null, value)) return undefined;
  return { kind: 'configure', id, values: { [field.name]: value } };
}

/** The edit that gives a field its default again. */
export const unset = (id: string, name: string): Edit => ({ kind: 'configure', id, values: {}, unset: [name] });

/** Whether two values are equal. The order of keys counts: it costs at most one edit without an effect. */
export const isSame = (one: Json, other: Json): boolean =>
  one === other ||
  (typeof one === 'object' && typeof other === 'object' && JSON.stringify(one) === JSON.stringify(other));

/** A text on one line: line breaks and tabs as `\n` and `\t`. */
export const escapeText = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\t', '\\t');

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', '\\': '\\' };

/** The opposite of `escapeText`. */
export const unescapeText = (text: string): string =>
  text.replaceAll(/\\([nt\\])/g, (_, key: string) => ESCAPES[key] ?? key);

/** Whether a field is written with `\n` for a line break, as separators are. */
export const isEscaped = ({ kind, default: value }: Field): boolean =>
  kind === 'text' && typeof value === 'string' && /[\n\t]/.test(value);
