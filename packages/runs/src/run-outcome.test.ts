import type { RunResult } from '@croft/flow';
import { expect, it } from 'vitest';
import type { Replay } from './replay.ts';
import { failedOutcome, outcomeOf } from './run-outcome.ts';
import type { ClaimedRun } from './run-store.ts';

const startedAgo = (seconds: number) => ({ startedAt: new Date(Date.now() - seconds * 1_000) }) as ClaimedRun;
const replay = { tokens: { input: 10, output: 20 } } as Replay;
const result = (over: Partial<RunResult> = {}): RunResult =>
  ({
    status: 'completed',
    text: 'done',
    outputs: { A: { text: 'hello' } },
    metrics: { duration_seconds: 1, input_tokens: 1, output_tokens: 2, total_tokens: 3 },
    ...over,
  }) as RunResult;

it('has no outcome where the run goes on in another attempt', () => {
  for (const reason of ['lost', 'moved', 'waiting', 'needs_attention'] as const)
    expect(outcomeOf(reason, startedAgo(0), replay, result(), undefined)).toBeUndefined();
  expect(outcomeOf('cancelled', startedAgo(0), replay, result({ status: 'cancelled' }), undefined)?.status).toBe(
    'cancelled',
  );
  expect(outcomeOf(undefined, startedAgo(0), replay, result(), undefined)?.status).toBe('completed');
});

it('keeps no secret in the text and the outputs', () => {
  const leak = result({ text: 'key sk-canary-1', outputs: { A: { text: 'sk-canary-1' } } });
  const stored = outcomeOf(undefined, startedAgo(0), replay, leak, new Set(['sk-canary-1']))?.result;
  expect(JSON.stringify(stored)).not.toContain('sk-canary-1');
  expect(outcomeOf(undefined, startedAgo(0), replay, result(), undefined)?.result).toEqual({
    text: 'done',
    outputs: { A: { text: 'hello' } },
  });
});

it('counts the tokens of earlier attempts, and the time since the first start', () => {
  const metrics = outcomeOf(undefined, startedAgo(100), replay, result(), undefined)?.metrics;
  expect(metrics).toMatchObject({ input_tokens: 11, output_tokens: 22, total_tokens: 33 });
  expect(metrics?.duration_seconds).toBeGreaterThanOrEqual(100);
  const slow = result({ metrics: { duration_seconds: 500, input_tokens: 0, output_tokens: 0, total_tokens: 0 } });
  expect(outcomeOf(undefined, startedAgo(100), replay, slow, undefined)?.metrics.duration_seconds).toBe(500);
});

it('keeps the failure of a run', () => {
  const failure = { message: 'no key', node: 'A' };
  expect(outcomeOf(undefined, startedAgo(0), replay, result({ status: 'failed', failure }), undefined)).toMatchObject({
    status: 'failed',
    failure,
  });
});

it('ends a run that could not run as failed, with the reason', () => {
  const { metrics, ...rest } = failedOutcome(startedAgo(100), 'no worker');
  expect(rest).toEqual({
    status: 'failed',
    result: { text: 'no worker', outputs: {} },
    failure: { message: 'no worker' },
  });
  expect(metrics.duration_seconds).toBeGreaterThanOrEqual(100);
  expect(metrics).toMatchObject({ input_tokens: 0, output_tokens: 0, total_tokens: 0 });
});
