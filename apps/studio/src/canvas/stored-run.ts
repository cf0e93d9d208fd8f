import type { Failure, Json } from '@croft/flow';
import type { ApiResponse } from '@croft/server/contract';
import type { NodeRun, NodeStatus, RunState } from './run-state.ts';

/** The parts of a run from the history that the page shows. */
export type StoredRun = Pick<
  ApiResponse<'GET /api/v1/runs/{id}'>['run'],
  'status' | 'text' | 'failure' | 'metrics' | 'timeline' | 'questions' | 'undecided'
>;

const STATUS_OF: Readonly<Record<StoredRun['timeline'][number]['status'], NodeStatus>> = {
  running: 'running',
  finished: 'done',
  failed: 'failed',
  pruned: 'skipped',
  cancelled: 'skipped',
};

/** States of a queued run, in words of this page. */
const SHOWN: Partial<Record<StoredRun['status'], RunState['status']>> = {
  queued: 'starting',
};

const STOPPED_SERVER: Failure = { message: 'Croft was stopped before this run ended.', fix: 'Run the flow again.' };

/** A run from the history, for a page that missed its events. */
export function stateOfStoredRun(run: StoredRun): RunState {
  const { status, text, failure, metrics, timeline } = run;
  const nodes: Record<string, NodeRun> = {};
  for (const entry of timeline)
    nodes[entry.node] = {
      status: STATUS_OF[entry.status],
      rounds: (nodes[entry.node]?.rounds ?? 0) + 1,
      text: '',
      ...(entry.ms !== undefined && { ms: entry.ms }),
      ...(entry.outputs !== undefined && { outputs: entry.outputs as Json }),
      ...(entry.log && { log: entry.log }),
      ...(entry.tokens && { tokens: entry.tokens }),
      ...(entry.failure && { failure: entry.failure }),
    };
  const state: RunState = {
    status: SHOWN[status] ?? (status as RunState['status']),
    nodes,
    text: text ?? '',
    ...(failure && { failure }),
    ...(status === 'interrupted' && !failure && { failure: STOPPED_SERVER }),
    ...(metrics && { metrics }),
  };
  return withQuestions(state, run);
}

/** The run with the questions of its record that have no answer. A run that continued meanwhile stays as it is. */
export function withQuestions(state: RunState, { questions, undecided }: StoredRun): RunState {
  if (state.status === 'waiting') return { ...state, questions: questions.filter(({ answer }) => answer === null) };
  const [key] = undecided;
  if (state.status !== 'needs_attention' || state.interrupted || key === undefined) return state;
  return { ...state, interrupted: { key, message: 'Croft cannot tell whether an effect of this run happened.' } };
}
