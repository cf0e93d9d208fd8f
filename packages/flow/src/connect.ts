import { sameEdge, type FlowDocument, type FlowEdge, type FlowNode } from './document.ts';
import type { Edit } from './edits.ts';
import { FlowError } from './errors.ts';
import { isToolCapable, portsOf, TOOL_OUTPUT, type InputPort, type NodePorts } from './node-ports.ts';
import { converterFor, typesFit, type Converter, type PortType } from './port-types.ts';
import type { Output } from './component.ts';
import { type Registry, requireEntry } from './registry.ts';

/** The judgement of a connection before it is made. */
export interface ConnectionCheck {
  /** Absent where the ports fit. */
  readonly problem?: FlowError;
  /** The component to put between, where types do not fit and one is known. */
  readonly converter?: Converter;
}

/**
 * The edits that connect two ports: tool mode, connection mode of a model field, the edge, the selected output. No edit
 * where the edge exists.
 *
 * @throws FlowError `unknown_node`, `unknown_port`, `no_tool_mode`, `type_mismatch`; messages list what is available
 */
export function connectPorts(flow: FlowDocument, registry: Registry, edge: FlowEdge): readonly Edit[] {
  const { source, target, isTool, sourcePorts, targetPorts } = checkEnds(nodesOf(flow), registry, edge);
  if (flow.edges.some((each) => sameEdge(each, edge))) return [];
  const edits: Edit[] = [];
  const field = targetPorts.fields.find(({ name }) => name === edge.to.port);
  if (
    (field?.kind === 'model' || field?.kind === 'embedding-model') &&
    target.connectedFields?.includes(field.name) !== true
  )
    edits.push({ kind: 'set_connection_mode', id: target.id, field: field.name, enabled: true });
  if (isTool && source.toolMode !== true) edits.push({ kind: 'enable_tool_mode', id: source.id, enabled: true });
  for (const replaced of replacedEdges(flow, targetPorts, edge)) edits.push({ kind: 'disconnect', edge: replaced });
  edits.push({ kind: 'connect', edge });
  const isStale = source.selectedOutput !== undefined && source.selectedOutput !== edge.from.port;
  if (!isTool && (sourcePorts.outputs.length > 1 ? source.selectedOutput !== edge.from.port : isStale))
    edits.push({ kind: 'select_output', id: source.id, output: edge.from.port });
  return edits;
}

/** Nodes by id. */
type Nodes = Pick<ReadonlyMap<string, FlowNode>, 'get'>;

/** Two look-ups cost less than a map of all nodes. */
const nodesOf = (flow: FlowDocument): Nodes => ({ get: (id) => flow.nodes.find((node) => node.id === id) });

interface Ends {
  readonly source: FlowNode;
  readonly target: FlowNode;
  readonly isTool: boolean;
  readonly sourcePorts: NodePorts;
  readonly targetPorts: NodePorts;
}

/** Both ends of a connection that may be made. @throws what `connectPorts` throws */
function checkEnds(nodes: Nodes, registry: Registry, edge: FlowEdge, ports: typeof portsOf = portsOf): Ends {
  const source = requireNode(nodes, edge.from.node);
  const target = requireNode(nodes, edge.to.node);
  const entry = requireEntry(registry, source);
  const isTool = edge.from.port === TOOL_OUTPUT.name;
  if (isTool && source.toolMode !== true && !isToolCapable(entry))
    throw new FlowError(
      'no_tool_mode',
      `Cannot connect '${source.id}.component_as_tool': this component has no tool_mode-capable input. Either pick a different output or wire a component whose inputs declare tool_mode=True.`,
      { node: source.id },
    );
  const own = ports(source, entry);
  const sourcePorts = isTool ? { ...own, outputs: [TOOL_OUTPUT] } : own;
  const output = requireOutput(sourcePorts, edge);
  const targetPorts = ports(target, requireEntry(registry, target));
  const accepts = requireInput(targetPorts, edge);
  if (!typesFit(output.types, accepts)) throw mismatch(edge, output.types, accepts);
  return { source, target, isTool, sourcePorts, targetPorts };
}

/**
 * Whether two ports may be connected; with the reason and the converter where they may not. Changes nothing. `ports` is for
 * callers that check many edges and keep the ports of each node.
 */
export function checkConnection(
  nodes: Nodes,
  registry: Registry,
  edge: FlowEdge,
  ports: typeof portsOf = portsOf,
): ConnectionCheck {
  try {
    checkEnds(nodes, registry, edge, ports);
    return {};
  } catch (error) {
    if (!(error instanceof FlowError)) throw error;
    if (error.code !== 'type_mismatch') return { problem: error };
    const source = requireNode(nodes, edge.from.node);
    const target = requireNode(nodes, edge.to.node);
    const output = requireOutput(portsOf(source, requireEntry(registry, source)), edge);
    const converter = converterFor(output.types, requireInput(portsOf(target, requireEntry(registry, target)), edge));
    return { problem: error, ...(converter && { converter }) };
  }
}

/** An input that takes one edge keeps the newest, unless the edge before comes from another branch or round. */
function replacedEdges(flow: FlowDocument, ports: NodePorts, edge: FlowEdge): readonly FlowEdge[] {
  const input = ports.inputs.find(({ name }) => name === edge.to.port);
  if (input === undefined || input.list || input.accepts.includes('Any')) return [];
  const isSource = (type: PortType) => type === 'LanguageModel' || type === 'Embeddings';
  if (!input.accepts.every(isSource)) return [];
  return flow.edges.filter(({ to }) => to.node === edge.to.node && to.port === edge.to.port);
}

function requireNode(nodes: Nodes, id: string): FlowNode {
  const node = nodes.get(id);
  if (node === undefined) throw new FlowError('unknown_node', `Component not found in flow: ${id}`, { node: id });
  return node;
}

function requireOutput({ outputs }: NodePorts, { from }: FlowEdge): Output {
  const output = outputs.find(({ name }) => name === from.port);
  if (output === undefined)
    throw new FlowError(
      'unknown_port',
      `Output '${from.port}' not found on component '${from.node}'. Available: ${listOf(outputs)}`,
      { node: from.node, field: from.port },
    );
  return output;
}

/** The types that the end of an edge accepts: an input's, or those of a loop's own output, where a round ends. */
function requireInput({ inputs, outputs }: NodePorts, { to }: FlowEdge): readonly PortType[] {
  const input: InputPort | undefined = inputs.find(({ name }) => name === to.port);
  if (input) return input.accepts;
  const looping = outputs.find(({ name, loop }) => name === to.port && loop === true);
  if (looping) return ['Message', 'Data', 'Table', 'File', 'Any'];
  throw new FlowError(
    'unknown_port',
    `Input '${to.port}' not found on component '${to.node}'. Available: ${listOf(inputs)}`,
    { node: to.node, field: to.port },
  );
}

function mismatch({ from, to }: FlowEdge, produces: readonly PortType[], accepts: readonly PortType[]): FlowError {
  const converter = converterFor(produces, accepts);
  const hint = converter
    ? `. Put a ${converter.component} between them: connect to its '${converter.input}', and from its '${converter.output}'`
    : '';
  return new FlowError(
    'type_mismatch',
    `Type mismatch: output '${from.port}' on '${from.node}' produces ${quoted(produces)}, but input '${to.port}' on '${to.node}' accepts ${quoted(accepts)}${hint}`,
    { node: to.node, field: to.port },
  );
}

/** Names that a message shows. */
const MAX_LISTED = 100;
const listOf = (ports: readonly { readonly name: string }[]): string =>
  quoted(ports.slice(0, MAX_LISTED).map(({ name }) => name));
const quoted = (names: readonly string[]): string => `[${names.map((name) => `'${name}'`).join(', ')}]`;
