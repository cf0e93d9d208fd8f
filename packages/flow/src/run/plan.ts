import type { Component, Output } from '../component.ts';
import type { FlowDocument, FlowNode } from '../document.ts';
import { FlowError } from '../errors.ts';
import { portsOf, takesVariables } from '../node-ports.ts';
import type { ComponentRegistry } from '../registry.ts';
import { arrange, type Scope } from './arrange.ts';
import type { PlanEdge, PlanNode } from './plan-node.ts';

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
  const indexOf = new Map(flow.nodes.map((node, index) => [node.id, index]));
  const incoming: PlanEdge[][] = flow.nodes.map(() => []);
  const outgoing: PlanEdge[][] = flow.nodes.map(() => []);
  const prepare = createPrepare(registry);
  const prepared = flow.nodes.map(prepare);
  const edges = flow.edges.map(({ from, to }, index): PlanEdge => {
    const source = indexOf.get(from.node) as number;
    const target = indexOf.get(to.node) as number;
    requireOutput(flow.nodes[source] as FlowNode, prepared[source]?.outputs ?? [], from.port);
    const isInput = prepared[target]?.inputs.has(to.port) === true;
    if (!isInput) requireLoopOutput(flow.nodes[target] as FlowNode, prepared[target] as Prepared<Services>, to.port);
    const edge = { index, from: source, fromPort: from.port, to: target, toPort: to.port, isFeedback: !isInput };
    incoming[target]?.push(edge);
    outgoing[source]?.push(edge);
    return edge;
  });
  const nodes = prepared.map((each, index): PlanNode<Services> => {
    const node = flow.nodes[index] as FlowNode;
    const leaving = outgoing[index] as PlanEdge[];
    return {
      index,
      node,
      component: each.component,
      fields: each.fields,
      inputs: each.inputs,
      variableInputs: each.variableInputs,
      outputs: each.outputs,
      incoming: incoming[index] as PlanEdge[],
      outgoing: leaving,
      wanted: wantedOutputs(node, each.outputs, leaving),
      secretFields: each.secretFields,
    };
  });
  const root = arrange(nodes, edges);
  return { nodes, edges, root, reread: rereadEdges(root, edges) };
}

function rereadEdges(root: Scope, edges: readonly PlanEdge[]): Set<number> {
  const found = new Set<number>();
  const open = [root];
  while (open.length > 0) {
    for (const unit of (open.pop() as Scope).units) {
      if (unit.kind === 'node') continue;
      open.push(unit.body);
      const members = new Set(unit.body.members);
      for (const edge of edges) if (members.has(edge.to) && !members.has(edge.from)) found.add(edge.index);
    }
  }
  return found;
}

type Prepared<Services> = Pick<
  PlanNode<Services>,
  'component' | 'fields' | 'inputs' | 'variableInputs' | 'outputs' | 'secretFields'
>;

/** Finds component and ports of nodes. Nodes whose ports do not depend on their values share one object. */
function createPrepare<Services>(registry: ComponentRegistry<Services>): (node: FlowNode) => Prepared<Services> {
  const shared = new Map<Component<Services>, Prepared<Services> | undefined>();
  return (node) => {
    const component = registry.get(node.type);
    if (component === undefined)
      throw new FlowError(
        'unknown_component',
        `Node '${node.id}' has the type '${node.type}', which this Croft does not have. Replace or remove the node.`,
        { node: node.id },
      );
    if (node.toolMode === true || node.run?.onError === 'port') return preparedOf(node, component);
    const found = shared.get(component);
    if (found !== undefined) return found;
    const prepared = preparedOf(node, component);
    if (!shared.has(component)) shared.set(component, hasFixedPorts(component) ? prepared : undefined);
    return prepared;
  };
}

function preparedOf<Services>(node: FlowNode, component: Component<Services>): Prepared<Services> {
  const { fields, inputs, outputs } = portsOf(node, component);
  return {
    component,
    fields,
    inputs: new Map(inputs.map((input) => [input.name, input])),
    variableInputs: inputs.filter(({ variableOf }) => variableOf !== undefined),
    outputs,
    secretFields: fields.filter(({ kind }) => kind === 'secret').map(({ name }) => name),
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

function wantedOutputs(node: FlowNode, outputs: readonly Output[], outgoing: readonly PlanEdge[]): Set<string> {
  const wanted = new Set<string>();
  for (const { fromPort } of outgoing) wanted.add(fromPort);
  if (node.selectedOutput !== undefined) wanted.add(node.selectedOutput);
  return wanted.size > 0 ? wanted : new Set(outputs.map(({ name }) => name));
}

function requireOutput(node: FlowNode, outputs: readonly Output[], port: string): void {
  if (outputs.some(({ name }) => name === port)) return;
  throw new FlowError(
    'unknown_port',
    `Output '${port}' not found on component '${node.id}'. Available: ${listOf(outputs)}`,
    { node: node.id, field: port },
  );
}

function requireLoopOutput(node: FlowNode, { outputs, inputs }: Prepared<unknown>, port: string): void {
  if (outputs.some(({ name, loop }) => name === port && loop === true)) return;
  throw new FlowError(
    'unknown_port',
    `Input '${port}' not found on component '${node.id}'. Available: ${listOf([...inputs.values()])}`,
    { node: node.id, field: port },
  );
}

/** Names as the messages for models list them. */
const listOf = (ports: readonly { readonly name: string }[]): string =>
  `[${ports.map(({ name }) => `'${name}'`).join(', ')}]`;
