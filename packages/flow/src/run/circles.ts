import type { PlanEdge } from './plan-node.ts';

/** For each unit, the units that wait for it: one entry for each edge. */
export type After = readonly (readonly { readonly to: number }[])[];

/** Whether units wait for each other in a circle, by Kahn's algorithm. */
export function hasCircle(waitsFor: Int32Array, after: After): boolean {
  const left = waitsFor.slice();
  const sorted = new Int32Array(left.length);
  let count = 0;
  for (let unit = 0; unit < left.length; unit++) if (left[unit] === 0) sorted[count++] = unit;
  for (let done = 0; done < count; done++) {
    const next = after[sorted[done] as number] as After[number];
    for (let index = 0; index < next.length; index++) {
      const { to } = next[index] as { to: number };
      if ((left[to] = (left[to] as number) - 1) === 0) sorted[count++] = to;
    }
  }
  return count < left.length;
}

/** The edges without which the members have no circle: found depth first, from the members that edges from outside enter. */
export function backEdges(edges: readonly PlanEdge[], members: readonly number[]): PlanEdge[] {
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
export function stronglyConnected(
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
