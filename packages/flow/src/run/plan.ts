import type { Component } from '../component.ts';
import type { FlowDocument, FlowEdge, FlowNode, PortRef } from '../document.ts';
import { FlowError } from '../errors.ts';
import { ERROR_OUTPUT, portsOf, takesVariables } from '../node-ports.ts';
import type { ComponentRegistry } from '../registry.ts';
import { arrange, type Scope } from './arrange.ts';
import type { NodeSetup, PlanEdge, PlanNode } from './plan-node.ts';

/** The work of a run: nodes, edges, and the order in which scopes of them may start. */
export interface Plan<Services> {
  readonly nodes: readonly PlanNode<Services>[];
  readonly edges: readonly PlanEdge[];
  readonly root: Scope;
  /** Edges that lead into a loop or cycle from outside: each round reads them again. */
  readonly reread: ReadonlySet<number>;
}

/**
 * Prepares a run. Iterative throughout: neither a chain of any length nor deep nesting of branches overflows the stack.
 * Costs time linear in nodes and edges.
 *
 * @throws FlowError `unknown_component`, `unknown_port`; `invalid_document` for a cycle without a loop or router
 */
export function planRun<Services>(flow: FlowDocument, registry: ComponentRegistry<Services>): Plan<Services> {
  const setups = setUpNodes(flow.nodes, registry);
  const indexOf = new Map<string, number>();
  for (let index = 0; index < flow.nodes.length; index++) indexOf.set((flow.nodes[index] as FlowNode).id, index);
  const incoming: EdgeLists = [];
  const outgoing: EdgeLists = [];
  const edges: PlanEdge[] = [];
  for (let index = 0; index < flow.edges.length; index++) {
    const { from, to } = flow.edges[index] as FlowEdge;
    const source = indexOf.get(from.node) as number;
    const target = indexOf.get(to.node) as number;
    const sourceSetup = setups[source] as NodeSetup<Services>;
    const targetSetup = setups[target] as NodeSetup<Services>;
    if (!sourceSetup.outputNames.has(from.port)) throw unknownOutput(from, sourceSetup);
    const isInput = targetSetup.inputs.has(to.port);
    if (!isInput) requireLoopOutput(to, targetSetup);
    const edge = { index, from: source, fromPort: from.port, to: target, toPort: to.port, isFeedback: !isInput };
    edges.push(edge);
    append(incoming, target, edge);
    append(outgoing, source, edge);
  }
  const nodes: PlanNode<Services>[] = [];
  for (let index = 0; index < flow.nodes.length; index++) {
    const node = flow.nodes[index] as FlowNode;
    const setup = setups[index] as NodeSetup<Services>;
    const leaving = outgoing[index] ?? NO_EDGES;
    const wanted = wantedOutputs(node, setup, leaving);
    nodes.push({ kind: 'node', index, node, setup, incoming: incoming[index] ?? NO_EDGES, outgoing: leaving, wanted });
  }
  const root = arrange(nodes, edges);
  return { nodes, edges, root, reread: rereadEdges(root, edges) };
}

type EdgeLists = (PlanEdge[] | undefined)[];

const NO_EDGES: readonly PlanEdge[] = [];

/** Most nodes have one edge: a list of one takes less memory than an empty list that grows. */
function append(lists: EdgeLists, node: number, edge: PlanEdge): void {
  const list = lists[node];
  if (list === undefined) lists[node] = [edge];
  else list.push(edge);
}

function rereadEdges(root: Scope, edges: readonly PlanEdge[]): Set<number> {
  const found = new Set<number>();
  const open = [root];
  while (open.length > 0) {
    const { units, hasInner } = open.pop() as Scope;
    if (!hasInner) continue;
    for (const unit of units) {
      if (unit.kind === 'node') continue;
      open.push(unit.body);
      const members = new Set(unit.members);
      for (const edge of edges) if (members.has(edge.to) && !members.has(edge.from)) found.add(edge.index);
    }
  }
  return found;
}

/** Finds component and ports of each node. */
function setUpNodes<Services>(
  nodes: readonly FlowNode[],
  registry: ComponentRegistry<Services>,
): readonly NodeSetup<Services>[] {
  const shared = new Map<string, NodeSetup<Services>>();
  const setups: NodeSetup<Services>[] = [];
  for (let index = 0; index < nodes.length; index++) {
    const node = nodes[index] as FlowNode;
    const changesPorts = node.toolMode === true || node.run?.onError === 'port';
    const found = changesPorts ? undefined : shared.get(node.type);
    if (found !== undefined) {
      setups.push(found);
      continue;
    }
    const component = registry.get(node.type);
    if (component === undefined)
      throw new FlowError(
        'unknown_component',
        `Node '${node.id}' has the type '${node.type}', which this Croft does not have. Replace or remove the node.`,
        { node: node.id },
      );
    const setup = setUpNode(node, component);
    if (!changesPorts && hasFixedPorts(component)) shared.set(node.type, setup);
    setups.push(setup);
  }
  return setups;
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

function wantedOutputs(
  { selectedOutput }: FlowNode,
  { outputNames }: NodeSetup<unknown>,
  outgoing: readonly PlanEdge[],
): ReadonlySet<string> {
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
