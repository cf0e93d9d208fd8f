import { type Field, type FlowDocument, type Json, portsOf, type Registry, wrongValue } from '@croft/flow';
import { readModelRef } from '@croft/models';
import { failed, quotedList, type ToolData } from './tools/assistant-tool.ts';

/** Values for fields of one component, as the fields take them. */
export interface ComponentValues {
  readonly values: Readonly<Record<string, Json>>;
  /** The field of each value; a variable of a text has none. */
  readonly fields: ReadonlyMap<string, Field | undefined>;
}

/** The refusal of a request, for the model that sent it. */
export interface Refused {
  readonly error: string;
  /** The text for a person, where the error tells a model what to call. */
  readonly summary?: string;
}

/** A refusal as the result of a call. */
export const refused = ({ error, summary }: Refused): ToolData =>
  failed(error, summary === undefined ? {} : { summary });

/** An object that may arrive as text, once or twice encoded. */
export function readParams(given: unknown): { readonly params: Readonly<Record<string, unknown>> } | Refused {
  let value = given;
  for (let round = 0; round < 2 && typeof value === 'string'; round++) {
    try {
      value = JSON.parse(value) as unknown;
    } catch (error) {
      return { error: `Invalid JSON in params: ${(error as Error).message}. Use format: {"key": "value"}` };
    }
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { params: { ...value } };
  return { error: `params must be a JSON object, got ${Array.isArray(value) ? 'list' : typeof value}` };
}

/** Checks values for a component and gives them the kinds of its fields: a model by name, a number from its text. */
export function valuesFor(
  flow: FlowDocument,
  registry: Registry,
  id: string,
  params: Readonly<Record<string, unknown>>,
): ComponentValues | Refused {
  const node = flow.nodes.find((each) => each.id === id);
  if (node === undefined) return { error: noComponent(flow, id) };
  const entry = registry.get(node.type);
  const ports = entry && portsOf({ ...node, values: { ...node.values, ...(params as Record<string, Json>) } }, entry);
  const known = new Map<string, Field | undefined>((ports?.inputs ?? []).map(({ name }) => [name, undefined]));
  for (const field of ports?.fields ?? []) known.set(field.name, field);
  const values: Record<string, Json> = {};
  const fields = new Map<string, Field | undefined>();
  for (const [name, given] of Object.entries(params)) {
    if (!known.has(name))
      return { error: `Unknown parameter '${name}' on component '${id}'. Available: ${quotedList([...known.keys()])}` };
    const field = known.get(name);
    const value = coerced(field, given as Json);
    const wrong = field && wrongValue(field, value);
    if (wrong !== undefined) return { error: `'${name}' of ${id} ${wrong}.` };
    values[name] = value;
    fields.set(name, field);
  }
  return { values, fields };
}

/** The refusal of a component that the flow does not have. */
export const noComponent = (flow: FlowDocument, id: string): string =>
  `Component '${id.slice(0, 100)}' not found. Available: ${quotedList(flow.nodes.map((each) => each.id))}`;

/** The value that a field takes: a model by provider and name, a number or switch from its text. */
function coerced(field: Field | undefined, value: Json): Json {
  if (field === undefined) return value;
  if (field.kind === 'model') {
    const ref = readModelRef(value);
    return ref === undefined ? value : [{ provider: ref.provider, name: ref.name }];
  }
  if (typeof value !== 'string') return value;
  if (field.kind === 'switch' && /^(true|false)$/i.test(value)) return value.toLowerCase() === 'true';
  const isNumber = field.kind === 'number' || field.kind === 'integer' || field.kind === 'slider';
  if (isNumber && value.trim() !== '' && Number.isFinite(Number(value))) return Number(value);
  return value;
}
