import { FlowError } from '../errors.ts';
import { type After, backEdges, hasCircle, stronglyConnected } from './circles.ts';
import type { PlanEdge, PlanNode } from './plan-node.ts';

/** One thing a scope starts as a whole. */
export type Unit =
  | PlanNode<unknown>
  /** A loop with what runs once a row. */
  | { readonly kind: 'loop'; readonly node: number; readonly members: readonly number[]; readonly body: Scope }
  /** Nodes in a circle through a router: run round after round while an edge back carries a value. */
  | {
      readonly kind: 'cycle';
      readonly members: readonly number[];
      readonly body: Scope;
      readonly back: readonly PlanEdge[];
      readonly maxRounds: number;
    };

/** Units that depend on each other without a circle. */
export interface Scope {
  readonly units: readonly Unit[];
  /** Whether a unit is a loop or a cycle. */
  readonly hasInner: boolean;
  /** For each unit, the number of edges that it waits for. */
  readonly waitsFor: Int32Array;
  /** For each unit, the units that wait for it: one entry for each edge. */
  readonly after: After;
}

type Nodes = readonly PlanNode<unknown>[];

const isFeedback = (edge: PlanEdge): boolean => edge.isFeedback;

const DEFAULT_ROUNDS = 10;
const MAX_ROUNDS = 1_000;

/**
 * Arranges nodes into scopes: a loop and its body become one unit, a circle through a router another.
 *
 * The body of a loop is what its looping output leads to and its other outputs do not.
 *
 * @throws FlowError `invalid_document` for a circle without a loop or a router
 */
export function arrange(nodes: Nodes, edges: readonly PlanEdge[]): Scope {
  const flat = edges.some(isFeedback) ? undefined : arrangeFlat(nodes);
  if (flat !== undefined) return flat;
  return arrangeScope(
    nodes,
    edges.filter(({ isFeedback }) => !isFeedback),
    nodes.map(({ index }) => index),
    new Set(),
  );
}

/** The many flows without a loop and without a circle: each node is the unit with the same index. Undefined for all others. */
function arrangeFlat(nodes: Nodes): Scope | undefined {
  const waitsFor = new Int32Array(nodes.length);
  for (let index = 0; index < nodes.length; index++) {
    const { setup, incoming } = nodes[index] as Nodes[number];
    if (setup.component.descriptor.control === 'loop') return undefined;
    waitsFor[index] = incoming.length;
  }
  const after = nodes.map(({ outgoing }) => outgoing);
  return hasCircle(waitsFor, after) ? undefined : { units: nodes, hasInner: false, waitsFor, after };
}

function arrangeScope(
  nodes: Nodes,
  edges: readonly PlanEdge[],
  members: readonly number[],
  ignored: ReadonlySet<PlanEdge>,
): Scope {
  const inside = new Set(members);
  const own = edges.filter((edge) => inside.has(edge.from) && inside.has(edge.to) && !ignored.has(edge));
  const owner = new Map<number, number>();
  const bodies = outermostLoops(nodes, own, members);
  for (const [loop, body] of bodies) for (const member of body) owner.set(member, loop);
  const representative = (node: number) => owner.get(node) ?? node;
  // Each node of a body is replaced by its loop: a circle in a body is a cycle inside of the loop.
  const outer = own.flatMap((edge) => {
    const [from, to] = [representative(edge.from), representative(edge.to)];
    return from === to && edge.from !== edge.to ? [] : [{ ...edge, from, to }];
  });
  const components = stronglyConnected(
    members.filter((node) => !owner.has(node)),
    outer.map(({ from, to }) => [from, to] as const),
  );
  const units: Unit[] = [];
  const unitOf = new Map<number, number>();
  const withBody = (node: number): readonly number[] => [node, ...(bodies.get(node) ?? [])];
  for (const { list, isCircle } of components) {
    const all = list.flatMap(withBody);
    for (const member of all) unitOf.set(member, units.length);
    const [first] = list as [number];
    const body = bodies.get(first);
    if (isCircle) units.push(cycle(nodes, own, all, outer));
    else if (body !== undefined)
      units.push({ kind: 'loop', node: first, members: body, body: arrangeScope(nodes, own, body, ignored) });
    else units.push(nodes[first] as Nodes[number]);
  }
  return { units, hasInner: units.some(({ kind }) => kind !== 'node'), ...dependencies(units.length, own, unitOf) };
}

function dependencies(
  count: number,
  edges: readonly PlanEdge[],
  unitOf: ReadonlyMap<number, number>,
): Pick<Scope, 'waitsFor' | 'after'> {
  const waitsFor = new Int32Array(count);
  const after: { to: number }[][] = Array.from({ length: count }, () => []);
  for (const edge of edges) {
    const from = unitOf.get(edge.from) as number;
    const to = unitOf.get(edge.to) as number;
    if (from === to) continue;
    waitsFor[to] = (waitsFor[to] as number) + 1;
    (after[from] as { to: number }[]).push({ to });
  }
  return { waitsFor, after };
}

/** Loops that are in no other loop's body, with their bodies. */
function outermostLoops(nodes: Nodes, edges: readonly PlanEdge[], members: readonly number[]): Map<number, number[]> {
  const loops = members.filter((index) => nodes[index]?.setup.component.descriptor.control === 'loop');
  const result = new Map<number, number[]>();
  if (loops.length === 0) return result;
  const next = new Map<number, PlanEdge[]>();
  for (const edge of edges) {
    const list = next.get(edge.from);
    if (list) list.push(edge);
    else next.set(edge.from, [edge]);
  }
  const bodies = new Map<number, Set<number>>();
  for (const loop of loops) {
    const looping = new Set(
      nodes[loop]?.setup.outputs.filter((output) => output.loop === true).map(({ name }) => name),
    );
    const starts = (isLooping: boolean) =>
      (next.get(loop) ?? []).filter((edge) => looping.has(edge.fromPort) === isLooping).map(({ to }) => to);
    const body = reachable(starts(true), next, loop);
    for (const node of reachable(starts(false), next, loop)) body.delete(node);
    bodies.set(loop, body);
  }
  for (const loop of loops) {
    if (loops.some((other) => other !== loop && bodies.get(other)?.has(loop) === true)) continue;
    result.set(
      loop,
      [...(bodies.get(loop) ?? [])].sort((a, b) => a - b),
    );
  }
  return result;
}

function reachable(
  starts: readonly number[],
  next: ReadonlyMap<number, readonly PlanEdge[]>,
  barrier: number,
): Set<number> {
  const found = new Set<number>();
  const open = [...starts];
  while (open.length > 0) {
    const node = open.pop() as number;
    if (node === barrier || found.has(node)) continue;
    found.add(node);
    for (const edge of next.get(node) ?? []) open.push(edge.to);
  }
  return found;
}

/** @param outer the edges with loops in place of the nodes of their bodies */
function cycle(nodes: Nodes, edges: readonly PlanEdge[], members: readonly number[], outer: readonly PlanEdge[]): Unit {
  const routers = members.filter((index) => nodes[index]?.setup.component.descriptor.control === 'router');
  if (routers.length === 0) {
    const names = members.map((index) => `'${nodes[index]?.node.id}'`).join(', ');
    const [first] = members as [number];
    const id = nodes[first]?.node.id;
    throw new FlowError(
      'invalid_document',
      `The components ${names} form a cycle. Break it, or lead it through a Loop or a router.`,
      {
        ...(id !== undefined && { node: id }),
      },
    );
  }
  const closing = new Set(backEdges(outer, members).map(({ index }) => index));
  const back = edges.filter(({ index }) => closing.has(index));
  const rounds = routers.map((index) => {
    const value = Number(nodes[index]?.node.values['max_iterations'] ?? DEFAULT_ROUNDS);
    return Number.isFinite(value) ? Math.min(Math.max(1, Math.trunc(value)), MAX_ROUNDS) : DEFAULT_ROUNDS;
  });
  return {
    kind: 'cycle',
    members,
    body: arrangeScope(nodes, edges, members, new Set(back)),
    back,
    maxRounds: Math.max(...rounds),
  };
}
