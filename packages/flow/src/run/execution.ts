import type { Outputs } from '../component.ts';
import { ERROR_OUTPUT } from '../node-ports.ts';
import type { Scope, Unit } from './arrange.ts';
import type { After } from './circles.ts';
import { decisionText } from './decision-text.ts';
import { EdgeValues } from './edge-values.ts';
import { EventQueue } from './event-queue.ts';
import type { RunEvent } from './events.ts';
import { nextTurn, sliceMs } from './next-turn.ts';
import { NodeRunner, type Round } from './node-runner.ts';
import type { Plan } from './plan.ts';
import type { PlanEdge, PlanNode } from './plan-node.ts';
import type { RunOptions } from './run-options.ts';
import { selectNodes, type Selection } from './select-nodes.ts';

/** Pruned units do not read the clock: after so many, a run pauses in any case. */
const UNITS_BEFORE_PAUSE = 256;
const DEFAULT_PARALLEL = 64;

/** One run of a plan: starts units of nodes as their inputs arrive. Use it once. */
export class Execution<Services> {
  /** Outputs of the nodes at the flow's end, by node id. */
  readonly results = Object.create(null) as Record<string, Outputs>;
  /** The last decision of a person at each node after which the flow does not continue, by node id. */
  readonly decisions = new Map<string, string>();
  readonly nodes: NodeRunner<Services>;
  /** Resolves when nothing of the run is under way any more. Never rejects. */
  settled: Promise<void> = Promise.resolve();
  /** A fault of the engine itself or of a component's descriptor; `nodes.failure` has those of nodes. */
  crash: unknown;

  readonly #plan: Plan<Services>;
  readonly #selection: Selection | undefined;
  readonly #edges: EdgeValues;
  readonly #stop: AbortController;
  readonly #maxParallel: number;
  /** Units started so far, in all scopes. */
  #started = 0;
  /** When the run continued after its last pause. */
  #continued = performance.now();
  readonly #events = new EventQueue();

  /** @throws FlowError `unknown_node` where `from` or `until` name none */
  constructor(plan: Plan<Services>, options: RunOptions<Services>, stop: AbortController) {
    this.#plan = plan;
    this.#selection = selectNodes(plan, options);
    this.#edges = new EdgeValues(plan.edges.length, plan.reread, plan.back);
    this.#stop = stop;
    this.#maxParallel = options.maxParallel ?? DEFAULT_PARALLEL;
    this.nodes = new NodeRunner(options, stop, this.#edges, this.#selection, (event) => this.#events.add(event));
  }

  /** Starts the run and gives its events as they come: all that are waiting at once, because each step costs a promise. */
  async *events(): AsyncGenerator<readonly RunEvent[], void, void> {
    this.settled = this.#runScope(this.#plan.root, { path: '', number: 0 })
      .catch((error: unknown) => {
        this.crash = error;
      })
      .finally(() => this.#events.end());
    yield* this.#events.read();
  }

  /** Runs the units of a scope until each has ended or the run was stopped. Edges from outside have arrived before. */
  async #runScope(scope: Scope, round: Round): Promise<void> {
    const waitsFor = scope.waitsFor.slice();
    const ready = new Int32Array(waitsFor.length);
    let known = 0;
    for (let unit = 0; unit < waitsFor.length; unit++) if (waitsFor[unit] === 0) ready[known++] = unit;
    const { signal } = this.#stop;
    let isStopped = signal.aborted;
    let running = 0;
    let next = 0;
    let crash: { error: unknown } | undefined;
    let wake: () => void = () => {};
    const woken = async () => {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      this.nodes.tick();
    };
    const ended = (unit: number) => {
      const next = scope.after[unit] as After[number];
      for (let index = 0; index < next.length; index++) {
        const { to } = next[index] as { to: number };
        if ((waitsFor[to] = (waitsFor[to] as number) - 1) === 0) ready[known++] = to;
      }
    };
    const settled = () => {
      running--;
      wake();
    };
    // A closure in the loop below would cost an allocation for each unit.
    const follow = (unit: number, work: Promise<void>) => {
      running++;
      work
        .then(
          () => ended(unit),
          (error: unknown) => {
            crash ??= { error };
            this.#stop.abort(error);
          },
        )
        .then(settled, settled);
    };
    const onAbort = () => {
      isStopped = true;
      wake();
    };
    signal.addEventListener('abort', onAbort);
    this.nodes.tick();
    try {
      while (!isStopped && crash === undefined && (next < known || running > 0)) {
        if (next >= known || running >= this.#maxParallel) {
          await woken();
          continue;
        }
        const unit = ready[next++] as number;
        const work = this.#start(scope.units[unit] as Unit, round);
        if (work === undefined) ended(unit);
        else follow(unit, work);
        if (++this.#started % UNITS_BEFORE_PAUSE === 0 || this.nodes.now - this.#continued > sliceMs()) {
          await nextTurn();
          this.#continued = this.nodes.tick();
        }
      }
      while (running > 0) await woken();
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
    if (crash !== undefined) throw (crash as { error: unknown }).error;
  }

  /** Undefined where the unit has ended already. */
  #start(unit: Unit, round: Round): Promise<void> | undefined {
    if (unit.kind === 'loop') return this.#runLoop(unit, round);
    if (unit.kind === 'cycle') return this.#runCycle(unit, round);
    const plan = unit as PlanNode<Services>;
    const outputs = this.#compute(plan, round);
    if (outputs instanceof Promise) return this.#deliverLater(plan, outputs);
    this.#deliver(plan, outputs);
    return undefined;
  }

  #deliverLater(plan: PlanNode<Services>, outputs: Promise<Outputs | undefined>): Promise<void> {
    return outputs.then((each) => this.#deliver(plan, each));
  }

  #compute(plan: PlanNode<Services>, round: Round): Outputs | undefined | Promise<Outputs | undefined> {
    if (this.#selection?.isSkipped(plan.index) === true) return undefined;
    if (!this.#edges.isPruned(plan as PlanNode<never>)) return this.nodes.run(plan, round);
    this.#events.add({ kind: 'node_pruned', node: plan.node.id, path: round.path });
    return undefined;
  }

  #deliver(plan: PlanNode<Services>, outputs: Outputs | undefined): void {
    if (plan.outgoing.length > 0) this.#edges.deliver(plan.outgoing, outputs);
    const { boundary } = plan.setup.component.descriptor;
    const isEnd =
      boundary === 'output' ||
      (boundary === undefined && plan.outgoing.length === 0) ||
      this.#selection?.isLast(plan.index) === true;
    if (outputs === undefined) return;
    if (isEnd) this.results[plan.node.id] = outputs;
    const decision = decisionText(plan as PlanNode<never>, outputs);
    if (decision !== undefined) this.decisions.set(plan.node.id, decision);
  }

  /** Runs the body once for each item, one after the other, and gives what came back to the other outputs. */
  async #runLoop({ node, members, body }: Extract<Unit, { kind: 'loop' }>, round: Round): Promise<void> {
    const plan = this.#nodeAt(node);
    const outputs = await this.#compute(plan, round);
    const looping = plan.setup.outputs.filter((output) => output.loop === true).map(({ name }) => name);
    const [name] = looping;
    const given = name === undefined ? undefined : outputs?.[name];
    if (outputs === undefined || !Array.isArray(given)) {
      // A loop that failed may send its error on.
      this.#deliver(plan, outputs && Object.hasOwn(outputs, ERROR_OUTPUT.name) ? outputs : undefined);
      for (const member of members) this.#deliver(this.#nodeAt(member), undefined);
      return;
    }
    const inside = edgesInside(this.#plan, members, node);
    const starts = plan.outgoing.filter(({ fromPort }) => looping.includes(fromPort));
    const feedback = plan.incoming.filter(({ isFeedback }) => isFeedback);
    const results: unknown[] = [];
    for (const [number, item] of given.entries()) {
      if (this.#stop.signal.aborted) return;
      this.#edges.reset(inside);
      this.#edges.deliver(starts, { [name as string]: item });
      this.#events.add({ kind: 'progress', node: plan.node.id, path: round.path, done: number, total: given.length });
      await this.#runScope(body, { path: childPath(round, plan.node.id, number), number: 0 });
      for (const value of this.#edges.arrivedOn(feedback)) for (const row of rowsOf(value)) results.push(row);
    }
    const others = plan.setup.outputs.filter((output) => output.loop !== true);
    this.#deliver(plan, { ...outputs, ...Object.fromEntries(others.map((output) => [output.name, results])) });
  }

  /** Runs the members round after round while an edge back carries a value. */
  async #runCycle({ members, body, back, maxRounds }: Extract<Unit, { kind: 'cycle' }>, round: Round): Promise<void> {
    const isBack = new Set(back);
    const own = new Set(members);
    const inside = this.#plan.edges.filter((edge) => own.has(edge.from) && !isBack.has(edge));
    const first = this.#nodeAt(members[0] as number).node.id;
    this.#edges.reset(back);
    for (let number = 0; !this.#stop.signal.aborted; number++) {
      this.#edges.reset(inside);
      await this.#runScope(body, { path: childPath(round, first, number), number });
      if (!back.some((edge) => this.#edges.hasArrived(edge))) return;
      if (number >= maxRounds) {
        this.#edges.reset(back);
        throw new Error(
          `The cycle through ${first} did not end after ${maxRounds} rounds. Check the router's condition and its max_iterations.`,
        );
      }
    }
  }

  #nodeAt(index: number): PlanNode<Services> {
    return this.#plan.nodes[index] as PlanNode<Services>;
  }
}

/** Edges whose values belong to one round of a loop. */
function edgesInside(plan: Plan<never>, members: readonly number[], loop: number): PlanEdge[] {
  const own = new Set(members);
  return plan.edges.filter((edge) => own.has(edge.from) || (edge.from === loop && own.has(edge.to)));
}

const childPath = ({ path }: Round, node: string, number: number): string =>
  `${path === '' ? '' : `${path}/`}${node}[${number}]`;

/** The result of one round of a loop, as rows. */
function rowsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return [typeof value === 'object' && value !== null ? value : { text: String(value) }];
}
