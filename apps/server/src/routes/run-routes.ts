import { parseLastEventId } from '@croft/event-log';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type DirectRunBody, runRoutes } from '../contract/run-routes.ts';
import type { StartedBy } from '../contract/run-starts.ts';
import { type AllRuns, showProblem, type ShownRun, type ShownSummary } from '../flow-runs/all-runs.ts';
import { followQueuedRun } from '../flow-runs/follow-queued-run.ts';
import { followRun } from '../flow-runs/follow-run.ts';
import type { LiveRun, LiveRuns } from '../flow-runs/live-runs.ts';
import type { RunOutcome } from '../flow-runs/execute-live-run.ts';
import type { QueuedRuns } from '../flow-runs/queued-runs.ts';
import type { RunHistory } from '../flow-runs/run-history.ts';
import {
  type ReadFlow,
  readFlowOf,
  readyFlow,
  type StartOptions,
  startStoredFlow,
} from '../flow-runs/start-stored-flow.ts';
import type { Caller } from '../identity.ts';
import { onClosed } from '../on-closed.ts';
import { cancelWithKey, endWithCaller } from '../watch-access.ts';
import { type RawHttp, type Route, route } from './route.ts';
import type { ServeOptions } from './serve-routes.ts';
import { createStreamLimit } from './stream-limit.ts';

export interface RunRouteOptions extends StartOptions, Pick<ServeOptions, 'identify' | 'lookMs'> {
  readonly liveRuns: Pick<LiveRuns, 'start' | 'find'>;
  readonly runHistory: Pick<RunHistory, 'find' | 'remove'>;
  readonly queuedRuns: Pick<QueuedRuns, 'enqueue' | 'reader' | 'open' | 'stopping'>;
  readonly allRuns: AllRuns;
  readonly readForPrograms: ReadFlow;
}

/** How long a deletion waits for the end of the run that it cancels. */
const END_WAIT_MS = 10_000;
const NO_RUN = 'You have no such run.';
const ELSEWHERE =
  'This run is under way at another server, or was when that server ended. Cancel it there, or wait until it has ended.';
const NOT_FOLLOWED = 'The events of this run are gone. Read it with GET /api/v1/runs/{id}.';

/** Runs of flows: start, follow, cancel, and the history. */
export function makeRunRoutes(options: RunRouteOptions): Route[] {
  const { allRuns, liveRuns, queuedRuns, runHistory } = options;
  const followers = createStreamLimit();
  const isQueued = async (userId: string, id: string) =>
    (await (await queuedRuns.reader()).kept([id], userId).catch(showProblem)).length > 0;
  const start = async (caller: Caller, flowId: string, body: DirectRunBody) => {
    const { timeoutSeconds, from, startAt, until, tweaks, ...values } = body;
    const { run } = await startStoredFlow({ ...options, readFlow: readFlowOf(options, caller) }, caller, {
      flowId,
      startedBy: startedBy(caller, from),
      startAt,
      until,
      values,
      tweaks,
      timeoutMs: timeoutSeconds * 1_000,
    });
    return run;
  };
  return [
    route(runRoutes.runFlow, async ({ caller, params, body, outgoing, other }) => {
      const run = await start(caller, params.id, body);
      const outcome = await outcomeWhileConnected(run, outgoing);
      const result = shownOutcome(run, outcome);
      return outcome.status === 'completed' ? result : other(422, result);
    }),
    route(runRoutes.streamFlow, async ({ caller, params, body, incoming, outgoing }) => {
      const run = await start(caller, params.id, body);
      // The run goes on without its reader, but not without the key that started it.
      if (caller.via === 'key') cancelWithKey(run, () => options.identify(incoming), options.lookMs);
      followRun(run, outgoing, undefined);
      return RESPONSE_ALREADY_SENT;
    }),
    route(runRoutes.queueRun, async ({ caller, params, body }) => {
      const { timeoutSeconds, requestKey, tweaks, from, ...values } = body;
      const { userId } = caller;
      const readFlow = readFlowOf(options, caller);
      const request = { flowId: params.id, values, tweaks };
      const { flow, inputs, bytes } = await readyFlow({ ...options, readFlow }, userId, request);
      const start = { flowId: params.id, startedBy: startedBy(caller, from), timeoutMs: timeoutSeconds * 1_000 };
      const queued = { userId, key: caller.key, ...start, flow, inputs, bytes, requestKey };
      return { id: await queuedRuns.enqueue(queued).catch(showProblem) };
    }),
    route(runRoutes.listRuns, async ({ caller, query }) => {
      const { flow, ...rest } = query;
      const page = await allRuns.list(caller.userId, { flowId: flow, ...rest });
      return { runs: page.runs.map(shownSummary), nextCursor: page.nextCursor };
    }),
    route(runRoutes.getRun, async ({ caller, params, problem }) => {
      const found = await allRuns.find(caller.userId, params.id);
      if (found === undefined) throw problem('not_found', NO_RUN);
      const { text, outputs, failure, timeline, questions, undecided, ...summary } = found;
      const entries = timeline.entries.map(({ log, ...entry }) => ({ ...entry, ...(log && { log: [...log] }) }));
      return {
        run: {
          ...shownSummary(summary),
          text,
          outputs,
          failure,
          timeline: entries,
          timelineIsCut: timeline.isCut,
          questions: questions.map(shownQuestion),
          undecided: [...undecided],
        },
      };
    }),
    route(runRoutes.followRun, async ({ caller, params, query, incoming, outgoing, problem }) => {
      const { userId } = caller;
      const { id } = params;
      const lastEventId = parseLastEventId(incoming.headers['last-event-id'] ?? query.lastEventId);
      // A queued run may wait for days, and the session of its reader may end meanwhile.
      if (caller.via !== 'key') endWithCaller(outgoing, () => options.identify(incoming), options.lookMs);
      const run = liveRuns.find(userId, id);
      if (run !== undefined) {
        followers.open(userId, outgoing);
        followRun(run, outgoing, lastEventId);
      } else if (await isQueued(userId, id)) {
        const { stopping } = queuedRuns;
        const runs = await queuedRuns.open();
        followers.open(userId, outgoing);
        // A stream that breaks is resumed by id: its client cannot be sent an error.
        void followQueuedRun(runs, outgoing, { id, userId, lastEventId, stopping }).catch(() => outgoing.destroy());
      } else throw problem('not_found', (await runHistory.find(userId, id)) === undefined ? NO_RUN : NOT_FOLLOWED);
      return RESPONSE_ALREADY_SENT;
    }),
    route(runRoutes.cancelRun, async ({ caller, params, problem }) => {
      const run = liveRuns.find(caller.userId, params.id);
      if (run !== undefined) run.cancel();
      else if (await isQueued(caller.userId, params.id))
        await (await queuedRuns.open()).cancel(params.id, caller.userId).catch(showProblem);
      else {
        const kept = await runHistory.find(caller.userId, params.id);
        if (kept === undefined) throw problem('not_found', NO_RUN);
        if (kept.status === 'running') throw problem('unavailable', ELSEWHERE);
      }
      return { id: params.id };
    }),
    route(runRoutes.answerRun, async ({ caller, params, body, problem }) => {
      const { key, ...answer } = body;
      const { userId } = caller;
      if (!(await isQueued(userId, params.id))) throw problem('not_found', NO_RUN);
      const runs = await queuedRuns.open();
      await runs.answer(params.id, userId, key, { ...answer, by: userId }).catch(showProblem);
      return { id: params.id };
    }),
    route(runRoutes.decideRun, async ({ caller, params, body, problem }) => {
      if (!(await isQueued(caller.userId, params.id))) throw problem('not_found', NO_RUN);
      const runs = await queuedRuns.open();
      await runs.decide(params.id, caller.userId, body.key, body.decision).catch(showProblem);
      return { id: params.id };
    }),
    route(runRoutes.deleteRun, async ({ caller, params, problem }) => {
      const run = liveRuns.find(caller.userId, params.id);
      run?.cancel();
      await run?.outcome.catch(() => undefined);
      if (run === undefined && (await runHistory.find(caller.userId, params.id))?.status === 'running')
        throw problem('unavailable', ELSEWHERE);
      if (await runHistory.remove(caller.userId, params.id)) return { id: params.id };
      if (!(await isQueued(caller.userId, params.id))) throw problem('not_found', NO_RUN);
      const runs = await queuedRuns.open();
      await runs.cancel(params.id, caller.userId).catch(showProblem);
      await runs.wait(params.id, caller.userId, { signal: AbortSignal.timeout(END_WAIT_MS) }).catch(showProblem);
      if (!(await runs.remove(params.id, caller.userId).catch(showProblem)))
        throw problem('busy', 'The run has not ended yet. Try again in a moment.');
      return { id: params.id };
    }),
  ];
}

/** Programs with an API key cannot claim to be a page. */
const startedBy = ({ via }: Caller, from: 'canvas' | 'playground' | undefined): StartedBy =>
  via === 'key' ? 'key' : (from ?? 'page');

/** Waits for the end of a run, and cancels it when the client goes away. */
export async function outcomeWhileConnected(run: LiveRun, outgoing: RawHttp['outgoing']): Promise<RunOutcome> {
  const forget = onClosed(outgoing, run.cancel);
  try {
    return await run.outcome;
  } finally {
    forget();
  }
}

function shownOutcome({ id }: LiveRun, { status, text, outputs, metrics, failure }: RunOutcome) {
  return {
    id,
    status,
    text,
    outputs: { ...outputs },
    metrics: { ...metrics },
    failure: failure ? { ...failure } : null,
  };
}

function shownSummary(run: ShownSummary) {
  const { id, flowId, flowName, source, startedBy: way, status, startedAt, endedAt, metrics, input } = run;
  return {
    id,
    flowId,
    flowName,
    source,
    startedBy: way,
    status,
    startedAt: startedAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
    metrics: metrics && { ...metrics },
    input,
  };
}

function shownQuestion({ key, node, text, options, context, askedAt, answer }: ShownRun['questions'][number]) {
  return {
    key,
    node,
    text,
    options: [...options],
    context,
    askedAt: askedAt.toISOString(),
    answer: answer && { choice: answer.choice, comment: answer.comment, by: answer.by },
  };
}
