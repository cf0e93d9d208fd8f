import type { History, Services } from '@croft/components';
import type { EventLog } from '@croft/event-log';
import {
  type ComponentRegistry,
  type Failure,
  type FlowDocument,
  type Metrics,
  nextTurn,
  type RunEvent,
  runFlow,
  type RunResult,
  type RunStatus,
} from '@croft/flow';
import type { Actor } from '@croft/tools';
import type { StartedBy } from '../contract/run-starts.ts';
import type { Log } from '../log.ts';
import { inputLine } from './input-line.ts';
import type { RunHistory } from './run-history.ts';
import { answerOf, outputsOf } from './run-output.ts';
import type { OpenRunServices, RunServices } from './run-services.ts';
import type { RunSlots } from './run-slots.ts';
import { createTimeline, type Timeline } from './run-timeline.ts';
import { createTokenRedactor, type TokenRedactor } from './secret-texts.ts';

/** A run to start. The inputs are checked; see `run-request.ts`. */
export interface RunRequest {
  readonly actor: Actor & { readonly userId: string };
  readonly flowId: string;
  readonly startedBy: StartedBy;
  readonly flow: FlowDocument;
  readonly inputs: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly registry: ComponentRegistry<Services>;
  /** Of the flow with its inputs, about. */
  readonly bytes: number;
  readonly timeoutMs: number;
  /** The component at which the run starts, with outputs of an earlier run before it. */
  readonly startAt?: string | undefined;
  /** Messages that the flow sees as its history, in place of the stored ones. */
  readonly history?: History;
}

/** The end of a run. Without secrets. */
export interface RunOutcome {
  readonly status: RunStatus;
  readonly text: string;
  /** The text of the flow's chat outputs; at most 4 Mi characters. */
  readonly answer: string;
  readonly outputs: Readonly<Record<string, unknown>>;
  readonly metrics: Metrics;
  readonly failure: Failure | undefined;
}

/** The parts of the server that a run uses. */
export interface LiveRunOptions {
  readonly slots: RunSlots;
  readonly openServices: OpenRunServices;
  readonly history: RunHistory;
  readonly log: Pick<Log, 'error'>;
}

/** A run that was stopped gets this long to end its components. */
const END_MARGIN_MS = 60_000;

const NO_METRICS: Metrics = { duration_seconds: 0, input_tokens: 0, output_tokens: 0, total_tokens: 0 };

interface Executing extends LiveRunOptions {
  readonly events: EventLog;
  /** Gets how to read the timeline. */
  readonly timeline: { read?: () => Timeline };
  readonly signal: AbortSignal;
  /** Of the flow with its inputs. */
  readonly bytes: number;
}

/**
 * Runs to the end, and stores it. Runs that start or end together do their parts in different turns of the event loop: else a
 * file request between them waits for all.
 *
 * @throws Problem `busy`, what services and the database throw
 */
export async function execute(id: string, request: RunRequest, context: Executing): Promise<RunOutcome> {
  const { events, signal, slots, log } = context;
  let release: (() => void) | undefined;
  const emit = (event: RunEvent) => events.append({ event: event.kind, data: JSON.stringify(event) });
  try {
    release = await slots.take(request.actor.userId, context.bytes, signal);
    await nextTurn();
    return await executeNow(id, request, context, emit);
  } catch (error) {
    const isCancelled = signal.aborted;
    const text = isCancelled ? 'The run was cancelled before it started.' : 'The run could not start.';
    emit({ kind: 'run_finished', status: isCancelled ? 'cancelled' : 'failed', text, metrics: NO_METRICS });
    if (isCancelled)
      return { status: 'cancelled', text, answer: text, outputs: {}, metrics: NO_METRICS, failure: undefined };
    log.error({ err: error, run: id }, 'a run could not start');
    throw error;
  } finally {
    release?.();
  }
}

async function executeNow(
  id: string,
  { actor, flowId, startedBy, flow, inputs, registry, timeoutMs, startAt, history: messages }: RunRequest,
  { openServices, history, log, signal, timeline: shared }: Executing,
  emit: (event: RunEvent) => void,
): Promise<RunOutcome> {
  const { userId } = actor;
  const startedAt = new Date();
  const endsBefore = new Date(startedAt.getTime() + timeoutMs + END_MARGIN_MS);
  const keepsOutputs = startedBy === 'canvas' || startAt !== undefined;
  const opened = await openServices(actor, { id, flowId, flow, inputs, history: messages, keepsOutputs });
  try {
    const input = inputLine(flow, registry, inputs, opened.secrets);
    await history.begin({ id, userId, flowId, flowName: flow.name, startedBy, startedAt, input, endsBefore });
    await nextTurn();
    const timeline = createTimeline();
    shared.read = timeline.read;
    const shown = redactedTokens(opened, emit);
    const run = runFlow(flow, {
      registry,
      services: opened.services,
      inputs,
      signal,
      timeoutMs,
      runId: id,
      secrets: opened.secrets,
      ...(opened.stored && { stored: opened.stored }),
      ...(startAt !== undefined && { from: startAt }),
    });
    let result: RunResult;
    let last: RunEvent | undefined;
    for (;;) {
      const { done, value } = await run.next();
      if (done === true) {
        result = value;
        break;
      }
      for (const event of value) {
        timeline.add(event);
        if (event.kind === 'run_finished') last = event;
        else shown(event);
      }
    }
    const { status, text, metrics, failure } = result;
    await nextTurn();
    await history
      .end(userId, id, { status, endedAt: new Date(), metrics, text, failure, timeline: timeline.read() })
      .catch((error: unknown) => log.error({ err: error, run: id }, 'the end of a run could not be stored'));
    await opened
      .finished(result)
      .catch((error: unknown) => log.error({ err: error, run: id }, 'the answer of a run could not be stored'));
    await nextTurn();
    // After it is stored, so that a reader who saw the end finds the run in the history.
    if (last !== undefined) emit(last);
    const answer = answerOf(result, flow, opened.secrets);
    return { status, text, answer, outputs: outputsOf(result, opened.secrets), metrics, failure };
  } finally {
    opened.close();
  }
}

/** Redacts secrets that a model sends in several tokens. */
function redactedTokens({ secrets }: RunServices, emit: (event: RunEvent) => void): (event: RunEvent) => void {
  const streams = new Map<string, TokenRedactor>();
  return (event) => {
    if (!('path' in event)) return emit(event);
    const { node, path } = event;
    const key = `${node}/${path}`;
    if (event.kind === 'token') {
      const stream = streams.get(key) ?? createTokenRedactor(secrets);
      streams.set(key, stream);
      const text = stream.add(event.text);
      if (text !== '') emit({ ...event, text });
      return;
    }
    if (event.kind === 'node_finished' || event.kind === 'node_failed' || event.kind === 'node_cancelled') {
      const rest = streams.get(key)?.end() ?? '';
      streams.delete(key);
      if (rest !== '') emit({ kind: 'token', node, path, text: rest });
    }
    emit(event);
  };
}
