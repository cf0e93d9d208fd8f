import { type Failure, type Json, type Metrics, type RunEvent, type Tokens, withLogLine } from '@croft/flow';
import type { ApiResponse } from '@croft/server/contract';
import type { RunStatus } from '../api/runs.ts';
import type { BegunFlow } from './changed-since.ts';

/** The state of a node in a run. `asking`: it waits for a person's answer. */
export type NodeStatus = 'waiting' | 'running' | 'asking' | 'done' | 'failed' | 'skipped';

/** A question of a run to its user. */
export type Question = ApiResponse<'GET /api/v1/runs/{id}'>['run']['questions'][number];

/** An effect that was interrupted: it may have happened or not. */
export interface Interrupted {
  readonly key: string;
  readonly node?: string;
  readonly message: string;
}

/** An event of a run; a queued run has more kinds than the engine. */
export type FollowedEvent =
  | RunEvent
  | { readonly kind: 'run_waiting' }
  | { readonly kind: 'run_resumed' }
  | { readonly kind: 'run_needs_attention'; readonly node: string; readonly key: string; readonly message: string };

/** The run of one node: its latest round. */
export interface NodeRun {
  readonly status: NodeStatus;
  /** How often it started. More than once in a loop. */
  readonly rounds: number;
  /** The end of its streamed text, or its latest log line. */
  readonly text: string;
  readonly progress?: string;
  /** Its log in its latest round: the first 100 lines. */
  readonly log?: readonly string[] | undefined;
  readonly ms?: number;
  readonly outputs?: Json;
  readonly tokens?: Tokens;
  readonly failure?: Failure;
  /** Whether the outputs come from an earlier run or were fixed by hand. */
  readonly isReused?: boolean;
}

/** A run as the page shows it. */
export interface RunState {
  readonly status: Exclude<RunStatus, 'queued'> | 'none' | 'starting' | 'interrupted';
  readonly nodes: Readonly<Record<string, NodeRun>>;
  /** The flow when the run began, where the page knows it. Later components have no state. */
  readonly begun?: BegunFlow | undefined;
  /** The version of the flow that the run has, where another client began it. The page may not have it yet. */
  readonly knows?: number | undefined;
  /** Components that changed after the run began: their results belong to the flow as it was. */
  readonly changed?: ReadonlySet<string> | undefined;
  /** The inputs that this page sent. Undefined where another client began the run. */
  readonly inputs?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined;
  /** The id of the latest run of the flow, whose inputs the history has. */
  readonly stored?: string | undefined;
  readonly text: string;
  readonly failure?: Failure;
  readonly metrics?: Metrics;
  /** Open questions of a run that waits. */
  readonly questions?: readonly Question[];
  /** Of a run that needs attention. */
  readonly interrupted?: Interrupted;
}

export const NO_RUN: RunState = { status: 'none', nodes: {}, text: '' };
/** A run between the click and its first event. */
export const STARTING: RunState = { ...NO_RUN, status: 'starting' };

const MAX_TEXT = 4_000;
const NOT_STARTED: NodeRun = { status: 'waiting', rounds: 0, text: '' };

const UNDER_WAY: ReadonlySet<RunState['status']> = new Set(['starting', 'running', 'waiting', 'needs_attention']);

/** Whether the run has not ended. */
export const isUnderWay = ({ status }: Pick<RunState, 'status'>): boolean => UNDER_WAY.has(status);

/** Whether the server has not named the run yet, so that it cannot be stopped. */
export const isBeginning = ({ status, stored }: Pick<RunState, 'status' | 'stored'>): boolean =>
  status === 'starting' && stored === undefined;

/**
 * Why a run cannot start at a node, as a sentence; undefined where it can. The server gives the results of the last run
 * before the node, and runs again what it does not have.
 */
export function whyNotStartAt({ nodes, inputs, stored, ...state }: RunState, id: string): string | undefined {
  if (isUnderWay(state)) return 'A run is under way: wait for its end, or stop it.';
  if (inputs === undefined && stored === undefined)
    return 'Run the whole flow once first: a run from here uses its input.';
  const status = nodes[id]?.status;
  const isReached = state.status === 'none' || status === 'done' || status === 'failed';
  return isReached ? undefined : 'The last run did not reach this component.';
}

/** Applies events to a run in their order. Pure; nodes that no event names stay the same objects. */
export function applyRunEvents(state: RunState, events: readonly FollowedEvent[]): RunState {
  if (events.length === 0) return state;
  const nodes: Record<string, NodeRun> = { ...state.nodes };
  let next: RunState = { ...state, nodes };
  const change = (id: string, values: Partial<NodeRun>) => {
    nodes[id] = { ...(nodes[id] ?? NOT_STARTED), ...values };
  };
  for (const event of events) {
    if (event.kind === 'run_started') next = { ...next, status: 'running' };
    else if (event.kind === 'run_waiting') next = { ...next, status: 'waiting' };
    else if (event.kind === 'run_resumed') next = resumed(next);
    else if (event.kind === 'run_needs_attention') {
      const { key, node, message } = event;
      next = { ...next, status: 'needs_attention', interrupted: { key, node, message } };
    } else if (event.kind === 'run_finished') next = finished(next, event);
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
        log: undefined,
      });
    case 'token':
      return set({ text: `${before.text}${event.text}`.slice(-MAX_TEXT) });
    case 'progress':
      return set({ progress: progressText(event) });
    case 'log':
      return set({ progress: event.text, log: withLogLine(before.log, event.text) });
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
  return { ...resumed(state), status, text, metrics, ...(failure && { failure }) };
}

/** The run when it continues after an answer or a decision. */
function resumed(state: RunState): RunState {
  const { questions: _, interrupted: __, ...rest } = state;
  return { ...rest, status: 'running' };
}

/** The run after an answer was sent: the question is gone. A run that continued or ended meanwhile stays as it is. */
export function withoutQuestion(state: RunState, key: string): RunState {
  if (!state.questions?.some((each) => each.key === key)) return state;
  const rest = state.questions.filter((each) => each.key !== key);
  return rest.length === 0 ? resumed(state) : { ...state, questions: rest };
}

/** The run after a decision was sent about its interrupted effect. A run that continued or ended meanwhile stays as it is. */
export function withoutInterrupted(state: RunState, key: string): RunState {
  return state.interrupted?.key === key ? resumed(state) : state;
}

/**
 * The state of a node. A node without events waits while the run is under way; afterwards it was skipped. Undefined where
 * the node was added after the run began.
 */
export function nodeStatus(state: RunState, id: string): NodeStatus | undefined {
  if (state.status === 'none') return undefined;
  if (state.begun?.nodes.has(id) === false && state.nodes[id] === undefined) return undefined;
  const status = state.nodes[id]?.status ?? 'waiting';
  if (state.questions?.some(({ node }) => node === id)) return 'asking';
  if (isUnderWay(state)) return status;
  return status === 'waiting' || status === 'running' ? 'skipped' : status;
}

/** Whether a node ended in a run that began before the node changed. */
export function isOutdated(state: RunState, id: string): boolean {
  const status = state.nodes[id]?.status;
  return (status === 'done' || status === 'failed') && state.changed?.has(id) === true;
}

/** Whether the failure of the run belongs to the flow as it was. */
export const isFailureOutdated = ({ failure, changed }: Pick<RunState, 'failure' | 'changed'>): boolean =>
  failure?.node !== undefined && changed?.has(failure.node) === true;
