import type { Outputs } from '../component.ts';
import type { PlanEdge, PlanNode } from './plan-node.ts';

const WAITING = 0;
const ARRIVED = 1;
const PRUNED = 2;

/**
 * The state of each edge of a run: waiting, arrived with a value, or pruned.
 *
 * Loops of the engine that run for each node count an index: `for of` costs an object for each element until V8 has
 * optimised the function, and most runs end before that.
 */
export class EdgeValues {
  readonly #states: Uint8Array;
  readonly #values: unknown[];
  readonly #reread: ReadonlySet<number>;
  readonly #back: ReadonlySet<number>;

  /**
   * @param reread edges that later rounds of a loop or cycle read again; the values of all others are released when read
   * @param back edges that bring a value back to the start of a cycle: it takes the place of the first round's
   */
  constructor(count: number, reread: ReadonlySet<number>, back: ReadonlySet<number>) {
    this.#states = new Uint8Array(count);
    this.#values = [];
    this.#values.length = count;
    this.#reread = reread;
    this.#back = back;
  }

  /**
   * Whether a run prunes the node: a required input or a gate has no value, or the node has edges and none of them has a value.
   * Edges of a circle that have not carried anything yet do not count.
   */
  isPruned({ incoming, setup }: PlanNode<never>): boolean {
    let decided = 0;
    let arrived = 0;
    for (let at = 0; at < incoming.length; at++) {
      const { index, isFeedback } = incoming[at] as PlanEdge;
      if (isFeedback || this.#states[index] === WAITING) continue;
      decided++;
      if (this.#states[index] === ARRIVED) arrived++;
    }
    if (decided > 0 && arrived === 0) return true;
    return setup.hasPruningInput && arrived < incoming.length && this.#misses(incoming, setup);
  }

  #misses(incoming: readonly PlanEdge[], { inputs }: PlanNode<never>['setup']): boolean {
    const missing = new Set<string>();
    for (const { toPort, isFeedback } of incoming)
      if (!isFeedback && inputs.get(toPort)?.prunes === true) missing.add(toPort);
    for (const { index, toPort } of incoming) if (this.#states[index] === ARRIVED) missing.delete(toPort);
    return missing.size > 0;
  }

  /**
   * The values that edges brought to a port, in the order of the edges; undefined where none did. Where a cycle brought some
   * back, those alone. Releases them, so call it once for each port of a run.
   */
  take({ incoming }: PlanNode<never>, port: string): unknown[] | undefined {
    let values: unknown[] | undefined;
    let cameBack = false;
    for (let at = 0; at < incoming.length; at++) {
      const { index, toPort, isFeedback } = incoming[at] as PlanEdge;
      if (toPort !== port || isFeedback || this.#states[index] !== ARRIVED) continue;
      const value = this.#values[index];
      const isBack = this.#back.has(index);
      if (values === undefined || (isBack && !cameBack)) values = [value];
      else if (isBack === cameBack) values.push(value);
      if (isBack) cameBack = true;
      if (!this.#reread.has(index)) this.#values[index] = undefined;
    }
    return values;
  }

  /** Puts a node's outputs on its edges. An output that is missing prunes its edges. */
  deliver(edges: readonly PlanEdge[], outputs: Outputs | undefined): void {
    for (let at = 0; at < edges.length; at++) {
      const { index, fromPort } = edges[at] as PlanEdge;
      const value = outputs !== undefined && Object.hasOwn(outputs, fromPort) ? outputs[fromPort] : undefined;
      this.#states[index] = value === undefined ? PRUNED : ARRIVED;
      this.#values[index] = value;
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
