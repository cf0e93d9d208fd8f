import type { Component } from '../component.ts';
import type { FlowDocument, FlowNode, PortRef } from '../document.ts';
import { FlowError } from '../errors.ts';
import { ERROR_OUTPUT, portsOf, takesVariables } from '../node-ports.ts';
import { type Parts, toEnd } from '../parts.ts';
import { type ComponentRegistry, requireEntry } from '../registry.ts';
import { arrange, type Scope } from './arrange.ts';
import type { NodeSetup, PlanEdge, PlanNode } from './plan-node.ts';

/** The work of a run: nodes, edges, and the order in which scopes of them may start. */
export interface Plan<Services> {
  readonly nodes: readonly PlanNode<Services>[];
  readonly edges: readonly PlanEdge[];
  readonly root: Scope;
  /** Edges that lead into a loop or cycle from outside: each round reads them again. */
  readonly reread: ReadonlySet<number>;
  /** Edges that bring a value back to the start of a cycle. */
  readonly back: ReadonlySet<number>;
}

/**
 * Prepares a run. Iterative throughout: neither a chain of any length nor deep nesting of branches overflows the stack.
 * Costs time linear in nodes and edges.
 *
 * @throws FlowError `unknown_component`, `unknown_port`; `invalid_document` for a cycle without a loop or router
 */
export function planRun<Services>(flow: FlowDocument, registry: ComponentRegistry<Services>): Plan<Services> {
  return toEnd(planRunInParts(flow, registry));
}

/** The same as {@link planRun}, in parts of a few milliseconds; a flow of a thousand nodes is one part. */
export function* planRunInParts<Services>(
  flow: FlowDocument,
  registry: ComponentRegistry<Services>,
): Parts<Plan<Services>> {
  const nodes = yield* planNodes(flow.nodes, registry);
  const byId = new Map<string, Growing<Services>>();
  for (let index = 0; index < nodes.length; index++) {
    const each = nodes[index] as Growing<Services>;
    byId.set(each.node.id, each);
  }
  // `map` makes a list of the final length: a list that grows leaves twice its size to the garbage collector.
  const edges = flow.edges.map(({ from, to }, index) => {
    const source = byId.get(from.node) as Growing<Services>;
    const target = byId.get(to.node) as Growing<Services>;
    if (!source.setup.outputNames.has(from.port)) throw unknownOutput(from, source.setup);
    const isInput = target.setup.inputs.has(to.port);
    if (!isInput) requireLoopOutput(to, target.setup);
    const edge = {
      index,
      from: source.index,
      fromPort: from.port,
      to: target.index,
      toPort: to.port,
      isFeedback: !isInput,
    };
    const alone = [edge];
    source.outgoing = append(source.outgoing, edge, alone);
    target.incoming = append(target.incoming, edge, alone);
    return edge;
  });
  for (let index = 0; index < nodes.length; index++) {
    const each = nodes[index] as Growing<Services>;
    each.wanted = wantedOutputs(each);
  }
  const root = arrange(nodes, edges);
  return { nodes, edges, root, ...edgesOfRounds(root, edges) };
}

/** A node of a plan that has not all its edges yet. */
interface Growing<Services> extends PlanNode<Services> {
  incoming: PlanEdge[];
  outgoing: PlanEdge[];
  wanted: ReadonlySet<string>;
}

const NO_EDGES: PlanEdge[] = [];

/**
 * The list with one more edge. Most nodes have one edge in each direction: both of its ends then have the list `alone`,
 * which nothing may change. The garbage collector copies each list of a plan during a run.
 */
function append(list: PlanEdge[], edge: PlanEdge, alone: PlanEdge[]): PlanEdge[] {
  if (list.length === 0) return alone;
  if (list.length === 1) return [list[0] as PlanEdge, edge];
  list.push(edge);
  return list;
}

function edgesOfRounds(root: Scope, edges: readonly PlanEdge[]): Pick<Plan<never>, 'reread' | 'back'> {
  const reread = new Set<number>();
  const back = new Set<number>();
  const open = [root];
  while (open.length > 0) {
    const { units, hasInner } = open.pop() as Scope;
    if (!hasInner) continue;
    for (const unit of units) {
      if (unit.kind === 'node') continue;
      open.push(unit.body);
      if (unit.kind === 'cycle') for (const { index } of unit.back) back.add(index);
      const members = new Set(unit.members);
      for (const edge of edges) if (members.has(edge.to) && !members.has(edge.from)) reread.add(edge.index);
    }
  }
  return { reread, back };
}

/** Finds component and ports of each node. */
function* planNodes<Services>(
  nodes: readonly FlowNode[],
  registry: ComponentRegistry<Services>,
): Parts<readonly Growing<Services>[]> {
  const shared = new Map<string, NodeSetup<Services>>();
  const planOf = (node: FlowNode, index: number): Growing<Services> => {
    const setup = setupOf(node, registry, shared);
    const wanted = setup.outputNames;
    return { kind: 'node', index, node, setup, incoming: NO_EDGES, outgoing: NO_EDGES, wanted };
  };
  if (nodes.length <= NODES_OF_PART) return nodes.map(planOf);
  const planned: Growing<Services>[] = [];
  for (const [index, node] of nodes.entries()) {
    if (index > 0 && index % NODES_OF_PART === 0) yield;
    planned.push(planOf(node, index));
  }
  return planned;
}

const NODES_OF_PART = 1_000;

/** The setup of a node; one for all nodes of a type whose values do not change their ports. */
function setupOf<Services>(
  node: FlowNode,
  registry: ComponentRegistry<Services>,
  shared: Map<string, NodeSetup<Services>>,
): NodeSetup<Services> {
  const changesPorts = node.toolMode === true || node.run?.onError === 'port';
  const found = changesPorts ? undefined : shared.get(node.type);
  if (found !== undefined) return found;
  const component = requireEntry(registry, node);
  const setup = setUpNode(node, component);
  if (!changesPorts && hasFixedPorts(component)) shared.set(node.type, setup);
  return setup;
}

function setUpNode<Services>(node: FlowNode, component: Component<Services>): NodeSetup<Services> {
  const { fields, inputs, outputs } = portsOf(node, component);
  const { descriptor } = component;
  return {
    component,
    fields,
    inputs: new Map(inputs.map((input) => [input.name, input])),
    hasPruningInput: inputs.some(({ prunes }) => prunes),
    variableInputs: inputs.filter(({ variableOf }) => variableOf !== undefined),
    outputs,
    outputNames: new Set(outputs.map(({ name }) => name)),
    allowedOutputs: new Set([...outputs, ...descriptor.outputs, ERROR_OUTPUT].map(({ name }) => name)),
    connectedOne: new Map(inputs.map(({ name }) => [name, new Set([name])])),
    secretFields: fields.filter(({ kind }) => kind === 'secret').map(({ name }) => name),
    hasEffects: descriptor.effects.some((effect) => effect !== 'none'),
  };
}

/** Whether no value of a node changes its fields, inputs or outputs. */
function hasFixedPorts({ ports, descriptor }: Component<any>): boolean {
  return (
    ports === undefined &&
    descriptor.fields.every((field) => field.showWhen === undefined && !takesVariables(field)) &&
    descriptor.outputs.every(({ showWhen }) => showWhen === undefined)
  );
}

function wantedOutputs({ node, setup, outgoing }: PlanNode<any>): ReadonlySet<string> {
  const { selectedOutput } = node;
  const { outputNames } = setup;
  if (selectedOutput === undefined && (outgoing.length === 0 || outputNames.size === 1)) return outputNames;
  const wanted = new Set<string>();
  for (const { fromPort } of outgoing) wanted.add(fromPort);
  if (selectedOutput !== undefined) wanted.add(selectedOutput);
  return wanted;
}

function unknownOutput({ node, port }: PortRef, { outputs }: NodeSetup<any>): FlowError {
  return new FlowError(
    'unknown_port',
    `Output '${port}' not found on component '${node}'. Available: ${listOf(outputs)}`,
    { node, field: port },
  );
}

function requireLoopOutput({ node, port }: PortRef, { outputs, inputs }: NodeSetup<any>): void {
  if (outputs.some(({ name, loop }) => name === port && loop === true)) return;
  throw new FlowError(
    'unknown_port',
    `Input '${port}' not found on component '${node}'. Available: ${listOf([...inputs.values()])}`,
    { node, field: port },
  );
}

/** Names as the messages for models list them. */
const listOf = (ports: readonly { readonly name: string }[]): string =>
  `[${ports.map(({ name }) => `'${name}'`).join(', ')}]`;
