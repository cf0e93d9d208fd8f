import { edgeKey, nodesById, type FlowDocument, type FlowNode } from './document.ts';
import type { Descriptor, Field } from './component.ts';
import { checkConnection } from './connect.ts';
import { FlowError } from './errors.ts';
import { isRequired, isShown, portsOf, type NodePorts } from './node-ports.ts';
import { type Parts, toEnd } from './parts.ts';
import type { Registry } from './registry.ts';
import { hasCircle } from './run/circles.ts';
import { withoutUnmappedTools } from './run/leave-out-tools.ts';
import { planRun } from './run/plan.ts';
import { wrongValue } from './wrong-value.ts';

/** Something about a flow that stops a run, or that its author should know. */
export interface Finding {
  readonly severity: 'error' | 'warning';
  readonly code:
    | 'unknown_type'
    | 'missing_value'
    | 'wrong_value'
    | 'type_mismatch'
    | 'unknown_port'
    | 'cycle'
    | 'orphan'
    | 'unmapped';
  readonly node?: string;
  readonly field?: string;
  readonly message: string;
  /** The next step for the author. */
  readonly fix: string;
}

/**
 * Checks a flow against the components there are. Runs nothing.
 *
 * Reports each finding with node, field and a fix: unknown types, required values that are missing, values of the wrong
 * kind, edges whose types do not fit, cycles outside of a loop or router, and orphans where there is more than one node.
 */
export function validateFlow(flow: FlowDocument, registry: Registry): readonly Finding[] {
  return toEnd(validateFlowInParts(flow, registry));
}

/** The same as {@link validateFlow}, in parts of a few milliseconds. */
export function* validateFlowInParts(flow: FlowDocument, registry: Registry): Parts<readonly Finding[]> {
  const runnable = withoutUnmappedTools(flow, registry);
  const nodes = nodesById(flow);
  const ports = keptPorts();
  const findings = yield* findingsOfNodes(flow, registry, new Set(runnable.leftOut), ports);
  const seen = new Set<string>();
  for (const edge of flow.edges) {
    const key = edgeKey(edge);
    if (seen.has(key)) continue;
    seen.add(key);
    if (seen.size % CHECKS_OF_PART === 0) yield;
    const source = nodes.get(edge.from.node);
    const target = nodes.get(edge.to.node);
    if (!source || !target || !registry.get(source.type) || !registry.get(target.type)) continue;
    const { problem, converter } = checkConnection(nodes, registry, edge, ports);
    if (problem === undefined) continue;
    findings.push({
      severity: 'error',
      code: problem.code === 'type_mismatch' ? 'type_mismatch' : 'unknown_port',
      ...problem.place,
      message: problem.message,
      fix: converter ? `Put a ${converter.component} between the two.` : 'Remove the edge, or connect another port.',
    });
  }
  if (findings.every(({ severity }) => severity !== 'error')) findings.push(...checkCycles(runnable.flow, registry));
  return findings;
}

/**
 * The findings of `validateFlow` about nodes alone: types, values and orphans. Cheap, and right also with a registry whose
 * entries lack the ports of their values, as a page has it.
 */
export function validateNodes(flow: FlowDocument, registry: Registry): readonly Finding[] {
  return toEnd(findingsOfNodes(flow, registry, new Set(withoutUnmappedTools(flow, registry).leftOut), keptPorts()));
}

function* findingsOfNodes(
  flow: FlowDocument,
  registry: Registry,
  leftOut: ReadonlySet<string>,
  ports: typeof portsOf,
): Parts<Finding[]> {
  const findings: Finding[] = [];
  const connected = new Map<string, Set<string>>();
  const touched = new Set<string>();
  for (const { from, to } of flow.edges) {
    touched.add(from.node).add(to.node);
    const ports = connected.get(to.node);
    if (ports) ports.add(to.port);
    else connected.set(to.node, new Set([to.port]));
  }
  for (const [index, node] of flow.nodes.entries()) {
    if (index % CHECKS_OF_PART === 0) yield;
    const entry = registry.get(node.type);
    if (entry === undefined) findings.push(unknownType(node, leftOut.has(node.id)));
    else
      for (const each of checkValues(node, entry.descriptor, ports(node, entry), connected.get(node.id) ?? new Set()))
        findings.push(each);
    if (flow.nodes.length > 1 && !touched.has(node.id) && entry?.descriptor.category !== 'notes')
      findings.push({
        severity: 'warning',
        code: 'orphan',
        node: node.id,
        message: `${node.id} is not connected to anything.`,
        fix: 'Connect the component or remove it.',
      });
  }
  return findings;
}

const CHECKS_OF_PART = 200;

/** Reads the ports of each node once. */
function keptPorts(): typeof portsOf {
  const kept = new Map<FlowNode, NodePorts>();
  return (node, entry) => {
    let ports = kept.get(node);
    if (ports === undefined) kept.set(node, (ports = portsOf(node, entry)));
    return ports;
  };
}

function unknownType(node: FlowNode, isLeftOut: boolean): Finding {
  const isImported = node.original !== undefined;
  return {
    severity: isLeftOut ? 'warning' : 'error',
    code: isImported ? 'unmapped' : 'unknown_type',
    node: node.id,
    message: `${node.id} has the type '${node.type}', which this Croft does not have.`,
    fix: isLeftOut
      ? 'A run leaves this tool out. Replace it by a component of Croft where the agent needs it.'
      : isImported
        ? 'Replace the imported component by one of Croft.'
        : 'Replace or remove the component.',
  };
}

function checkValues(
  node: FlowNode,
  descriptor: Descriptor,
  ports: NodePorts,
  connected: ReadonlySet<string>,
): Finding[] {
  const findings: Finding[] = [];
  for (const field of ports.fields) {
    if (connected.has(field.name) || !isShown(field.showWhen, node, ports.fields)) continue;
    const value = node.values[field.name] ?? field.default;
    const isEmpty =
      value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
    const isFilledByModel = node.toolMode === true && field.toolParameter === true;
    if (isEmpty) {
      if (isRequired(field, node, ports.fields) && !isFilledByModel)
        findings.push({
          severity: 'error',
          code: 'missing_value',
          node: node.id,
          field: field.name,
          message: `${node.id} needs a value for '${field.label}'.`,
          fix: howToFill(field),
        });
      continue;
    }
    const wrong = wrongValue(field, value);
    if (wrong !== undefined)
      findings.push({
        severity: 'error',
        code: 'wrong_value',
        node: node.id,
        field: field.name,
        message: `'${field.label}' of ${node.id} ${wrong}.`,
        fix: `Change '${field.name}'.`,
      });
  }
  const known = new Set([...ports.fields.map(({ name }) => name), ...ports.inputs.map(({ name }) => name)]);
  for (const name of Object.keys(node.values))
    if (!known.has(name) && descriptor.category !== 'custom')
      findings.push({
        severity: 'warning',
        code: 'wrong_value',
        node: node.id,
        field: name,
        message: `${node.id} has a value '${name}' that the component does not use.`,
        fix: 'Remove the value.',
      });
  return findings;
}

function howToFill({ name, kind, accepts }: Field): string {
  if (kind === 'handle') return `Connect '${name}'.`;
  return accepts?.length ? `Set '${name}' or connect it.` : `Set '${name}'.`;
}

/** A plan finds what no single edge shows. Components are not run. */
function checkCycles(flow: FlowDocument, registry: Registry): Finding[] {
  if (!flow.nodes.some(({ type }) => registry.get(type)?.descriptor.control === 'loop') && !isCircular(flow)) return [];
  try {
    planRun(flow, registry as never);
    return [];
  } catch (error) {
    if (!(error instanceof FlowError)) throw error;
    return [
      {
        severity: 'error',
        code: 'cycle',
        ...error.place,
        message: error.message,
        fix: 'Remove one edge of the cycle, or lead it through a Loop or a router.',
      },
    ];
  }
}

/** Whether edges form a circle. Much cheaper than a plan, which most flows do not need. */
function isCircular({ nodes, edges }: FlowDocument): boolean {
  const indexOf = new Map(nodes.map(({ id }, index) => [id, index]));
  const waitsFor = new Int32Array(nodes.length);
  const after: { to: number }[][] = nodes.map(() => []);
  for (const edge of edges) {
    const to = indexOf.get(edge.to.node) as number;
    waitsFor[to] = (waitsFor[to] as number) + 1;
    after[indexOf.get(edge.from.node) as number]?.push({ to });
  }
  return hasCircle(waitsFor, after);
}
