import { parseLastEventId } from '@croft/event-log';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { runRoutes } from '../contract/run-routes.ts';
import { followRun } from '../flow-runs/follow-run.ts';
import type { LiveRun, LiveRuns, RunOutcome } from '../flow-runs/live-runs.ts';
import type { RunHistory, RunSummary } from '../flow-runs/run-history.ts';
import { type StartOptions, startStoredFlow } from '../flow-runs/start-stored-flow.ts';
import { type RawHttp, type Route, route } from './route.ts';

export interface RunRouteOptions extends StartOptions {
  readonly liveRuns: Pick<LiveRuns, 'start' | 'find'>;
  readonly runHistory: Pick<RunHistory, 'list' | 'find' | 'remove'>;
}

const NO_RUN = 'You have no such run.';
const NOT_FOLLOWED = 'The events of this run are gone. Read it with GET /api/v1/runs/{id}.';

/** Runs of flows: start, follow, cancel, and the history. */
export function makeRunRoutes(options: RunRouteOptions): Route[] {
  const { liveRuns, runHistory } = options;
  return [
    route(runRoutes.runFlow, async ({ caller, params, body, outgoing, other }) => {
      const { timeoutSeconds, ...values } = body;
      const { run } = await startStoredFlow(options, caller, {
        flowId: params.id,
        values,
        timeoutMs: timeoutSeconds * 1_000,
      });
      const outcome = await outcomeWhileConnected(run, outgoing);
      const result = shownOutcome(run, outcome);
      return outcome.status === 'completed' ? result : other(422, result);
    }),
    route(runRoutes.streamFlow, async ({ caller, params, body, outgoing }) => {
      const { timeoutSeconds, ...values } = body;
      const { run } = await startStoredFlow(options, caller, {
        flowId: params.id,
        values,
        timeoutMs: timeoutSeconds * 1_000,
      });
      followRun(run, outgoing, undefined);
      return RESPONSE_ALREADY_SENT;
    }),
    route(runRoutes.listRuns, async ({ caller, query }) => {
      const { flow, limit, cursor } = query;
      const page = await runHistory.list(caller.userId, { flowId: flow, limit, cursor });
      return { runs: page.runs.map(shownSummary), nextCursor: page.nextCursor };
    }),
    route(runRoutes.getRun, async ({ caller, params, problem }) => {
      const found = await runHistory.find(caller.userId, params.id);
      if (found === undefined) throw problem('not_found', NO_RUN);
      const { text, failure, timeline, ...summary } = found;
      const entries = timeline.entries.map((entry) => ({ ...entry }));
      return { run: { ...shownSummary(summary), text, failure, timeline: entries, timelineIsCut: timeline.isCut } };
    }),
    route(runRoutes.followRun, async ({ caller, params, query, incoming, outgoing, problem }) => {
      const run = liveRuns.find(caller.userId, params.id);
      if (run === undefined) {
        const isStored = (await runHistory.find(caller.userId, params.id)) !== undefined;
        throw problem('not_found', isStored ? NOT_FOLLOWED : NO_RUN);
      }
      followRun(run, outgoing, parseLastEventId(incoming.headers['last-event-id'] ?? query.lastEventId));
      return RESPONSE_ALREADY_SENT;
    }),
    route(runRoutes.cancelRun, async ({ caller, params, problem }) => {
      const run = liveRuns.find(caller.userId, params.id);
      if (run !== undefined) run.cancel();
      else if ((await runHistory.find(caller.userId, params.id)) === undefined) throw problem('not_found', NO_RUN);
      return { id: params.id };
    }),
    route(runRoutes.deleteRun, async ({ caller, params, problem }) => {
      const run = liveRuns.find(caller.userId, params.id);
      run?.cancel();
      await run?.outcome.catch(() => undefined);
      if (!(await runHistory.remove(caller.userId, params.id))) throw problem('not_found', NO_RUN);
      return { id: params.id };
    }),
  ];
}

/** Waits for the end of a run, and cancels it when the client goes away. */
export async function outcomeWhileConnected(run: LiveRun, outgoing: RawHttp['outgoing']): Promise<RunOutcome> {
  outgoing.once('close', run.cancel);
  try {
    if (outgoing.closed) run.cancel();
    return await run.outcome;
  } finally {
    outgoing.off('close', run.cancel);
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

function shownSummary({ id, flowId, flowName, status, startedAt, endedAt, metrics }: RunSummary) {
  return {
    id,
    flowId,
    flowName,
    status,
    startedAt: startedAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
    metrics: metrics && { ...metrics },
  };
}
