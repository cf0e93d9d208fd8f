import { applyEdits } from '../apply-edit.ts';
import { connectPorts } from '../connect.ts';
import { emptyFlow, type FlowDocument, type FlowNode, type Json } from '../document.ts';
import { FlowError } from '../errors.ts';
import { layoutEdit } from '../layout.ts';
import { freshNodeId } from '../node-id.ts';
import { portsOf } from '../node-ports.ts';
import type { Registry } from '../registry.ts';
import { type Parts, toEnd } from '../parts.ts';
import { parseSpecInParts, type FlowSpec } from './parse-spec.ts';

/** A flow made from a spec. The names of the fields are a contract (docs/contracts). */
export type BuildResult =
  | {
      readonly flow: FlowDocument;
      readonly name: string;
      readonly node_count: number;
      readonly edge_count: number;
      readonly node_id_map: Readonly<Record<string, string>>;
    }
  | { readonly error: string; readonly details: string };

const SAMPLE = 30;

type GivenId = (type: string, specId: string) => string | undefined;

/**
 * Builds a flow from its text form: parses, looks for unknown types, adds components, sets values, connects, lays out.
 * Never throws for a wrong spec: the result says what is wrong and where.
 *
 * @param givenId the id in the flow of an id in the text; if undefined, the type and random characters
 */
export function buildFromSpec(text: string, registry: Registry, givenId?: GivenId): BuildResult {
  return toEnd(buildFromSpecInParts(text, registry, givenId));
}

/** As {@link buildFromSpec}, in parts: thousands of edges take most of a second. */
export function* buildFromSpecInParts(
  text: string,
  registry: Registry,
  givenId: GivenId = () => undefined,
): Parts<BuildResult> {
  let spec: FlowSpec;
  try {
    spec = yield* parseSpecInParts(text);
  } catch (error) {
    return { error: 'Invalid spec', details: messageOf(error) };
  }
  const unknown = [...new Set(spec.nodes.map(({ type }) => type).filter((type) => registry.get(type) === undefined))];
  if (unknown.length > 0) {
    const sample = registry.entries
      .map(({ descriptor }) => descriptor.type)
      .sort()
      .slice(0, SAMPLE);
    return {
      error: `Unknown component types: ${quoted(unknown)}`,
      details: `Available types (sample): ${quoted(sample)}`,
    };
  }
  const ids = idsOf(spec, registry, givenId);
  let flow: FlowDocument = { ...emptyFlow(spec.name || 'Untitled Flow'), description: spec.description ?? '' };
  for (const { id, type } of spec.nodes) {
    flow = applyEdits(flow, [{ kind: 'add_component', node: newNode(ids.get(id) as string, type, registry) }]).flow;
    yield;
  }
  const types = new Map(flow.nodes.map(({ id, type }) => [id, type]));
  const fieldsOf = new Map<string, Fields>();
  for (const [specId, values] of valuesByNode(spec)) {
    const id = ids.get(specId) as string;
    fieldsOf.set(specId, {
      id,
      values,
      names: namesOf(newNode(id, types.get(id) as string, registry), values, registry),
    });
  }
  for (const { node, field } of spec.config) {
    const { id, names } = fieldsOf.get(node) as Fields;
    if (names.has(field)) continue;
    const details = `Unknown parameter '${field}' on component '${id}'. Available: ${quoted([...names])}`;
    return { error: `Failed to configure node '${node}'`, details };
  }
  for (const { id, values } of fieldsOf.values()) {
    flow = applyEdits(flow, [{ kind: 'configure', id, values }]).flow;
    yield;
  }
  for (const { from, to } of spec.edges) {
    const edge = {
      from: { node: ids.get(from.node) as string, port: from.port },
      to: { node: ids.get(to.node) as string, port: to.port },
    };
    yield;
    try {
      flow = applyEdits(flow, connectPorts(flow, registry, edge)).flow;
    } catch (error) {
      return {
        error: `Failed to connect ${from.node}.${from.port} -> ${to.node}.${to.port}`,
        details: messageOf(error),
      };
    }
  }
  flow = applyEdits(flow, [layoutEdit(flow)]).flow;
  return {
    flow,
    name: flow.name,
    node_count: flow.nodes.length,
    edge_count: flow.edges.length,
    node_id_map: Object.fromEntries(ids),
  };
}

function newNode(id: string, type: string, registry: Registry): FlowNode {
  return { id, type: registry.get(type)?.descriptor.type ?? type, position: { x: 0, y: 0 }, values: {} };
}

interface Fields {
  readonly id: string;
  readonly values: Readonly<Record<string, Json>>;
  readonly names: ReadonlySet<string>;
}

/** The values of each node with some, by its id in the text. */
export function valuesByNode({ config }: FlowSpec): ReadonlyMap<string, Readonly<Record<string, Json>>> {
  const entries = new Map<string, [string, Json][]>();
  for (const { node, field, value } of config) {
    const own = entries.get(node);
    if (own) own.push([field, value]);
    else entries.set(node, [[field, value]]);
  }
  return new Map([...entries].map(([node, own]) => [node, Object.fromEntries(own)]));
}

/** The fields of a node with these values, and the variables that its texts make. */
function namesOf(node: FlowNode, values: Fields['values'], registry: Registry): ReadonlySet<string> {
  const { fields, inputs } = portsOf({ ...node, values }, registry.get(node.type) as never);
  const variables = inputs.flatMap((input) => (input.variableOf ? [input.name] : []));
  return new Set([...fields.map(({ name }) => name), ...variables]);
}

const quoted = (names: readonly string[]): string => `[${names.map((name) => `'${name}'`).join(', ')}]`;
const messageOf = (error: unknown): string => (error instanceof FlowError ? error.message : String(error));

/** The id in the flow of each id in the text. */
function idsOf({ nodes }: FlowSpec, registry: Registry, givenId: GivenId): Map<string, string> {
  const given = new Map(nodes.map(({ id, type }) => [id, givenId(ownType(type, registry), id)]));
  const taken = new Set(given.values());
  const ids = new Map<string, string>();
  for (const { id, type } of nodes) {
    const own = given.get(id) ?? freshNodeId(ownType(type, registry), (one) => taken.has(one));
    taken.add(own);
    ids.set(id, own);
  }
  return ids;
}

const ownType = (type: string, registry: Registry): string => registry.get(type)?.descriptor.type ?? type;
