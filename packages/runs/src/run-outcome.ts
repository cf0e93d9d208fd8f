import { type Failure, isPlain, type Metrics, previewOf, redactText, type RunResult } from '@croft/flow';
import type { StopReason } from './active-attempt.ts';
import type { Replay } from './replay.ts';
import type { ClaimedRun } from './run-store.ts';

/** The end of a run, as it is stored. */
export interface Outcome {
  readonly status: RunResult['status'];
  readonly result: unknown;
  readonly failure: Failure | undefined;
  readonly metrics: Metrics;
}

/** The end of a run with this result. Undefined where the run does not end with this attempt. */
export function outcomeOf(
  stopped: StopReason | undefined,
  claimed: ClaimedRun,
  replay: Replay,
  result: RunResult,
  secrets: ReadonlySet<string> | undefined,
): Outcome | undefined {
  if (stopped !== undefined && stopped !== 'cancelled') return undefined;
  const { status, failure, text, metrics, outputs } = result;
  const shown = isPlain(outputs) ? outputs : previewOf(outputs, secrets);
  return {
    status,
    result: { text: redactText(text, secrets), outputs: previewOf(shown, secrets) },
    failure,
    metrics: total(metrics, claimed, replay),
  };
}

/** The metrics of all attempts: time since the first start, tokens of steps that earlier attempts completed too. */
function total(metrics: Metrics, { startedAt }: ClaimedRun, { tokens }: Replay): Metrics {
  return {
    duration_seconds: Math.max(metrics.duration_seconds, (Date.now() - startedAt.getTime()) / 1_000),
    input_tokens: metrics.input_tokens + tokens.input,
    output_tokens: metrics.output_tokens + tokens.output,
    total_tokens: metrics.total_tokens + tokens.input + tokens.output,
  };
}

/** The end of a run that could not run. */
export function failedOutcome({ startedAt }: ClaimedRun, message: string): Outcome {
  return {
    status: 'failed',
    result: { text: message, outputs: {} },
    failure: { message },
    metrics: {
      duration_seconds: (Date.now() - startedAt.getTime()) / 1_000,
      input_tokens: 0,
      output_tokens: 0,
      total_tokens: 0,
    },
  };
}
