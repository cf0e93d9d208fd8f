import type { NodeCall, Outputs, Progress } from '../component.ts';
import { FlowError } from '../errors.ts';
import { ERROR_OUTPUT } from '../node-ports.ts';
import type { Json } from '../document.ts';
import type { Failure, RunEvent, Tokens } from './events.ts';
import { inputsOf, type Arrived } from './node-inputs.ts';
import type { PlanNode } from './plan-node.ts';
import { previewOf, redactText, REDACTED } from './preview.ts';
import type { RunOptions } from './run-options.ts';
import { messageOf, runNode } from './run-node.ts';
import { stableText } from './stable-text.ts';

/** Where in the rounds of loops and cycles a node runs. */
export interface Round {
  readonly path: string;
  readonly number: number;
}

/** Runs single nodes of one run, and tells of them. */
export class NodeRunner<Services> {
  readonly tokens = { input: 0, output: 0 };
  /** The failure that ended the run; absent while none did. */
  failure: Failure | undefined;

  readonly #options: RunOptions<Services>;
  readonly #stop: AbortController;
  readonly #emit: (event: RunEvent) => void;
  readonly #isReused: (index: number) => boolean;

  constructor(
    options: RunOptions<Services>,
    stop: AbortController,
    isReused: (index: number) => boolean,
    emit: (event: RunEvent) => void,
  ) {
    this.#options = options;
    this.#stop = stop;
    this.#isReused = isReused;
    this.#emit = emit;
  }

  /**
   * The node's outputs: at once where the component gives them at once. Undefined where the node failed and the run goes
   * on, or stops; `failure` tells which.
   */
  run(plan: PlanNode<Services>, arrived: Arrived, round: Round): Outputs | undefined | Promise<Outputs | undefined> {
    const started = performance.now();
    const { node } = plan;
    if (node.pinned && Object.keys(node.pinned).length > 0)
      return this.#finished(plan, round, started, node.pinned, 'pinned');
    const tokens = { input: 0, output: 0 };
    try {
      const call = this.#callOf(plan, arrived, round);
      this.#emit({ kind: 'node_started', node: node.id, path: round.path, inputs: this.#shownInputs(plan, call) });
      const work = () => runNode(plan, call, () => this.#hooksOf(plan, round, tokens));
      const hasEffects = plan.component.descriptor.effects.some((effect) => effect !== 'none');
      if (this.#options.stored !== undefined || (this.#options.step !== undefined && hasEffects))
        return this.#runStored(plan, call, round, started, tokens, work).catch((error: unknown) =>
          this.#failed(plan, round, started, error),
        );
      const outputs = work();
      if (!(outputs instanceof Promise)) return this.#finished(plan, round, started, outputs, 'computed', tokens);
      return outputs
        .then((each) => this.#finished(plan, round, started, each, 'computed', tokens))
        .catch((error: unknown) => this.#failed(plan, round, started, error));
    } catch (error) {
      return this.#failed(plan, round, started, error);
    }
  }

  async #runStored(
    plan: PlanNode<Services>,
    call: NodeCall<Services>,
    round: Round,
    started: number,
    tokens: Tokens,
    work: () => Outputs | Promise<Outputs>,
  ): Promise<Outputs> {
    const { stored, step } = this.#options;
    const { node, component } = plan;
    const key = stored === undefined ? '' : stableText(call.inputs);
    if (stored && (node.run?.frozen === true || this.#isReused(plan.index))) {
      const found = await stored.find(node.id, key);
      if (found !== undefined) return this.#finished(plan, round, started, found, 'stored');
    }
    const { effects, type } = component.descriptor;
    const isStep = step !== undefined && effects.some((effect) => effect !== 'none');
    const outputs = isStep
      ? await step({ key: call.stepKey, node: node.id, type, effects, work: async () => work() })
      : await work();
    await stored?.keep(node.id, key, outputs);
    return this.#finished(plan, round, started, outputs, 'computed', tokens);
  }

  #callOf(plan: PlanNode<Services>, arrived: Arrived, round: Round): NodeCall<Services> {
    const { inputs, connected } = inputsOf(plan, arrived, this.#options.inputs?.[plan.node.id]);
    return {
      nodeId: plan.node.id,
      inputs,
      connected,
      wanted: plan.wanted,
      services: this.#options.services,
      signal: this.#stop.signal,
      round: round.number,
      stepKey: `${this.#options.runId ?? ''}/${plan.node.id}/${round.path}`,
      code: plan.node.code,
    };
  }

  #hooksOf(plan: PlanNode<Services>, { path }: Round, tokens: { input: number; output: number }) {
    const node = plan.node.id;
    return {
      progress: (progress: Progress) => {
        if (progress.kind === 'token') this.#emit({ kind: 'token', node, path, text: progress.text });
        else if (progress.kind === 'log') this.#emit({ kind: 'log', node, path, text: this.#clean(progress.text) });
        else if (progress.kind === 'progress') this.#emit({ ...progress, node, path });
        else {
          tokens.input += progress.inputTokens;
          tokens.output += progress.outputTokens;
        }
      },
      retrying: (attempt: number, error: string) =>
        this.#emit({ kind: 'node_retrying', node, path, attempt, error: this.#clean(error) }),
    };
  }

  #finished(
    plan: PlanNode<Services>,
    { path }: Round,
    started: number,
    outputs: Outputs,
    source: 'computed' | 'pinned' | 'stored',
    tokens?: Tokens,
  ): Outputs {
    if (tokens) {
      this.tokens.input += tokens.input;
      this.tokens.output += tokens.output;
    }
    this.#emit({
      kind: 'node_finished',
      node: plan.node.id,
      path,
      ms: since(started),
      source,
      outputs: previewOf(outputs, this.#options.secrets),
      ...(tokens && tokens.input + tokens.output > 0 && { tokens: { input: tokens.input, output: tokens.output } }),
    });
    return outputs;
  }

  #failed(plan: PlanNode<Services>, { path }: Round, started: number, error: unknown): Outputs | undefined {
    const { id, run } = plan.node;
    if (this.#stop.signal.aborted) {
      this.#emit({ kind: 'node_cancelled', node: id, path });
      return undefined;
    }
    const onError = run?.onError ?? 'stop';
    const failure: Failure = {
      node: id,
      ...(error instanceof FlowError && error.place),
      ...fixOf(error),
      message: this.#clean(messageOf(error)),
    };
    this.#emit({ kind: 'node_failed', node: id, path, ms: since(started), failure, handled: onError !== 'stop' });
    if (onError === 'port') return { [ERROR_OUTPUT.name]: { message: failure.message, node: id } };
    if (onError === 'stop') {
      this.failure ??= failure;
      this.#stop.abort(error);
    }
    return undefined;
  }

  #shownInputs(plan: PlanNode<Services>, { inputs }: NodeCall<Services>): Json {
    if (plan.secretFields.length === 0) return previewOf(inputs, this.#options.secrets);
    const hidden = Object.fromEntries(plan.secretFields.flatMap((name) => (inputs[name] ? [[name, REDACTED]] : [])));
    return previewOf({ ...inputs, ...hidden }, this.#options.secrets);
  }

  #clean(text: string): string {
    return redactText(text, this.#options.secrets);
  }
}

const since = (started: number): number => Math.round((performance.now() - started) * 1_000) / 1_000;

/** The advice of a component about its failure. */
function fixOf(error: unknown): { fix?: string } {
  const { fix } = (error ?? {}) as { fix?: unknown };
  return typeof fix === 'string' ? { fix } : {};
}
