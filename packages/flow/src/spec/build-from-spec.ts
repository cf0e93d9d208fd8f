import { applyEdits } from '../apply-edit.ts';
import { connectPorts } from '../connect.ts';
import { emptyFlow, type FlowDocument, type FlowNode, type Json } from '../document.ts';
import { FlowError } from '../errors.ts';
import { layoutEdit } from '../layout.ts';
import { newNodeId } from '../node-id.ts';
import { portsOf } from '../node-ports.ts';
import type { Registry } from '../registry.ts';
import { parseSpec, type FlowSpec } from './parse-spec.ts';

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

/**
 * Builds a flow from its text form: parses, looks for unknown types, adds components, sets values, connects, lays out.
 * Never throws for a wrong spec: the result says what is wrong and where.
 *
 * @param newId gives the id in the flow of each id in the text; by default the type and random characters
 */
export function buildFromSpec(
  text: string,
  registry: Registry,
  newId: (type: string, specId: string) => string = (type) => newNodeId(type),
): BuildResult {
  let spec: FlowSpec;
  try {
    spec = parseSpec(text);
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
  const ids = new Map(spec.nodes.map(({ id, type }) => [id, newId(type, id)]));
  let flow: FlowDocument = { ...emptyFlow(spec.name || 'Untitled Flow'), description: spec.description ?? '' };
  for (const { id, type } of spec.nodes)
    flow = applyEdits(flow, [{ kind: 'add_component', node: newNode(ids.get(id) as string, type, registry) }]).flow;
  for (const { node, field, value } of spec.config) {
    try {
      flow = setValue(flow, registry, ids.get(node) as string, node, field, value, spec);
    } catch (error) {
      return { error: `Failed to configure node '${node}'`, details: messageOf(error) };
    }
  }
  for (const { from, to } of spec.edges) {
    const edge = {
      from: { node: ids.get(from.node) as string, port: from.port },
      to: { node: ids.get(to.node) as string, port: to.port },
    };
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

/** Sets a field, or the value of a variable that a text of the same spec makes. */
function setValue(
  flow: FlowDocument,
  registry: Registry,
  id: string,
  specId: string,
  field: string,
  value: Json,
  spec: FlowSpec,
): FlowDocument {
  const node = flow.nodes.find((each) => each.id === id) as FlowNode;
  const all = Object.fromEntries(
    spec.config.filter((entry) => entry.node === specId).map((entry) => [entry.field, entry.value]),
  );
  const ports = portsOf({ ...node, values: all }, registry.get(node.type) as never);
  const names = [
    ...ports.fields.map(({ name }) => name),
    ...ports.inputs.flatMap((input) => (input.variableOf ? [input.name] : [])),
  ];
  if (!names.includes(field))
    throw new FlowError(
      'unknown_field',
      `Unknown parameter '${field}' on component '${id}'. Available: ${quoted(names)}`,
      { node: id, field },
    );
  return applyEdits(flow, [{ kind: 'configure', id, values: { [field]: value } }]).flow;
}

const quoted = (names: readonly string[]): string => `[${names.map((name) => `'${name}'`).join(', ')}]`;
const messageOf = (error: unknown): string => (error instanceof FlowError ? error.message : String(error));
