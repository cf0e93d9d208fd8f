import type { RunDetails, RunPage, RunSummary as QueuedSummary, Timeline as QueuedTimeline } from '@croft/runs';
import { readStartedBy } from '../contract/run-starts.ts';
import { problem } from '../routes/route.ts';
import type { LiveRun, LiveRuns } from './live-runs.ts';
import type { QueuedRuns } from './queued-runs.ts';
import {
  cursorOf,
  isDirectStatus,
  type ListRuns,
  type RunHistory,
  type RunRecord,
  type RunSummary,
  WRONG_CURSOR,
} from './run-history.ts';
import { boundedTimeline, type Timeline } from './run-timeline.ts';

/** The origin of a run. `direct`: its client waited for it or followed it. */
export type RunSource = 'direct' | 'api' | 'webhook' | 'schedule';

/** A run of either kind, as the history shows it. */
export interface ShownSummary extends Omit<RunSummary, 'status'> {
  readonly status: RunSummary['status'] | QueuedSummary['status'];
  readonly source: RunSource;
}

export interface ShownRun extends ShownSummary, Pick<RunRecord, 'text' | 'failure' | 'timeline'> {
  readonly outputs: Readonly<Record<string, unknown>> | null;
  readonly questions: RunDetails['questions'];
  readonly undecided: readonly string[];
}

export interface ListAllRuns extends Omit<ListRuns, 'status'> {
  /** Direct runs never wait, and queued ones are not interrupted. */
  readonly status?: ShownSummary['status'] | undefined;
}

/** The history of direct and queued runs together. */
export interface AllRuns {
  /** Newest first. A page costs the same at any depth. @throws Problem `invalid` for a cursor that no page gave */
  list(userId: string, query: ListAllRuns): Promise<{ runs: ShownSummary[]; nextCursor: string | null }>;
  /** `undefined` if the user has no such run. */
  find(userId: string, id: string): Promise<ShownRun | undefined>;
  /** Those of these runs that the user still has. */
  kept(userId: string, ids: readonly string[]): Promise<ReadonlySet<string>>;
}

/** Reads both tables by the same position, and takes the newer run of each. */
export function createAllRuns(
  runHistory: RunHistory,
  liveRuns: Pick<LiveRuns, 'find'>,
  queuedRuns: Pick<QueuedRuns, 'reader'>,
): AllRuns {
  return {
    async list(userId, { flowId, limit, cursor, status }) {
      const reader = await queuedRuns.reader();
      const direct =
        status === undefined || isDirectStatus(status)
          ? await runHistory.list(userId, { flowId, limit, cursor, status })
          : { runs: [], nextCursor: null };
      const ofQueued = { userId, limit, ...(flowId !== undefined && { flowId }) };
      const queued: RunPage =
        status === 'interrupted'
          ? { runs: [] }
          : await reader
              .list({
                ...ofQueued,
                ...(status !== undefined && { status }),
                ...(cursor !== undefined && { after: cursor }),
              })
              .catch(showProblem);
      const found = [
        ...direct.runs.map((run) => ({ run: { ...run, source: 'direct' as const }, cursor: cursorOf(run) })),
        ...queued.runs.map(({ cursor: own, ...run }) => ({ run: summaryOf(run), cursor: own })),
      ].sort((a, b) => positionOf(b.cursor) - positionOf(a.cursor) || (a.run.id < b.run.id ? 1 : -1));
      const shown = found.slice(0, limit);
      const hasMore = found.length > limit || direct.nextCursor !== null || queued.next !== undefined;
      return { runs: shown.map(({ run }) => run), nextCursor: hasMore ? (shown.at(-1)?.cursor ?? null) : null };
    },
    async find(userId, id) {
      const live = liveRuns.find(userId, id);
      // The run may begin and end while the history is read.
      const direct =
        (await runHistory.find(userId, id)) ??
        (live && (live.isOver() ? await runHistory.find(userId, id) : notStored(live)));
      if (direct !== undefined) {
        const timeline = (direct.status === 'running' ? live?.timeline() : undefined) ?? direct.timeline;
        return { ...direct, timeline, source: 'direct', outputs: null, questions: [], undecided: [] };
      }
      const reader = await queuedRuns.reader();
      const found = await reader.find(id, userId).catch(showProblem);
      if (found === undefined) return undefined;
      const timeline = (await reader.timeline(id, userId).catch(showProblem)) ?? { entries: [], isCut: false };
      return detailsOf(found, timeline);
    },
    async kept(userId, ids) {
      if (ids.length === 0) return new Set();
      const direct = await runHistory.kept(userId, ids);
      const others = ids.filter((id) => !direct.includes(id));
      if (others.length === 0) return new Set(direct);
      return new Set([...direct, ...(await (await queuedRuns.reader()).kept(others, userId).catch(showProblem))]);
    },
  };
}

/** A run that waits for its slot, or has just begun: the history does not have it yet. */
function notStored({ id, flowId, flowName, startedBy, requestedAt }: LiveRun): RunRecord {
  const nothing = { text: null, failure: null, timeline: { entries: [], isCut: false } };
  const unfinished = { status: 'running', startedAt: requestedAt, endedAt: null, metrics: null, input: null } as const;
  return { id, flowId, flowName, startedBy, ...unfinished, ...nothing };
}

/** Microseconds; exact below 2^53. */
const positionOf = (cursor: string): number => Number(cursor.slice(0, cursor.indexOf('_')));

function summaryOf({
  id,
  flowId,
  flowName,
  source,
  status,
  createdAt,
  finishedAt,
  metrics,
  input,
}: QueuedSummary): ShownSummary {
  return {
    id,
    flowId: flowId ?? '',
    flowName,
    // The queue stores how a request started the run, such as `canvas`; older rows have `api`. Both are shown as `api`.
    source: source === 'webhook' || source === 'schedule' ? source : 'api',
    startedBy: readStartedBy(source) ?? null,
    status,
    startedAt: createdAt,
    endedAt: finishedAt,
    metrics,
    input,
  };
}

function detailsOf(run: RunDetails, timeline: QueuedTimeline): ShownRun {
  const { result, failure } = run;
  const queuedAt = run.createdAt.getTime();
  const entries = timeline.entries.map(({ startedAt, ...entry }) => ({
    ...entry,
    // Another machine may have run the node, with a clock that is behind.
    ...(startedAt !== undefined && { startedMs: Math.max(0, startedAt - queuedAt) }),
  }));
  const bounded: Timeline = boundedTimeline(entries, timeline.isCut);
  const outputs = (result?.outputs ?? null) as Record<string, unknown> | null;
  return {
    ...summaryOf(run),
    text: result?.text ?? null,
    outputs,
    failure,
    timeline: bounded,
    questions: run.questions,
    undecided: run.undecided,
  };
}

/** Errors of `@croft/runs` as the API gives them. By code, because the package is loaded late. */
export function showProblem(error: unknown): never {
  const { name, code, message } = (error ?? {}) as { name?: string; code?: string; message?: string };
  if (name !== 'RunError') throw error;
  if (code === 'unknown_run') throw problem('not_found', 'You have no such run.');
  if (code === 'unknown_question') throw problem('not_found', message ?? '');
  if (code === 'already_answered' || code === 'not_open') throw problem('changed', message ?? '');
  if (code === 'unreadable') throw problem('unavailable', `The run cannot be read. ${message}`);
  if (code === 'invalid_request') throw problem('invalid', message?.includes('page') ? WRONG_CURSOR : (message ?? ''));
  throw error;
}
