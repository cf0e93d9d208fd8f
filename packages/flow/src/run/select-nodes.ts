import { FlowError } from '../errors.ts';
import type { Plan } from './plan.ts';
import type { PlanEdge } from './plan-node.ts';

/** Which nodes of a plan a run computes. */
export interface Selection {
  /** Left out without a word. */
  isSkipped(index: number): boolean;
  /** Gives its stored outputs where its inputs are the same. */
  isReused(index: number): boolean;
  /** Whether the run ends there, so that its outputs are the result. */
  isLast(index: number): boolean;
}

/**
 * Which nodes run: all; with `from`, that node and what follows it, with stored outputs before it; with `until`, what
 * leads to the node, from stored outputs if there are any.
 * Undefined where all run and none is reused.
 *
 * @throws FlowError `unknown_node`
 */
export function selectNodes(
  plan: Plan<never>,
  { from, until }: { readonly from?: string | undefined; readonly until?: string | undefined },
): Selection | undefined {
  if (from === undefined && until === undefined) return undefined;
  const last = until === undefined ? undefined : indexOf(plan, until);
  const again = from === undefined ? new Set<number>() : closure([indexOf(plan, from)], plan, 'outgoing');
  const needed = closure(last === undefined ? [...again] : [last], plan, 'incoming');
  return {
    isSkipped: (index) => !needed.has(index),
    isReused: (index) => (from === undefined ? index !== last : !again.has(index)),
    isLast: (index) => index === last,
  };
}

function indexOf(plan: Plan<never>, id: string): number {
  const index = plan.nodes.findIndex(({ node }) => node.id === id);
  if (index === -1) throw new FlowError('unknown_node', `Component not found in flow: ${id}`, { node: id });
  return index;
}

function closure(starts: readonly number[], plan: Plan<never>, direction: 'incoming' | 'outgoing'): Set<number> {
  const found = new Set<number>(starts);
  const open = [...starts];
  while (open.length > 0) {
    const edges: readonly PlanEdge[] = plan.nodes[open.pop() as number]?.[direction] ?? [];
    for (const edge of edges) {
      const next = direction === 'incoming' ? edge.from : edge.to;
      if (found.has(next)) continue;
      found.add(next);
      open.push(next);
    }
  }
  return found;
}
