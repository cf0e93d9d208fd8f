import type { Outputs } from '../component.ts';
import type { FlowDocument } from '../document.ts';
import { FlowError } from '../errors.ts';
import { inTurns } from '../parts.ts';
import type { Failure, Metrics, RunEvent, RunStatus } from './events.ts';
import { Execution } from './execution.ts';
import { withoutUnmappedTools } from './leave-out-tools.ts';
import { planRunInParts } from './plan.ts';
import { beginningOf } from './preview.ts';
import { resultText } from './result-text.ts';
import type { RunOptions } from './run-options.ts';
import { messageOf } from './run-node.ts';

/** Of a run without `timeoutMs`: two minutes. */
export const DEFAULT_RUN_TIMEOUT_MS = 120_000;
const MAX_RESULT_TEXT = 4_000;
const LEFT_OUT = 'Left out: this Croft does not have the imported tool.';

/** The outcome of a run. */
export interface RunResult {
  readonly status: RunStatus;
  /** Outputs of the nodes at the flow's end, by node id. */
  readonly outputs: Readonly<Record<string, Outputs>>;
  /** The flow's output texts, a line each; at most 4,000 characters. */
  readonly text: string;
  readonly metrics: Metrics;
  readonly failure?: Failure;
}

/**
 * Runs a flow and yields its events, in lists: all that have happened since the reader asked last. Returns the result
 * after the last event, `run_finished`.
 *
 * A node runs when each connected input has arrived or is pruned; it is pruned when a required input or a gate
 * is, or when all its connected inputs are. Independent branches run at the same time. A failed node stops the run, and running branches are
 * cancelled, unless the node says otherwise. Edge values are released once every reader had them.
 *
 * An imported tool without a component is left out, and a `log` event says so. Ending the iteration early cancels the
 * run. A component that does not end within `graceMs` after a stop is given up, and the run ends without it. Never throws: a flow that cannot be planned ends with status `failed`.
 */
export async function* runFlow<Services>(
  document: FlowDocument,
  options: RunOptions<Services>,
): AsyncGenerator<readonly RunEvent[], RunResult, void> {
  const { flow, leftOut } = withoutUnmappedTools(document, options.registry);
  const started = performance.now();
  const stop = new AbortController();
  const onAbort = () => stop.abort(new Cancelled('cancelled'));
  if (options.signal?.aborted === true) onAbort();
  options.signal?.addEventListener('abort', onAbort, { once: true });
  const timeoutMs = options.timeoutMs ?? DEFAULT_RUN_TIMEOUT_MS;
  const timer = Number.isFinite(timeoutMs)
    ? setTimeout(() => stop.abort(new Cancelled('timed_out')), timeoutMs)
    : undefined;
  let execution: Execution<Services> | undefined;
  try {
    const planned = await tryPlan(flow, options, stop);
    yield [
      { kind: 'run_started', nodes: flow.nodes.length },
      ...leftOut.map((node): RunEvent => ({ kind: 'log', node, path: '', text: LEFT_OUT })),
    ];
    if ('failure' in planned) return yield* finish('failed', flow, undefined, started, options, planned.failure);
    execution = planned.execution;
    yield* execution.events();
    const { status, failure } = outcomeOf(execution, stop.signal, timeoutMs, options.secrets);
    return yield* finish(status, flow, execution, started, options, failure);
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener('abort', onAbort);
    stop.abort(new Cancelled('cancelled'));
    await execution?.settled;
  }
}

/** Runs a flow to its end. `onEvent` gets each event; it must not throw. */
export async function runToEnd<Services>(
  flow: FlowDocument,
  options: RunOptions<Services>,
  onEvent?: (event: RunEvent) => void,
): Promise<RunResult> {
  const run = runFlow(flow, options);
  for (;;) {
    const { done, value } = await run.next();
    if (done === true) return value;
    if (onEvent !== undefined) for (const event of value) onEvent(event);
  }
}

/** Why a run was stopped from outside. */
export class Cancelled extends Error {
  readonly status: 'cancelled' | 'timed_out';

  constructor(status: 'cancelled' | 'timed_out') {
    super(status === 'cancelled' ? 'The run was cancelled.' : 'The run timed out.');
    this.name = 'Cancelled';
    this.status = status;
  }
}

async function tryPlan<Services>(
  flow: FlowDocument,
  options: RunOptions<Services>,
  stop: AbortController,
): Promise<{ execution: Execution<Services> } | { failure: Failure }> {
  try {
    return { execution: new Execution(await inTurns(planRunInParts(flow, options.registry)), options, stop) };
  } catch (error) {
    if (error instanceof FlowError) return { failure: { message: error.message, ...error.place } };
    throw error;
  }
}

function outcomeOf(
  execution: Execution<any>,
  signal: AbortSignal,
  timeoutMs: number,
  secrets: ReadonlySet<string> | undefined,
): { status: RunStatus; failure?: Failure } {
  if (execution.nodes.failure) return { status: 'failed', failure: execution.nodes.failure };
  if (execution.crash !== undefined)
    return { status: 'failed', failure: { message: messageOf(execution.crash, secrets) } };
  const { reason } = signal as { reason: unknown };
  if (signal.aborted && reason instanceof Cancelled) {
    if (reason.status === 'cancelled') return { status: 'cancelled' };
    return {
      status: 'timed_out',
      failure: { message: `The flow run timed out after ${timeoutMs / 1_000}s.` },
    };
  }
  return { status: 'completed' };
}

function* finish(
  status: RunStatus,
  flow: FlowDocument,
  execution: Execution<any> | undefined,
  started: number,
  { registry, secrets }: Pick<RunOptions<any>, 'registry' | 'secrets'>,
  failure?: Failure,
): Generator<readonly RunEvent[], RunResult, void> {
  const tokens = execution?.nodes.tokens ?? { input: 0, output: 0 };
  const metrics: Metrics = {
    duration_seconds: Math.round(performance.now() - started) / 1_000,
    input_tokens: tokens.input,
    output_tokens: tokens.output,
    total_tokens: tokens.input + tokens.output,
  };
  const outputs = execution?.results ?? {};
  const text =
    failure === undefined
      ? beginningOf(resultText(flow, outputs, registry, execution?.decisions), MAX_RESULT_TEXT, secrets)
      : failure.message;
  yield [{ kind: 'run_finished', status, text, metrics, ...(failure && { failure }) }];
  return { status, outputs, text, metrics, ...(failure && { failure }) };
}
