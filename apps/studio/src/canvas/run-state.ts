import type { Failure, Json, Metrics, RunEvent, Tokens } from '@croft/flow';
import type { ApiResponse } from '@croft/server/contract';

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
  readonly ms?: number;
  readonly outputs?: Json;
  readonly tokens?: Tokens;
  readonly failure?: Failure;
  /** Whether the outputs come from an earlier run or were fixed by hand. */
  readonly isReused?: boolean;
}

/** A run as the page shows it. */
export interface RunState {
  readonly status:
    | 'none'
    | 'starting'
    | 'running'
    | 'waiting'
    | 'needs_attention'
    | 'completed'
    | 'failed'
    | 'cancelled'
    | 'timed_out'
    | 'interrupted';
  readonly nodes: Readonly<Record<string, NodeRun>>;
  /** The components of the flow when the run began, where the page knows them. Later ones have no state. */
  readonly known?: ReadonlySet<string> | undefined;
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

/** The parts of a run from the history that the page shows. */
export type StoredRun = Pick<
  ApiResponse<'GET /api/v1/runs/{id}'>['run'],
  'status' | 'text' | 'failure' | 'metrics' | 'timeline' | 'questions' | 'undecided'
>;

export const NO_RUN: RunState = { status: 'none', nodes: {}, text: '' };
/** A run between the click and its first event. */
export const STARTING: RunState = { ...NO_RUN, status: 'starting' };

const MAX_TEXT = 4_000;
const NOT_STARTED: NodeRun = { status: 'waiting', rounds: 0, text: '' };

const UNDER_WAY: ReadonlySet<RunState['status']> = new Set(['starting', 'running', 'waiting', 'needs_attention']);

/** Whether the run has not ended. */
export const isUnderWay = ({ status }: Pick<RunState, 'status'>): boolean => UNDER_WAY.has(status);

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
  return { ...resumed(state), status, text, metrics, ...(failure && { failure }) };
}

/** The run when it continues after an answer or a decision. */
function resumed(state: RunState): RunState {
  const { questions: _, interrupted: __, ...rest } = state;
  return { ...rest, status: 'running' };
}

/** The run with the questions of its record that have no answer. A run that continued meanwhile stays as it is. */
export function withQuestions(state: RunState, { questions, undecided }: StoredRun): RunState {
  if (state.status === 'waiting') return { ...state, questions: questions.filter(({ answer }) => answer === null) };
  const [key] = undecided;
  if (state.status !== 'needs_attention' || state.interrupted || key === undefined) return state;
  return { ...state, interrupted: { key, message: 'Croft cannot tell whether an effect of this run happened.' } };
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
  if (state.known?.has(id) === false && state.nodes[id] === undefined) return undefined;
  const status = state.nodes[id]?.status ?? 'waiting';
  if (state.questions?.some(({ node }) => node === id)) return 'asking';
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
