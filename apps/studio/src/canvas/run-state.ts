import type { Failure, Json, Metrics, RunEvent, Tokens } from '@croft/flow';
import type { ApiResponse } from '@croft/server/contract';

/** The state of a node in a run. */
export type NodeStatus = 'waiting' | 'running' | 'done' | 'failed' | 'skipped';

/** The run of one node: its latest round. */
export interface NodeRun {
  readonly status: NodeStatus;
  /** How often it started. More than once in a loop. */
  readonly rounds: number;
  /** The end of its streamed text, or its latest log line. */
  readonly text: string;
  readonly progress?: string;
  readonly ms?: number;
  readonly outputs?: Json;
  readonly tokens?: Tokens;
  readonly failure?: Failure;
  /** Whether the outputs come from an earlier run or were fixed by hand. */
  readonly isReused?: boolean;
}

/** A run as the page shows it. */
export interface RunState {
  readonly status: 'none' | 'starting' | 'running' | 'completed' | 'failed' | 'cancelled' | 'timed_out' | 'interrupted';
  readonly nodes: Readonly<Record<string, NodeRun>>;
  readonly text: string;
  readonly failure?: Failure;
  readonly metrics?: Metrics;
}

/** The parts of a run from the history that the page shows. */
export type StoredRun = Pick<
  ApiResponse<'GET /api/v1/runs/{id}'>['run'],
  'status' | 'text' | 'failure' | 'metrics' | 'timeline'
>;

export const NO_RUN: RunState = { status: 'none', nodes: {}, text: '' };
/** A run between the click and its first event. */
export const STARTING: RunState = { ...NO_RUN, status: 'starting' };

const MAX_TEXT = 4_000;
const NOT_STARTED: NodeRun = { status: 'waiting', rounds: 0, text: '' };

/** Whether the run has not ended. */
export const isUnderWay = ({ status }: RunState): boolean => status === 'starting' || status === 'running';

/** Applies events to a run in their order. Pure; nodes that no event names stay the same objects. */
export function applyRunEvents(state: RunState, events: readonly RunEvent[]): RunState {
  if (events.length === 0) return state;
  const nodes: Record<string, NodeRun> = { ...state.nodes };
  let next: RunState = { ...state, nodes };
  const change = (id: string, values: Partial<NodeRun>) => {
    nodes[id] = { ...(nodes[id] ?? NOT_STARTED), ...values };
  };
  for (const event of events) {
    if (event.kind === 'run_started') next = { ...next, status: 'running' };
    else if (event.kind === 'run_finished') next = finished(next, event);
    else changeNode(event, nodes[event.node] ?? NOT_STARTED, change);
  }
  return next;
}

type NodeEvent = Extract<RunEvent, { readonly node: string; readonly path: string }>;

function changeNode(event: NodeEvent, before: NodeRun, change: (id: string, values: Partial<NodeRun>) => void): void {
  const set = (values: Partial<NodeRun>) => change(event.node, values);
  switch (event.kind) {
    case 'node_started':
      return set({
        ...NOT_STARTED,
        status: 'running',
        rounds: before.rounds + 1,
        failure: undefined,
        progress: undefined,
      });
    case 'token':
      return set({ text: `${before.text}${event.text}`.slice(-MAX_TEXT) });
    case 'progress':
      return set({ progress: progressText(event) });
    case 'log':
      return set({ progress: event.text });
    case 'node_retrying':
      return set({ progress: `Attempt ${event.attempt}, after: ${event.error}` });
    case 'node_finished':
      return set({
        status: 'done',
        ms: event.ms,
        outputs: event.outputs,
        rounds: Math.max(1, before.rounds),
        progress: undefined,
        isReused: event.source !== 'computed',
        ...(event.tokens && { tokens: event.tokens }),
      });
    case 'node_failed':
      return set({ status: 'failed', ms: event.ms, failure: event.failure, progress: undefined });
    case 'node_pruned':
      // A node of a loop that ran in an earlier round keeps that result.
      return before.status === 'done' ? undefined : set({ status: 'skipped' });
    case 'node_cancelled':
      return set({ status: 'skipped', progress: undefined });
  }
}

function progressText({ done, total, text }: Extract<RunEvent, { kind: 'progress' }>): string {
  const count = total === undefined ? `${done}` : `${done} of ${total}`;
  return text ? `${text} (${count})` : count;
}

function finished(state: RunState, { status, text, metrics, failure }: Extract<RunEvent, { kind: 'run_finished' }>) {
  return { ...state, status, text, metrics, ...(failure && { failure }) };
}

/** The state of a node. A node without events waits while the run is under way; afterwards it was skipped. */
export function nodeStatus(state: RunState, id: string): NodeStatus | undefined {
  if (state.status === 'none') return undefined;
  const status = state.nodes[id]?.status ?? 'waiting';
  if (isUnderWay(state)) return status;
  return status === 'waiting' || status === 'running' ? 'skipped' : status;
}

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
  waiting: 'running',
  needs_attention: 'interrupted',
};

/** A run from the history, for a page that missed its events. */
export function stateOfStoredRun({ status, text, failure, metrics, timeline }: StoredRun): RunState {
  const nodes: Record<string, NodeRun> = {};
  for (const entry of timeline)
    nodes[entry.node] = {
      status: STATUS_OF[entry.status],
      rounds: (nodes[entry.node]?.rounds ?? 0) + 1,
      text: '',
      ...(entry.ms !== undefined && { ms: entry.ms }),
      ...(entry.outputs !== undefined && { outputs: entry.outputs as Json }),
      ...(entry.tokens && { tokens: entry.tokens }),
      ...(entry.failure && { failure: entry.failure }),
    };
  return {
    status: SHOWN[status] ?? (status as RunState['status']),
    nodes,
    text: text ?? '',
    ...(failure && { failure }),
    ...(metrics && { metrics }),
  };
}

/** A node's result in a few words: its first output that has a value. */
export function resultText(outputs: Json | undefined): string {
  if (typeof outputs !== 'object' || outputs === null || Array.isArray(outputs)) return '';
  for (const value of Object.values(outputs)) {
    const text = valueText(value);
    if (text !== '') return text;
  }
  return '';
}

function valueText(value: Json): string {
  if (value === null) return '';
  if (Array.isArray(value)) return value.length === 1 ? '1 row' : `${value.length} rows`;
  if (typeof value !== 'object') return `${value}`;
  const { text } = value as { readonly [key: string]: Json };
  return typeof text === 'string' ? text : JSON.stringify(value);
}

/** A duration, for example `0.2 s`. */
export function formatMs(ms: number): string {
  if (ms < 1) return '<1 ms';
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  return ms < 60_000
    ? `${(ms / 1_000).toFixed(1)} s`
    : `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`;
}
