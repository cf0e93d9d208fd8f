import type { Failure, Metrics } from '@croft/flow';
import { and, desc, eq, gte, inArray, lt, sql } from 'drizzle-orm';
import { readStartedBy, type StartedBy } from '../contract/run-starts.ts';
import { problem } from '../routes/route.ts';
import type { Db } from '../store/database.ts';
import { flowRun } from '../store/flow-schema.ts';
import type { Timeline } from './run-timeline.ts';

/** `interrupted`: the server ended before the run did. */
export type StoredStatus = (typeof STATUSES)[number];

const STATUSES = ['running', 'completed', 'failed', 'cancelled', 'timed_out', 'interrupted'] as const;

/** Whether a run that its client follows can be in this state. */
export const isDirectStatus = (status: string): status is StoredStatus =>
  (STATUSES as readonly string[]).includes(status);

export interface RunSummary {
  readonly id: string;
  readonly flowId: string;
  readonly flowName: string;
  readonly status: StoredStatus;
  /** Null for runs from before it was stored. */
  readonly startedBy: StartedBy | null;
  readonly startedAt: Date;
  readonly endedAt: Date | null;
  readonly metrics: Metrics | null;
  /** As `inputLine` makes it. Null for older runs. */
  readonly input: string | null;
}

export interface RunRecord extends RunSummary {
  /** The flow's result, bounded and redacted. */
  readonly text: string | null;
  readonly failure: Failure | null;
  readonly timeline: Timeline;
}

export interface NewRun {
  readonly id: string;
  readonly userId: string;
  readonly flowId: string;
  readonly flowName: string;
  readonly startedBy: StartedBy;
  readonly startedAt: Date;
  readonly input: string;
  /** When the run has ended, unless its server did before. */
  readonly endsBefore: Date;
}

export interface EndedRun {
  readonly status: Exclude<StoredStatus, 'running' | 'interrupted'>;
  readonly endedAt: Date;
  readonly metrics: Metrics;
  readonly text: string;
  readonly failure: Failure | undefined;
  readonly timeline: Timeline;
}

export interface ListRuns {
  readonly flowId?: string | undefined;
  readonly limit: number;
  /** `nextCursor` of the page before. */
  readonly cursor?: string | undefined;
  readonly status?: StoredStatus | undefined;
}

/** The stored runs of users. Each user sees only their own. */
export interface RunHistory {
  begin(run: NewRun): Promise<void>;
  end(userId: string, id: string, ended: EndedRun): Promise<void>;
  /** Newest first. A page costs the same at any depth. @throws Problem `invalid` for a cursor that no page gave */
  list(userId: string, query: ListRuns): Promise<{ runs: RunSummary[]; nextCursor: string | null }>;
  find(userId: string, id: string): Promise<RunRecord | undefined>;
  /** Those of these runs that are stored for the user. */
  kept(userId: string, ids: readonly string[]): Promise<string[]>;
  /** Marks runs that began before a time and have no end as interrupted: their server is gone. */
  endLost(startedBefore: Date): Promise<void>;
  /** Returns false if the user has no such run. */
  remove(userId: string, id: string): Promise<boolean>;
  /** Deletes runs that ended before; returns how many. */
  removeBefore(time: Date): Promise<number>;
  /** Deletes the oldest runs of a user, or of each, where they take too many bytes; the newest stays. Returns how many. */
  removeLarge(userId?: string): Promise<number>;
}

export const WRONG_CURSOR = 'cursor: use `nextCursor` of the page before.';
const DELETED_AT_ONCE = 2_000;
/** A row without its details. */
const ROW_BYTES = 500;

const SUMMARY = {
  id: flowRun.id,
  flowId: flowRun.flowId,
  flowName: flowRun.flowName,
  status: flowRun.status,
  startedBy: flowRun.startedBy,
  startedAt: flowRun.startedAt,
  endedAt: flowRun.endedAt,
  endsBefore: flowRun.endsBefore,
  metrics: flowRun.metrics,
  input: flowRun.input,
} as const;

/**
 * @param storage waits for the database
 * @param maxBytesOfUser of the runs of one user
 */
export function createRunHistory(storage: () => Promise<Db>, maxBytesOfUser: number): RunHistory {
  /** Bytes that each user added since the last look at their sum. */
  const added = new Map<string, number>();
  const own = (userId: string, id: string) => and(eq(flowRun.id, id), eq(flowRun.userId, userId));
  return {
    async begin(run) {
      await (await storage()).insert(flowRun).values({ ...run, status: 'running' });
    },
    async end(userId, id, { text, failure, timeline, ...ended }) {
      // JSON as text: `jsonb` and plain text refuse NUL, which outputs may contain.
      const details = JSON.stringify({ text, failure: failure ?? null, timeline });
      await (await storage())
        .update(flowRun)
        .set({ ...ended, details })
        .where(own(userId, id));
      const bytes = (added.get(userId) ?? 0) + details.length + ROW_BYTES;
      added.set(userId, bytes);
      if (bytes > maxBytesOfUser / 8) await this.removeLarge(userId);
    },
    async list(userId, { flowId, limit, cursor, status }) {
      const rows = await (await storage())
        .select(SUMMARY)
        .from(flowRun)
        .where(
          and(
            eq(flowRun.userId, userId),
            flowId === undefined ? undefined : eq(flowRun.flowId, flowId),
            status === undefined ? undefined : hasStatus(status),
            after(cursor),
          ),
        )
        .orderBy(desc(flowRun.startedAt), desc(flowRun.id))
        .limit(limit + 1);
      const runs = rows.slice(0, limit).map(summaryOf);
      const last = runs.at(-1);
      return { runs, nextCursor: rows.length > limit && last ? cursorOf(last) : null };
    },
    async find(userId, id) {
      const [row] = await (await storage())
        .select({ ...SUMMARY, details: flowRun.details })
        .from(flowRun)
        .where(own(userId, id));
      if (row === undefined) return undefined;
      const { details, ...summary } = row;
      return { ...summaryOf(summary), ...detailsOf(details) };
    },
    async kept(userId, ids) {
      const rows = await (await storage())
        .select({ id: flowRun.id })
        .from(flowRun)
        .where(and(inArray(flowRun.id, [...ids]), eq(flowRun.userId, userId)));
      return rows.map(({ id }) => id);
    },
    async endLost(startedBefore) {
      await (await storage())
        .update(flowRun)
        // The column has milliseconds: a time that is rounded up would be in the future for a moment.
        .set({ endsBefore: sql`least(${flowRun.endsBefore}, now() - interval '1 ms')` })
        .where(and(eq(flowRun.status, 'running'), lt(flowRun.startedAt, startedBefore)));
    },
    async remove(userId, id) {
      const gone = await (await storage()).delete(flowRun).where(own(userId, id)).returning({ id: flowRun.id });
      return gone.length > 0;
    },
    async removeLarge(userId) {
      if (userId === undefined) added.clear();
      else added.delete(userId);
      // The size as stored: nothing is read or decompressed.
      const { rowCount } = await (await storage()).execute(sql`
        DELETE FROM ${flowRun} AS old USING (
          SELECT id, sum(${ROW_BYTES}::int + coalesce(pg_column_size(details), 0)) OVER newest AS total,
            row_number() OVER newest AS place
          FROM ${flowRun} ${userId === undefined ? sql`` : sql`WHERE user_id = ${userId}`}
          WINDOW newest AS (PARTITION BY user_id ORDER BY started_at DESC, id DESC)
        ) AS sized
        WHERE old.id = sized.id AND sized.total > ${maxBytesOfUser} AND sized.place > 1 AND old.status <> 'running'`);
      return rowCount ?? 0;
    },
    async removeBefore(time) {
      const db = await storage();
      for (let removed = 0; ; ) {
        const old = db
          .select({ id: flowRun.id })
          .from(flowRun)
          .where(lt(flowRun.endsBefore, time))
          .limit(DELETED_AT_ONCE);
        const gone = await db.delete(flowRun).where(sql`${flowRun.id} IN (${old})`).returning({ id: flowRun.id });
        removed += gone.length;
        if (gone.length < DELETED_AT_ONCE) return removed;
      }
    },
  };
}

/** The position of a run in lists: microseconds, which queued runs have, and the id. */
export const cursorOf = ({ startedAt, id }: Pick<RunSummary, 'startedAt' | 'id'>): string =>
  `${startedAt.getTime() * 1_000}_${id}`;

function after(cursor: string | undefined) {
  if (cursor === undefined) return undefined;
  const [, micros, id] = /^(\d{1,18})_([\w-]{1,64})$/.exec(cursor) ?? [];
  if (micros === undefined || id === undefined) throw problem('invalid', WRONG_CURSOR);
  return sql`(${flowRun.startedAt}, ${flowRun.id}) < (to_timestamp(${micros}::numeric / 1000000), ${id})`;
}

/** A run is stored as `running` until it ends, also where its server did not live that long. */
function hasStatus(status: StoredStatus) {
  if (status === 'interrupted') return and(eq(flowRun.status, 'running'), lt(flowRun.endsBefore, sql`now()`));
  const isStored = eq(flowRun.status, status);
  return status === 'running' ? and(isStored, gte(flowRun.endsBefore, sql`now()`)) : isStored;
}

type SummaryRow = Pick<typeof flowRun.$inferSelect, keyof typeof SUMMARY>;

function summaryOf({ endsBefore, status, startedBy, ...row }: SummaryRow): RunSummary {
  const isLost = status === 'running' && endsBefore.getTime() < Date.now();
  return {
    ...row,
    status: isLost ? 'interrupted' : (status as StoredStatus),
    startedBy: readStartedBy(startedBy) ?? null,
  };
}

function detailsOf(details: string | null): Pick<RunRecord, 'text' | 'failure' | 'timeline'> {
  if (details === null) return { text: null, failure: null, timeline: { entries: [], isCut: false } };
  return JSON.parse(details) as Pick<RunRecord, 'text' | 'failure' | 'timeline'>;
}
