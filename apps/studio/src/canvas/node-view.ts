import { type Descriptor, type Field, type FlowNode, isShown, type Json, portsOf, type PortType } from '@croft/flow';

/** A port as the canvas draws it. */
export interface PortView {
  readonly name: string;
  readonly label: string;
  readonly types: readonly PortType[];
  /** It needs an edge: its field is required and has no value. */
  readonly required: boolean;
  /** Only an edge names the port: the component makes it from its values, or is unknown. */
  readonly isInferred?: true;
}

/** Everything that the canvas shows of a node besides its run. */
export interface NodeView {
  readonly id: string;
  readonly title: string;
  /** The component's label. */
  readonly kind: string;
  readonly category: string;
  /** False: this server has no such component. The node keeps its data. */
  readonly isKnown: boolean;
  readonly fields: readonly { readonly name: string; readonly label: string; readonly value: string }[];
  readonly inputs: readonly PortView[];
  readonly outputs: readonly PortView[];
}

/** The port of an edge whose component is unknown, or does not have the port any more. */
export interface EdgePorts {
  readonly inputs: ReadonlySet<string>;
  readonly outputs: ReadonlySet<string>;
}

interface Components {
  get(type: string): { readonly descriptor: Descriptor } | undefined;
}

const MAX_FIELDS = 3;
const MAX_VALUE = 80;

/**
 * Describes a node for the canvas. Pure. Ports that only edges name are added at the end, so that every edge has two
 * ends.
 */
export function viewNode(node: FlowNode, components: Components, wired?: EdgePorts): NodeView {
  const entry = components.get(node.type);
  const ports = entry && portsOf(node, entry);
  const fields = ports?.fields ?? [];
  const filled = new Set(fields.filter((field) => hasValue(node, field)).map(({ name }) => name));
  const folded = foldedPorts(fields);
  const inputs = (ports?.inputs ?? []).flatMap(({ name, label, accepts, required }): readonly PortView[] =>
    folded.has(name) && wired?.inputs.has(name) !== true
      ? []
      : [{ name, label, types: accepts, required: required && !filled.has(name) }],
  );
  const outputs: PortView[] = (ports?.outputs ?? []).map(({ name, label, types }) => ({
    name,
    label,
    types,
    required: false,
  }));
  const title = node.name ?? entry?.descriptor.label ?? node.type;
  return {
    id: node.id,
    title,
    kind: entry?.descriptor.label ?? node.type,
    category: entry?.descriptor.category ?? 'unknown component',
    isKnown: entry !== undefined,
    fields: summaryOf(node, fields, wired?.inputs),
    inputs: withNamed(inputs, wired?.inputs),
    outputs: withNamed(outputs, wired?.outputs),
  };
}

/** The names of the ports that the canvas draws only while an edge ends there. */
export const foldedPorts = (fields: readonly Field[]): ReadonlySet<string> =>
  new Set(fields.filter(({ portWhenConnected }) => portWhenConnected === true).map(({ name }) => name));

function withNamed(ports: readonly PortView[], named: ReadonlySet<string> = new Set()): readonly PortView[] {
  const known = new Set(ports.map(({ name }) => name));
  const missing = [...named].filter((name) => !known.has(name));
  const types: readonly PortType[] = ['Any'];
  return [
    ...ports,
    ...missing.map((name): PortView => ({ name, label: wordsOf(name), types, required: false, isInferred: true })),
  ];
}

/** A port's name as a label: `case_1_result` is “Case 1 result”. */
function wordsOf(name: string): string {
  const words = name.replaceAll('_', ' ').trim();
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

function hasValue(node: FlowNode, { name, default: preset }: Field): boolean {
  const value = node.values[name] ?? preset ?? '';
  return value !== '';
}

/** The first fields that have a value of their own or a default, without those that an edge fills in. */
function summaryOf(node: FlowNode, fields: readonly Field[], wired: ReadonlySet<string> = new Set()) {
  const shown: { name: string; label: string; value: string }[] = [];
  for (const field of fields) {
    if (shown.length === MAX_FIELDS) break;
    const isSet = node.values[field.name] !== undefined;
    if (field.kind === 'handle' || wired.has(field.name) || (field.advanced === true && !isSet)) continue;
    if (!isShown(field.showWhen, node, fields)) continue;
    const value = fieldText(field, node.values[field.name] ?? field.default ?? null);
    if (value !== '') shown.push({ name: field.name, label: field.label, value });
  }
  return shown;
}

/** A value in a few words. A secret is only said to be set. */
export function fieldText(field: Pick<Field, 'kind'>, value: Json): string {
  if (value === null || value === '') return '';
  if (field.kind === 'secret') return 'Set';
  if (typeof value === 'boolean') return value ? 'On' : 'Off';
  if (typeof value === 'number') return `${value}`;
  if (typeof value === 'string') return cut(value);
  if (Array.isArray(value)) {
    if (value.every((each) => typeof each === 'string')) return cut(value.join(', '));
    return value.length === 1 ? '1 row' : `${value.length} rows`;
  }
  const { provider, name } = value as { readonly [key: string]: Json };
  if (typeof provider === 'string' && typeof name === 'string') return cut(`${provider}/${name}`);
  const count = Object.keys(value).length;
  return count === 0 ? '' : count === 1 ? '1 entry' : `${count} entries`;
}

function cut(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, ' ');
  return line.length > MAX_VALUE ? `${line.slice(0, MAX_VALUE - 1)}…` : line;
}
