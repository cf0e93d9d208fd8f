import { FlowError } from '../errors.ts';
import type { PlanEdge, PlanNode } from './plan-node.ts';

/** One thing a scope starts as a whole. */
export type Unit =
  | { readonly kind: 'node'; readonly node: number }
  /** A loop with what runs once a row. */
  | { readonly kind: 'loop'; readonly node: number; readonly body: Scope }
  /** Nodes in a circle through a router: run round after round while an edge back carries a value. */
  | { readonly kind: 'cycle'; readonly body: Scope; readonly back: readonly PlanEdge[]; readonly maxRounds: number };

/** Units that depend on each other without a circle. */
export interface Scope {
  readonly units: readonly Unit[];
  /** All nodes of the units, also inside of loops and cycles. */
  readonly members: readonly number[];
  /** The unit of a member, by node index. */
  readonly unitOf: ReadonlyMap<number, number>;
  /** Edges between two different units of this scope. */
  readonly edges: readonly PlanEdge[];
}

type Nodes = readonly PlanNode<unknown>[];

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
  const forward = edges.filter(({ isFeedback }) => !isFeedback);
  const sorted = sortWithoutCircles(nodes, forward);
  if (sorted !== undefined) {
    const unitOf = new Map(sorted.map((node, unit) => [node, unit]));
    return { units: sorted.map((node) => ({ kind: 'node', node })), members: sorted, unitOf, edges: forward };
  }
  return arrangeScope(
    nodes,
    forward,
    nodes.map((_, index) => index),
    new Set(),
  );
}

/** Kahn's topological order, for the many flows without a loop and without a circle; undefined for all others. */
function sortWithoutCircles(nodes: Nodes, edges: readonly PlanEdge[]): readonly number[] | undefined {
  const waitsFor = new Int32Array(nodes.length);
  for (const { to } of edges) waitsFor[to] = (waitsFor[to] as number) + 1;
  const sorted: number[] = [];
  for (const { index, component } of nodes) {
    if (component.descriptor.control === 'loop') return undefined;
    if (waitsFor[index] === 0) sorted.push(index);
  }
  for (const done of sorted)
    for (const { to } of nodes[done]?.outgoing ?? [])
      if ((waitsFor[to] = (waitsFor[to] as number) - 1) === 0) sorted.push(to);
  return sorted.length === nodes.length ? sorted : undefined;
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
  const components = stronglyConnected(
    members.filter((node) => !owner.has(node)),
    own.flatMap((edge) => {
      const from = representative(edge.from);
      const to = representative(edge.to);
      return from === to && edge.from !== edge.to ? [] : [[from, to] as const];
    }),
  );
  const units: Unit[] = [];
  const unitOf = new Map<number, number>();
  const withBody = (node: number): readonly number[] => [node, ...(bodies.get(node) ?? [])];
  for (const { list, isCircle } of components) {
    const all = list.flatMap(withBody);
    for (const member of all) unitOf.set(member, units.length);
    const [first] = list as [number];
    const body = bodies.get(first);
    if (isCircle) units.push(cycle(nodes, own, all));
    else if (body !== undefined)
      units.push({ kind: 'loop', node: first, body: arrangeScope(nodes, own, body, ignored) });
    else units.push({ kind: 'node', node: first });
  }
  return { units, members, unitOf, edges: own.filter((edge) => unitOf.get(edge.from) !== unitOf.get(edge.to)) };
}

/** Loops that are in no other loop's body, with their bodies. */
function outermostLoops(nodes: Nodes, edges: readonly PlanEdge[], members: readonly number[]): Map<number, number[]> {
  const loops = members.filter((index) => nodes[index]?.component.descriptor.control === 'loop');
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
    const looping = new Set(nodes[loop]?.outputs.filter((output) => output.loop === true).map(({ name }) => name));
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

function cycle(nodes: Nodes, edges: readonly PlanEdge[], members: readonly number[]): Unit {
  const routers = members.filter((index) => nodes[index]?.component.descriptor.control === 'router');
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
  const back = backEdges(edges, members);
  const rounds = routers.map((index) => {
    const value = Number(nodes[index]?.node.values['max_iterations'] ?? DEFAULT_ROUNDS);
    return Number.isFinite(value) ? Math.min(Math.max(1, Math.trunc(value)), MAX_ROUNDS) : DEFAULT_ROUNDS;
  });
  return {
    kind: 'cycle',
    body: arrangeScope(nodes, edges, members, new Set(back)),
    back,
    maxRounds: Math.max(...rounds),
  };
}

/** The edges without which the members have no circle: found depth first, from the members that edges from outside enter. */
function backEdges(edges: readonly PlanEdge[], members: readonly number[]): PlanEdge[] {
  const inside = new Set(members);
  const next = new Map<number, PlanEdge[]>(members.map((node) => [node, []]));
  const entered = new Set<number>();
  for (const edge of edges) {
    if (inside.has(edge.from) && inside.has(edge.to)) next.get(edge.from)?.push(edge);
    else if (inside.has(edge.to)) entered.add(edge.to);
  }
  const back: PlanEdge[] = [];
  const state = new Map<number, 'open' | 'done'>();
  for (const start of [...entered, ...members]) {
    if (state.has(start)) continue;
    const stack = [{ node: start, at: 0 }];
    state.set(start, 'open');
    while (stack.length > 0) {
      const top = stack.at(-1) as { node: number; at: number };
      const edge = next.get(top.node)?.[top.at++];
      if (edge === undefined) {
        state.set(top.node, 'done');
        stack.pop();
      } else if (state.get(edge.to) === 'open') back.push(edge);
      else if (!state.has(edge.to)) {
        state.set(edge.to, 'open');
        stack.push({ node: edge.to, at: 0 });
      }
    }
  }
  return back;
}

/** Tarjan's strongly connected components without recursion, in the order in which they may run. */
function stronglyConnected(
  nodes: readonly number[],
  edges: readonly (readonly [number, number])[],
): { list: number[]; isCircle: boolean }[] {
  const next = new Map<number, number[]>(nodes.map((node) => [node, []]));
  const selfEdges = new Set<number>();
  for (const [from, to] of edges) {
    if (from === to) selfEdges.add(from);
    else next.get(from)?.push(to);
  }
  const order = new Map<number, number>();
  const low = new Map<number, number>();
  const onStack = new Set<number>();
  const path: number[] = [];
  const result: { list: number[]; isCircle: boolean }[] = [];
  for (const start of nodes) {
    if (order.has(start)) continue;
    const work = [{ node: start, at: 0 }];
    while (work.length > 0) {
      const top = work.at(-1) as { node: number; at: number };
      const { node } = top;
      if (top.at === 0) {
        order.set(node, order.size);
        low.set(node, order.get(node) as number);
        path.push(node);
        onStack.add(node);
      }
      const to = next.get(node)?.[top.at++];
      if (to !== undefined) {
        if (!order.has(to)) work.push({ node: to, at: 0 });
        else if (onStack.has(to)) low.set(node, Math.min(low.get(node) as number, order.get(to) as number));
        continue;
      }
      work.pop();
      const parent = work.at(-1);
      if (parent) low.set(parent.node, Math.min(low.get(parent.node) as number, low.get(node) as number));
      if (low.get(node) !== order.get(node)) continue;
      const list = path.splice(path.lastIndexOf(node));
      for (const member of list) onStack.delete(member);
      result.push({ list: list.sort((a, b) => a - b), isCircle: list.length > 1 || selfEdges.has(node) });
    }
  }
  return result.reverse();
}
