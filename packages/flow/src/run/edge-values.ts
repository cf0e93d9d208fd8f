import type { Outputs } from '../component.ts';
import type { PlanEdge, PlanNode } from './plan-node.ts';
import type { Arrived } from './node-inputs.ts';

const WAITING = 0;
const ARRIVED = 1;
const PRUNED = 2;

const NOTHING: Arrived = new Map();

/** The state of each edge of a run: waiting, arrived with a value, or pruned. */
export class EdgeValues {
  readonly #states: Uint8Array;
  readonly #values: unknown[];
  readonly #reread: ReadonlySet<number>;

  /** @param reread edges that later rounds of a loop or cycle read again; the values of all others are released when read */
  constructor(count: number, reread: ReadonlySet<number>) {
    this.#states = new Uint8Array(count);
    this.#values = Array.from<unknown>({ length: count });
    this.#reread = reread;
  }

  /**
   * The values that edges brought to a node; undefined where the node is pruned: a required input did not come, or none at all did.
   * Edges of a circle that have not carried anything yet do not count.
   */
  take(plan: PlanNode<never>): Arrived | undefined {
    if (plan.incoming.length === 0) return NOTHING;
    const arrived = new Map<string, unknown[]>();
    let decided = 0;
    for (const edge of plan.incoming) {
      if (edge.isFeedback || this.#states[edge.index] === WAITING) continue;
      decided++;
      if (this.#states[edge.index] !== ARRIVED) continue;
      const list = arrived.get(edge.toPort);
      if (list) list.push(this.#values[edge.index]);
      else arrived.set(edge.toPort, [this.#values[edge.index]]);
      if (!this.#reread.has(edge.index)) this.#values[edge.index] = undefined;
    }
    if (decided > 0 && arrived.size === 0) return undefined;
    for (const edge of plan.incoming)
      if (!edge.isFeedback && plan.inputs.get(edge.toPort)?.required === true && !arrived.has(edge.toPort))
        return undefined;
    return arrived;
  }

  /** Puts a node's outputs on its edges. An output that is missing prunes its edges. */
  deliver(edges: readonly PlanEdge[], outputs: Outputs | undefined): void {
    for (const edge of edges) {
      const value = outputs !== undefined && Object.hasOwn(outputs, edge.fromPort) ? outputs[edge.fromPort] : undefined;
      this.#states[edge.index] = value === undefined ? PRUNED : ARRIVED;
      this.#values[edge.index] = value;
    }
  }

  /** Sets edges to waiting before the next round. */
  reset(edges: readonly PlanEdge[]): void {
    for (const edge of edges) {
      this.#states[edge.index] = WAITING;
      this.#values[edge.index] = undefined;
    }
  }

  hasArrived(edge: PlanEdge): boolean {
    return this.#states[edge.index] === ARRIVED;
  }

  /** The values of these edges that arrived. */
  arrivedOn(edges: readonly PlanEdge[]): readonly unknown[] {
    return edges.flatMap((edge) => (this.#states[edge.index] === ARRIVED ? [this.#values[edge.index]] : []));
  }
}
