import type { NodeCall, Outputs } from '../component.ts';
import type { Json } from '../document.ts';
import { FlowError } from '../errors.ts';
import { ERROR_OUTPUT } from '../node-ports.ts';
import type { EdgeValues } from './edge-values.ts';
import type { Failure, RunEvent } from './events.ts';
import { isLongJson } from '../json-text.ts';
import { inputHash } from './input-hash.ts';
import { isPlain } from './is-plain.ts';
import { inputsOf } from './node-inputs.ts';
import { NodeReport, type RunReport } from './node-report.ts';
import { OpenWork } from './open-work.ts';
import type { PlanNode } from './plan-node.ts';
import { clip, previewOf, redactText, REDACTED } from './preview.ts';
import { RedactedStream } from './redact-stream.ts';
import type { RunOptions, StoredOutputs } from './run-options.ts';
import { messageOf, runNode } from './run-node.ts';
import type { Selection } from './select-nodes.ts';

const DEFAULT_GRACE_MS = 1_000;
const MAX_HASHED_CHARACTERS = 64 * 1024;
const NO_SECRETS: ReadonlySet<string> = new Set();

/** Where in the rounds of loops and cycles a node runs. */
export interface Round {
  readonly path: string;
  readonly number: number;
}

/** Runs single nodes of one run and emits their events. */
export class NodeRunner<Services> implements RunReport {
  readonly tokens = { input: 0, output: 0 };
  /** The failure that ended the run; absent while none did. */
  failure: Failure | undefined;
  readonly emit: (event: RunEvent) => void;

  readonly #options: RunOptions<Services>;
  readonly #stop: AbortController;
  readonly #edges: EdgeValues;
  readonly #selection: Selection | undefined;
  readonly #open: OpenWork;
  readonly #keyPrefix: string;
  /** The time of the last reading of the clock. */
  #now = 0;

  constructor(
    options: RunOptions<Services>,
    stop: AbortController,
    edges: EdgeValues,
    selection: Selection | undefined,
    emit: (event: RunEvent) => void,
  ) {
    this.#options = options;
    this.#stop = stop;
    this.#edges = edges;
    this.#selection = selection;
    this.#open = new OpenWork(stop.signal, options.graceMs ?? DEFAULT_GRACE_MS);
    this.#keyPrefix = `${options.runId ?? ''}/`;
    this.emit = emit;
  }

  get now(): number {
    return this.#now;
  }

  /**
   * Reads the clock. A node starts at the last reading: call this after each wait, so that nodes that follow each other
   * without one cost a single reading.
   */
  tick(): number {
    this.#now = performance.now();
    return this.#now;
  }

  /**
   * The node's outputs: at once where the component gives them at once. Undefined where the node failed and the run goes
   * on, or stops; `failure` tells which.
   */
  run(plan: PlanNode<Services>, round: Round): Outputs | undefined | Promise<Outputs | undefined> {
    const { node } = plan;
    const report = new NodeReport(this, node.id, round.path, this.#now);
    if (node.pinned !== undefined && Object.keys(node.pinned).length > 0)
      return this.#finished(report, node.pinned, 'pinned');
    try {
      const call = this.#callOf(plan, round);
      this.emit({ kind: 'node_started', node: node.id, path: round.path, inputs: this.#shownInputs(plan, call) });
      const isStored =
        this.#storedFor(node.id) !== undefined || (this.#options.step !== undefined && plan.setup.hasEffects);
      const outputs = isStored ? this.#runStored(plan, call, report) : runNode(plan, call, report);
      if (outputs instanceof Promise) return this.#later(plan, report, outputs, isStored);
      return this.#finished(report, outputs, 'computed');
    } catch (error) {
      return this.#failed(plan, report, error);
    }
  }

  /** Apart from `run`, which would otherwise allocate the scope of these closures for each node. */
  #later(
    plan: PlanNode<Services>,
    report: NodeReport,
    outputs: Promise<Outputs>,
    isStored: boolean,
  ): Promise<Outputs | undefined> {
    this.tick();
    const open = this.#open.add(outputs);
    const finished = isStored ? open : open.then((each) => this.#finished(report, each, 'computed'));
    return finished.catch((error: unknown) => this.#failed(plan, report, error));
  }

  messageOf(error: unknown): string {
    return messageOf(error, this.#options.secrets);
  }

  stream(): RedactedStream {
    return new RedactedStream(this.#options.secrets);
  }

  shown(text: string): string {
    return clip(text, this.#options.secrets ?? NO_SECRETS);
  }

  async #runStored(plan: PlanNode<Services>, call: NodeCall<Services>, report: NodeReport): Promise<Outputs> {
    const { step } = this.#options;
    const { node, setup } = plan;
    const stored = this.#storedFor(node.id);
    const isFrozen = node.run?.frozen === true;
    const isKeyed = stored !== undefined && (isFrozen || hasCheapHash(call.inputs));
    const key = isKeyed ? await inputHash(node, call.inputs).catch(() => undefined) : undefined;
    if (key !== undefined && (isFrozen || this.#selection?.isReused(plan.index) === true)) {
      const found = await stored?.find(node.id, key);
      if (found !== undefined) return this.#finished(report, found, 'stored');
    }
    const { effects, type } = setup.component.descriptor;
    const work = async () => runNode(plan, call, report);
    const outputs =
      step !== undefined && setup.hasEffects
        ? await step({ key: call.stepKey, node: node.id, type, effects, work })
        : await work();
    if (key !== undefined) await stored?.keep(node.id, key, outputs);
    return this.#finished(report, outputs, 'computed');
  }

  #storedFor(node: string): StoredOutputs | undefined {
    const { stored } = this.#options;
    return stored?.keeps?.(node) === false ? undefined : stored;
  }

  #callOf(plan: PlanNode<Services>, round: Round): NodeCall<Services> {
    const { id, code } = plan.node;
    const given = this.#options.inputs;
    // A node may be called `constructor`.
    const own = given !== undefined && Object.hasOwn(given, id) ? given[id] : undefined;
    const { inputs, connected } = inputsOf(plan, this.#edges, own);
    return {
      nodeId: id,
      inputs,
      connected,
      wanted: plan.wanted,
      services: this.#options.services,
      signal: this.#stop.signal,
      round: round.number,
      stepKey: `${this.#keyPrefix}${id}/${round.path}`,
      code,
    };
  }

  #finished(report: NodeReport, outputs: Outputs, source: 'computed' | 'pinned' | 'stored'): Outputs {
    const { node, path, started, inputTokens: input, outputTokens: output } = report;
    const ms = since(started, this.tick());
    report.flush();
    const shown = previewOf(outputs, this.#options.secrets);
    if (input + output === 0) {
      this.emit({ kind: 'node_finished', node, path, ms, source, outputs: shown });
      return outputs;
    }
    this.tokens.input += input;
    this.tokens.output += output;
    this.emit({ kind: 'node_finished', node, path, ms, source, outputs: shown, tokens: { input, output } });
    return outputs;
  }

  #failed(plan: PlanNode<Services>, report: NodeReport, error: unknown): Outputs | undefined {
    const { path, started } = report;
    const { id, run } = plan.node;
    report.flush();
    if (this.#stop.signal.aborted) {
      this.emit({ kind: 'node_cancelled', node: id, path });
      return undefined;
    }
    const onError = run?.onError ?? 'stop';
    const failure: Failure = {
      node: id,
      ...(error instanceof FlowError && error.place),
      ...this.#fixOf(error),
      message: this.messageOf(error),
    };
    const ms = since(started, this.tick());
    this.emit({ kind: 'node_failed', node: id, path, ms, failure, handled: onError !== 'stop' });
    if (onError === 'port') return { [ERROR_OUTPUT.name]: { message: failure.message, node: id } };
    if (onError === 'stop') {
      this.failure ??= failure;
      this.#stop.abort(error);
    }
    return undefined;
  }

  /** The advice of a component about its failure. */
  #fixOf(error: unknown): { fix?: string } {
    const { fix } = (error ?? {}) as { fix?: unknown };
    return typeof fix === 'string' ? { fix: redactText(fix, this.#options.secrets) } : {};
  }

  #shownInputs({ setup }: PlanNode<Services>, { inputs }: NodeCall<Services>): Json {
    const shown = setup.secretFields.length === 0 ? inputs : withoutFields(inputs, setup.secretFields);
    return previewOf(shown, this.#options.secrets);
  }
}

/**
 * Whether the outputs of a node that is not frozen can be stored. A hash of large inputs would hold the process, and one
 * leaves functions out: it is the same for an agent whose tool changed.
 */
const hasCheapHash = (inputs: NodeCall<unknown>['inputs']): boolean =>
  !isLongJson(inputs, MAX_HASHED_CHARACTERS) && isPlain(Object.values(inputs));

function withoutFields(inputs: NodeCall<unknown>['inputs'], fields: readonly string[]): NodeCall<unknown>['inputs'] {
  return { ...inputs, ...Object.fromEntries(fields.flatMap((name) => (inputs[name] ? [[name, REDACTED]] : []))) };
}

/** Milliseconds, rounded to microseconds. */
const since = (started: number, now: number): number => Math.round((now - started) * 1_000) / 1_000;
