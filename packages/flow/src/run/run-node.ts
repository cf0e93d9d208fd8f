import type { NodeCall, Outputs, Progress } from '../component.ts';
import { FlowError } from '../errors.ts';
import { MAX_TEXT_CHARS } from '../json-text.ts';
import { TOOL_OUTPUT } from '../node-ports.ts';
import { nextTurn } from './next-turn.ts';
import { toolsOf } from './node-tools.ts';
import type { PlanNode } from './plan-node.ts';
import { beginningOf } from './preview.ts';

/** Runs a component once, or as often as its retries allow. Durable runs put a checkpoint around it. */
export type StepRunner = (step: Step) => Promise<Outputs>;

/** The work for a step runner: a key that is the same for each attempt and each process, and the work itself. */
export interface Step {
  readonly key: string;
  readonly node: string;
  readonly type: string;
  readonly effects: readonly string[];
  work(): Promise<Outputs>;
}

export interface AttemptHooks {
  progress(progress: Progress): void;
  retrying(attempt: number, error: unknown): void;
}

/**
 * Runs a component with the node's retries and timeout.
 *
 * Returns the outputs at once where the component does: a chain of simple nodes costs no promise.
 *
 * @throws what the component throws at the last attempt; FlowError where it gives something other than outputs
 */
export function runNode<Services>(
  plan: PlanNode<Services>,
  call: NodeCall<Services>,
  hooks: AttemptHooks,
): Outputs | Promise<Outputs> {
  const { run } = plan.node;
  if (run?.retry === undefined && run?.timeoutMs === undefined) return attempt(plan, call, hooks);
  const { retry, timeoutMs } = run;
  return attempts(plan, call, hooks, (retry?.attempts ?? 0) + 1, retry?.delayMs ?? 0, timeoutMs);
}

async function attempts<Services>(
  plan: PlanNode<Services>,
  call: NodeCall<Services>,
  hooks: AttemptHooks,
  most: number,
  delayMs: number,
  timeoutMs: number | undefined,
): Promise<Outputs> {
  for (let count = 1; ; count++) {
    try {
      return await (timeoutMs === undefined ? attempt(plan, call, hooks) : withTimeout(plan, call, hooks, timeoutMs));
    } catch (error) {
      if (count >= most || call.signal.aborted) throw error;
      hooks.retrying(count + 1, error);
      await pause(delayMs, call.signal);
      if (call.signal.aborted) throw error;
    }
  }
}

async function withTimeout<Services>(
  plan: PlanNode<Services>,
  call: NodeCall<Services>,
  hooks: AttemptHooks,
  timeoutMs: number,
): Promise<Outputs> {
  const late = new AbortController();
  let fail: (error: Error) => void = () => {};
  const isLate = new Promise<never>((_, reject) => {
    fail = reject;
  });
  const timer = setTimeout(() => {
    const error = new Error(`The component did not finish within ${timeoutMs} ms.`);
    late.abort(error);
    fail(error);
  }, timeoutMs);
  try {
    const signal = AbortSignal.any([call.signal, late.signal]);
    return await Promise.race([attempt(plan, { ...call, signal }, hooks), isLate]);
  } finally {
    clearTimeout(timer);
  }
}

function attempt<Services>(
  plan: PlanNode<Services>,
  call: NodeCall<Services>,
  hooks: AttemptHooks,
): Outputs | Promise<Outputs> {
  if (plan.node.toolMode === true)
    return Promise.resolve(toolsOf(plan, call)).then((tools) => ({ [TOOL_OUTPUT.name]: tools }));
  const result = plan.setup.component.run(call);
  if (result instanceof Promise) return checkedLater(plan, result);
  return isGenerator(result) ? drain(plan, result, call.signal, hooks) : checked(plan, result);
}

const checkedLater = (plan: PlanNode<any>, result: Promise<Outputs>): Promise<Outputs> =>
  result.then((outputs) => checked(plan, outputs));

const MAX_OUTPUT_ROWS = 1_000_000;
/** Characters of the message of a failure. */
const MAX_MESSAGE = 2_000;
/** Reports in a row before timers get their turn: a component that floods can be cancelled, and its timeout applies. */
const REPORTS_BEFORE_PAUSE = 256;

const isGenerator = (value: unknown): value is AsyncGenerator<Progress, Outputs, void> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;

async function drain<Services>(
  plan: PlanNode<Services>,
  generator: AsyncGenerator<Progress, Outputs, void>,
  signal: AbortSignal,
  hooks: AttemptHooks,
): Promise<Outputs> {
  for (let count = 1; ; count++) {
    const { done, value } = await generator.next();
    if (done === true) return checked(plan, value);
    if (signal.aborted) {
      await generator.return({});
      throw signal.reason;
    }
    hooks.progress(value);
    if (count % REPORTS_BEFORE_PAUSE === 0) await nextTurn();
  }
}

function checked(plan: PlanNode<unknown>, outputs: unknown): Outputs {
  if (typeof outputs !== 'object' || outputs === null || Array.isArray(outputs))
    throw new FlowError(
      'type_mismatch',
      `${plan.node.id} gave ${Array.isArray(outputs) ? 'a list' : String(outputs)} instead of an object with its outputs.`,
      { node: plan.node.id },
    );
  for (const name in outputs) {
    if (!plan.setup.allowedOutputs.has(name)) throw unknownOutput(plan, name);
    requireSize(plan, name, (outputs as Outputs)[name]);
  }
  return outputs as Outputs;
}

/** Nodes that double a text or a table would take the memory of the process after some thirty of them. */
function requireSize({ node }: PlanNode<unknown>, name: string, value: unknown): void {
  const text = typeof value === 'object' && value !== null ? (value as { text?: unknown }).text : value;
  const isTooLarge = Array.isArray(value)
    ? value.length > MAX_OUTPUT_ROWS
    : typeof text === 'string' && text.length > MAX_TEXT_CHARS;
  if (isTooLarge)
    throw new FlowError(
      'too_large',
      `${node.id} gave '${name}' with more than ${MAX_TEXT_CHARS} characters or ${MAX_OUTPUT_ROWS} rows. Split its input.`,
      { node: node.id },
    );
}

function unknownOutput({ node, setup }: PlanNode<unknown>, name: string): FlowError {
  return new FlowError(
    'unknown_port',
    `${node.id} gave an output '${name}', which it does not have. Its outputs: ${[...setup.outputNames].join(', ')}.`,
    { node: node.id, field: name },
  );
}

/** The message of an error, bounded, without a stack and secrets. */
export function messageOf(error: unknown, secrets: ReadonlySet<string> | undefined): string {
  const text = error instanceof Error ? error.message : String(error);
  const shown = beginningOf(text, MAX_MESSAGE, secrets);
  return text.length > MAX_MESSAGE ? `${shown}…` : shown;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
  });
}
