import type { FlowDocument, FlowEdge, FlowNode } from '@croft/flow';
import { isSame } from '../inspector/node-fields.ts';

/** A flow as a run began with it. */
export interface BegunFlow {
  readonly document: Parts;
  readonly nodes: ReadonlyMap<string, FlowNode>;
}

type Parts = Pick<FlowDocument, 'nodes' | 'edges'>;

/** The parts of a component that decide what it does in a run. */
export const PARTS_OF_RUN = [
  'type',
  'selectedOutput',
  'toolMode',
  'connectedFields',
  'pinned',
  'run',
  'code',
] as const satisfies readonly (keyof FlowNode)[];

const NONE: ReadonlySet<string> = new Set();

export const begunFlow = (document: Parts): BegunFlow => ({
  document,
  nodes: new Map(document.nodes.map((node) => [node.id, node])),
});

/**
 * The components that would run otherwise than in the run: their values, code, options or incoming connections are others,
 * or those of a component that leads to them. Pure: a component that is as it was again is not among them.
 */
export function changedSince(begun: BegunFlow, { nodes, edges }: Parts): ReadonlySet<string> {
  const hasSameInputs = sameInputs(begun.document.edges, edges);
  const changed = new Set<string>();
  for (const node of nodes) {
    const old = begun.nodes.get(node.id);
    const isAsBefore = old === undefined || ((old === node || isSameNode(old, node)) && hasSameInputs(node.id));
    if (!isAsBefore) changed.add(node.id);
  }
  if (changed.size === 0) return NONE;
  const next = new Map<string, string[]>();
  for (const { from, to } of edges) {
    const list = next.get(from.node);
    if (list) list.push(to.node);
    else next.set(from.node, [to.node]);
  }
  // A set gives what is added while one reads it.
  for (const id of changed) for (const each of next.get(id) ?? []) changed.add(each);
  return changed;
}

function isSameNode(old: FlowNode, node: FlowNode): boolean {
  if (!PARTS_OF_RUN.every((part) => isSame(old[part] ?? null, node[part] ?? null))) return false;
  if (old.values === node.values) return true;
  const names = new Set([...Object.keys(old.values), ...Object.keys(node.values)]);
  return [...names].every((name) => isSame(old.values[name] ?? null, node.values[name] ?? null));
}

/** Whether the same outputs lead to a component, in the same order. */
function sameInputs(before: readonly FlowEdge[], now: readonly FlowEdge[]): (id: string) => boolean {
  if (before === now) return () => true;
  const [olds, news] = [inputsOf(before), inputsOf(now)];
  return (id) => olds.get(id) === news.get(id);
}

function inputsOf(edges: readonly FlowEdge[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { from, to } of edges)
    found.set(to.node, `${found.get(to.node) ?? ''}${JSON.stringify([from.node, from.port, to.port])}`);
  return found;
}
