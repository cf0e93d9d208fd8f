import type { FlowRunEnd, StartedRun } from '@croft/assistant';
import type { RunDetails } from '@croft/runs';
import { actorOf, VIA_OF_RUN } from '../files/actor-of.ts';
import { showProblem } from '../flow-runs/all-runs.ts';
import type { QueuedRuns } from '../flow-runs/queued-runs.ts';
import {
  type ReadFlow,
  readFlowOf,
  readyFlow,
  type ReadyFlow,
  type StartOptions,
} from '../flow-runs/start-stored-flow.ts';
import type { Caller } from '../identity.ts';

export interface StartTurnRunOptions extends StartOptions {
  readonly queuedRuns: Pick<QueuedRuns, 'enqueue' | 'open'>;
  readonly readForPrograms: ReadFlow;
}

export interface TurnRunRequest {
  readonly flowId: string;
  readonly sessionId: string;
  readonly message: string | undefined;
  /** Refuses if the flow has another version. */
  readonly version: number;
}

const TIMEOUT_MS = 120_000;
const startedBy = 'assistant';

/**
 * Starts a run of the assistant. A flow that asks a person is queued, because a direct run cannot wait: such a run also
 * ends for the assistant when it waits, and continues after the answer on its page.
 *
 * @throws Problem `not_found`, `invalid`, `forbidden`, `changed`, `busy`
 */
export async function startTurnRun(
  options: StartTurnRunOptions,
  caller: Caller,
  { flowId, sessionId, message, version }: TurnRunRequest,
): Promise<StartedRun> {
  const values = { message, session: sessionId };
  const ready = await readyFlow({ ...options, readFlow: readFlowOf(options, caller) }, caller.userId, {
    flowId,
    version,
    values,
  });
  if (asksPerson(ready)) return queueRun(options.queuedRuns, caller, flowId, ready);
  const actor = { ...actorOf(caller), via: VIA_OF_RUN[startedBy], client: null };
  const { id, cancel, outcome } = options.liveRuns.start({ ...ready, actor, flowId, startedBy, timeoutMs: TIMEOUT_MS });
  const ended = outcome.then(({ status, text, failure, metrics }) => ({
    status,
    text,
    metrics,
    ...(failure && { failure }),
  }));
  return { id, cancel, ended };
}

const asksPerson = ({ flow, registry }: ReadyFlow): boolean =>
  flow.nodes.some(({ type }) => registry.get(type)?.descriptor.effects.includes('wait') === true);

async function queueRun(
  queuedRuns: StartTurnRunOptions['queuedRuns'],
  { userId, key }: Caller,
  flowId: string,
  { flow, inputs, bytes }: ReadyFlow,
): Promise<StartedRun> {
  const request = { userId, key, flowId, startedBy, flow, inputs, bytes, timeoutMs: TIMEOUT_MS } as const;
  const id = await queuedRuns.enqueue(request).catch(showProblem);
  const runs = await queuedRuns.open();
  return {
    id,
    cancel: () => void runs.cancel(id, userId).catch(() => undefined),
    ended: runs.wait(id, userId, { statuses: ENDS }).then(endOf),
  };
}

const ENDS = ['waiting', 'needs_attention', 'completed', 'failed', 'cancelled', 'timed_out'] as const;
const NO_COST = { duration_seconds: 0, input_tokens: 0, output_tokens: 0, total_tokens: 0 };

function endOf({ status, result, questions, failure, metrics }: RunDetails): FlowRunEnd {
  const open = questions.filter(({ answer }) => answer === null).map(({ text }) => text);
  const text = status === 'waiting' ? open.join('\n') : (result?.text ?? failure?.message ?? '');
  return { status, text, metrics: metrics ?? NO_COST, ...(failure && { failure }) };
}
