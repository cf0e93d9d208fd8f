import {
  describeFlowIo,
  type Descriptor,
  type Field,
  type FlowDocument,
  isShown,
  type Json,
  portsOf,
  type Registry,
} from '@croft/flow';

/** A field that a person fills in before a run. */
export interface RunField {
  readonly node: string;
  /** The title of the node. None where an input component is the only node with fields. */
  readonly group?: string;
  readonly field: Field;
  /** The value of the flow, which is used unless the person changes it. */
  readonly value: Json;
}

/** Kinds of fields that the run form shows. */
export const FORM_KINDS: ReadonlySet<Field['kind']> = new Set([
  'text',
  'multiline',
  'number',
  'integer',
  'slider',
  'switch',
  'select',
  'file',
]);

/**
 * The fields of the run form: the value of each input component, and fields of other starting points that are required and
 * have no value.
 */
export function runFields(
  flow: FlowDocument,
  registry: Registry<{ readonly descriptor: Descriptor }>,
): readonly RunField[] {
  const found: RunField[] = [];
  let hasOnlyInputs = true;
  for (const { id, type, value_field } of describeFlowIo(flow, registry).inputs) {
    const node = flow.nodes.find((each) => each.id === id);
    const entry = registry.get(type);
    if (node === undefined || entry === undefined) continue;
    const isInput = entry.descriptor.boundary === 'input';
    const { fields } = portsOf(node, entry);
    for (const field of fields) {
      if (!FORM_KINDS.has(field.kind) || !isShown(field.showWhen, node, fields)) continue;
      const value = node.values[field.name] ?? field.default ?? null;
      const isMissing = field.required === true && (value === null || value === '');
      if (isInput ? field.name !== value_field : !isMissing) continue;
      hasOnlyInputs &&= isInput;
      found.push({ node: id, group: node.name ?? entry.descriptor.label, field, value });
    }
  }
  const nodes = new Set(found.map(({ node }) => node));
  const isOneInput = nodes.size === 1 && hasOnlyInputs;
  return isOneInput ? found.map(({ node, field, value }) => ({ node, field, value })) : found;
}

/** Whether a run of the flow may wait for a person: it is queued then, because a direct run cannot. */
export const asksPerson = ({ nodes }: FlowDocument, registry: Registry<{ readonly descriptor: Descriptor }>): boolean =>
  nodes.some(({ type }) => registry.get(type)?.descriptor.effects.includes('wait') === true);

/** The values of a form by `fieldKey`. */
export type FormValues = Readonly<Record<string, Json>>;

/** A form in which the person changed nothing. */
export const NO_VALUES: FormValues = {};

export const fieldKey = ({ node, field }: Pick<RunField, 'node' | 'field'>): string =>
  JSON.stringify([node, field.name]);

/** The inputs of a run: values that the person changed. A number that was emptied is left out. */
export function runInputs(fields: readonly RunField[], values: FormValues): Record<string, Record<string, Json>> {
  const inputs: Record<string, Record<string, Json>> = {};
  for (const each of fields) {
    const value = values[fieldKey(each)];
    if (value === undefined || value === null || value === each.value) continue;
    (inputs[each.node] ??= {})[each.field.name] = value;
  }
  return inputs;
}
