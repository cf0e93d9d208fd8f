import type { Outputs } from '../component.ts';
import type { Scope, Unit } from './arrange.ts';
import { EdgeValues } from './edge-values.ts';
import type { RunEvent } from './events.ts';
import { NodeRunner, type Round } from './node-runner.ts';
import type { Plan } from './plan.ts';
import type { PlanEdge, PlanNode } from './plan-node.ts';
import type { RunOptions } from './run-options.ts';
import { selectNodes, type Selection } from './select-nodes.ts';

/** Units started in a row before timers and other requests get their turn. */
const UNITS_BEFORE_PAUSE = 256;
const DEFAULT_PARALLEL = 64;

/** One run of a plan: starts units of nodes as their inputs arrive. Use it once. */
export class Execution<Services> {
  /** Outputs of the nodes at the flow's end, by node id. */
  readonly results: Record<string, Outputs> = {};
  readonly nodes: NodeRunner<Services>;
  /** Resolves when nothing of the run is under way any more. Never rejects. */
  settled: Promise<void> = Promise.resolve();
  /** A fault of the engine itself or of a component's descriptor; `nodes.failure` has those of nodes. */
  crash: unknown;

  readonly #plan: Plan<Services>;
  readonly #selection: Selection;
  readonly #edges: EdgeValues;
  readonly #stop: AbortController;
  readonly #maxParallel: number;
  /** Units started so far, in all scopes. */
  #started = 0;
  #queue: RunEvent[] = [];
  #wake: () => void = () => {};

  /** @throws FlowError `unknown_node` where `from` or `until` name none */
  constructor(plan: Plan<Services>, options: RunOptions<Services>, stop: AbortController) {
    this.#plan = plan;
    this.#selection = selectNodes(plan, options);
    this.#edges = new EdgeValues(plan.edges.length, plan.reread);
    this.#stop = stop;
    this.#maxParallel = options.maxParallel ?? DEFAULT_PARALLEL;
    this.nodes = new NodeRunner(
      options,
      stop,
      (index) => this.#selection.isReused(index),
      (event) => this.#emit(event),
    );
  }

  /** Starts the run and gives its events as they come: all that are waiting at once, because each step costs a promise. */
  async *events(): AsyncGenerator<readonly RunEvent[], void, void> {
    let isDone = false;
    this.settled = this.#runScope(this.#plan.root, { path: '', number: 0 })
      .catch((error: unknown) => {
        this.crash = error;
      })
      .finally(() => {
        isDone = true;
        this.#wake();
      });
    for (;;) {
      const events = this.#queue;
      this.#queue = [];
      if (events.length > 0) yield events;
      if (this.#queue.length > 0) continue;
      if (isDone) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Unread tokens of one node become one event, so that a slow reader costs little memory. */
  #emit(event: RunEvent): void {
    const last = this.#queue.at(-1);
    if (event.kind === 'token' && last?.kind === 'token' && last.node === event.node && last.path === event.path)
      this.#queue[this.#queue.length - 1] = { ...last, text: last.text + event.text };
    else this.#queue.push(event);
    this.#wake();
  }

  /** Runs the units of a scope until each has ended or the run was stopped. Edges from outside have arrived before. */
  async #runScope(scope: Scope, round: Round): Promise<void> {
    const { pending, after } = dependencies(scope);
    const ready = [...pending.keys()].filter((unit) => pending[unit] === 0);
    const { signal } = this.#stop;
    let running = 0;
    let next = 0;
    let crash: { error: unknown } | undefined;
    let wake: () => void = () => {};
    const ended = (unit: number) => {
      for (const later of after[unit] ?? [])
        if (--(pending as { [unit: number]: number })[later]! === 0) ready.push(later);
    };
    const onAbort = () => wake();
    signal.addEventListener('abort', onAbort);
    try {
      while (!signal.aborted && crash === undefined && (next < ready.length || running > 0)) {
        if (next >= ready.length || running >= this.#maxParallel) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
          continue;
        }
        const unit = ready[next++] as number;
        const work = this.#start(scope.units[unit] as Unit, round);
        if (work === undefined) ended(unit);
        else {
          running++;
          void work
            .then(
              () => ended(unit),
              (error: unknown) => {
                crash ??= { error };
              },
            )
            .finally(() => {
              running--;
              wake();
            });
        }
        if (++this.#started % UNITS_BEFORE_PAUSE === 0) await nextTurn();
      }
      while (running > 0)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
    if (crash !== undefined) throw (crash as { error: unknown }).error;
  }

  /** Undefined where the unit has ended already. */
  #start(unit: Unit, round: Round): Promise<void> | undefined {
    if (unit.kind === 'loop') return this.#runLoop(unit, round);
    if (unit.kind === 'cycle') return this.#runCycle(unit, round);
    const plan = this.#nodeAt(unit.node);
    const outputs = this.#compute(plan, round);
    if (outputs instanceof Promise) return outputs.then((each) => this.#deliver(plan, each));
    this.#deliver(plan, outputs);
    return undefined;
  }

  #compute(plan: PlanNode<Services>, round: Round): Outputs | undefined | Promise<Outputs | undefined> {
    if (this.#selection.isSkipped(plan.index)) return undefined;
    const arrived = this.#edges.take(plan as PlanNode<never>);
    if (arrived !== undefined) return this.nodes.run(plan, arrived, round);
    this.#emit({ kind: 'node_pruned', node: plan.node.id, path: round.path });
    return undefined;
  }

  #deliver(plan: PlanNode<Services>, outputs: Outputs | undefined): void {
    this.#edges.deliver(plan.outgoing, outputs);
    const { boundary } = plan.component.descriptor;
    const isEnd = boundary === 'output' || (boundary === undefined && plan.outgoing.length === 0);
    if (isEnd && outputs !== undefined) this.results[plan.node.id] = outputs;
  }

  /** Runs the body once for each item, one after the other, and gives what came back to the other outputs. */
  async #runLoop({ node, body }: Extract<Unit, { kind: 'loop' }>, round: Round): Promise<void> {
    const plan = this.#nodeAt(node);
    const outputs = await this.#compute(plan, round);
    const looping = plan.outputs.filter((output) => output.loop === true).map(({ name }) => name);
    const [name] = looping;
    const given = name === undefined ? undefined : outputs?.[name];
    if (outputs === undefined || !Array.isArray(given)) {
      this.#edges.deliver(plan.outgoing, undefined);
      for (const member of body.members) this.#deliver(this.#nodeAt(member), undefined);
      return;
    }
    const inside = edgesInside(this.#plan, body, node);
    const starts = plan.outgoing.filter(({ fromPort }) => looping.includes(fromPort));
    const feedback = plan.incoming.filter(({ isFeedback }) => isFeedback);
    const results: unknown[] = [];
    for (const [number, item] of given.entries()) {
      if (this.#stop.signal.aborted) return;
      this.#edges.reset(inside);
      this.#edges.deliver(starts, { [name as string]: item });
      this.#emit({ kind: 'progress', node: plan.node.id, path: round.path, done: number, total: given.length });
      await this.#runScope(body, { path: childPath(round, plan.node.id, number), number });
      for (const value of this.#edges.arrivedOn(feedback)) results.push(...rowsOf(value));
    }
    const others = plan.outputs.filter((output) => output.loop !== true);
    this.#deliver(plan, { ...outputs, ...Object.fromEntries(others.map((output) => [output.name, results])) });
  }

  /** Runs the members round after round while an edge back carries a value. */
  async #runCycle({ body, back, maxRounds }: Extract<Unit, { kind: 'cycle' }>, round: Round): Promise<void> {
    const isBack = new Set(back);
    const members = new Set(body.members);
    const inside = this.#plan.edges.filter((edge) => members.has(edge.from) && !isBack.has(edge));
    const first = this.#nodeAt(body.members[0] as number).node.id;
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

function dependencies(scope: Scope): { pending: Int32Array; after: (number[] | undefined)[] } {
  const pending = new Int32Array(scope.units.length);
  const after: (number[] | undefined)[] = Array.from({ length: scope.units.length });
  for (const edge of scope.edges) {
    const to = scope.unitOf.get(edge.to) as number;
    pending[to] = (pending[to] as number) + 1;
    (after[scope.unitOf.get(edge.from) as number] ??= []).push(to);
  }
  return { pending, after };
}

/** Edges whose values belong to one round of a loop. */
function edgesInside(plan: Plan<never>, body: Scope, loop: number): PlanEdge[] {
  const members = new Set(body.members);
  return plan.edges.filter((edge) => members.has(edge.from) || (edge.from === loop && members.has(edge.to)));
}

const childPath = ({ path }: Round, node: string, number: number): string =>
  `${path === '' ? '' : `${path}/`}${node}[${number}]`;

/** The result of one round of a loop, as rows. */
function rowsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return [typeof value === 'object' && value !== null ? value : { text: String(value) }];
}

/** Lets timers, requests and aborts happen between two parts of a long chain. */
const nextTurn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));
