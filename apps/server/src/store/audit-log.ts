import { and, desc, eq, lt, type SQL } from 'drizzle-orm';
import type { Db } from './database.ts';
import { type AuditLimits, pruneAuditLog } from './prune-audit-log.ts';
import { auditEvent, user } from './schema.ts';

/** An event as it is stored. Holds ids and paths, no secrets. */
export type StoredAuditEvent = Omit<typeof auditEvent.$inferInsert, 'id' | 'targets' | 'changes'> & {
  readonly targets: readonly string[];
  readonly changes: readonly string[];
};

/** An event of a list, with the name of its user: null after the user was removed, and for a caller who was not signed in. */
export type ListedAuditEvent = typeof auditEvent.$inferSelect & { readonly userName: string | null };

export interface AuditFilter {
  readonly userId?: string | undefined;
  readonly action?: string | undefined;
  /** Only older events: the id of the last one of the page before. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/** The audit log in the database, beside the one in the log of the server. It has the latest events only. */
export interface AuditLog {
  /** Stores an event soon. Never fails: an event that cannot be stored is in the log of the server. */
  add(event: StoredAuditEvent): void;
  /** The newest first. */
  list(filter: AuditFilter): Promise<ListedAuditEvent[]>;
  /** Deletes events beyond the bounds. */
  prune(now?: Date): Promise<void>;
  /** Begins to prune. */
  start(): void;
  /** Writes the remaining events. */
  close(): Promise<void>;
}

export const AUDIT_LIMITS = {
  days: 90,
  ofUsers: 100_000,
  ofOthers: 20_000,
} as const satisfies AuditLimits;

const WRITE_EVERY_MS = 1_000;
/** Events that wait for a database that does not answer. */
const MAX_WAITING = 5_000;
const PRUNE_EVERY_MS = 3_600_000;
/** A client can cause many events within an hour. */
const PRUNE_AFTER_EVENTS = 10_000;

export function createAuditLog(
  db: Db,
  {
    storage,
    onError,
    limits = AUDIT_LIMITS,
    pruneAfter = PRUNE_AFTER_EVENTS,
  }: {
    /** Waits for the database. */
    readonly storage: () => Promise<unknown>;
    readonly onError: (error: unknown) => void;
    readonly limits?: AuditLimits;
    /** Events after which this process prunes without waiting for the next hour. */
    readonly pruneAfter?: number;
  },
): AuditLog {
  let waiting: StoredAuditEvent[] = [];
  let timer: NodeJS.Timeout | undefined;
  let pruneTimer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();
  let written = 0;
  let isClosed = false;
  const prune = (now = new Date()): Promise<void> => pruneAuditLog(db, limits, now);
  const write = async (): Promise<void> => {
    timer = undefined;
    const events = waiting;
    if (events.length === 0) return;
    waiting = [];
    try {
      await db
        .insert(auditEvent)
        .values(events.map((each) => ({ ...each, targets: [...each.targets], changes: [...each.changes] })));
    } catch (error) {
      waiting = [...events, ...waiting].slice(-MAX_WAITING);
      onError(error);
      writeSoon();
      return;
    }
    written += events.length;
    if (written < pruneAfter) return;
    written = 0;
    await prune().catch(onError);
  };
  const writeSoon = () => {
    if (!isClosed) timer ??= setTimeout(() => void flush(), WRITE_EVERY_MS).unref();
  };
  const flush = () => {
    clearTimeout(timer);
    return (writing = writing.then(write));
  };
  return {
    add(event) {
      waiting.push(event);
      if (waiting.length > MAX_WAITING) waiting.shift();
      writeSoon();
    },
    async list({ userId, action, before, limit }) {
      await flush();
      const conditions: SQL[] = [];
      if (userId !== undefined) conditions.push(eq(auditEvent.userId, userId));
      if (action !== undefined) conditions.push(eq(auditEvent.action, action));
      if (before !== undefined) conditions.push(lt(auditEvent.id, before));
      const rows = await db
        .select({ event: auditEvent, userName: user.name })
        .from(auditEvent)
        .leftJoin(user, eq(user.id, auditEvent.userId))
        .where(and(...conditions))
        .orderBy(desc(auditEvent.id))
        .limit(limit);
      return rows.map(({ event, userName }) => ({ ...event, userName }));
    },
    prune,
    start() {
      const attempt = async () => {
        await storage();
        await prune();
      };
      const next = () => {
        attempt().catch(onError);
        pruneTimer = setTimeout(next, PRUNE_EVERY_MS).unref();
      };
      pruneTimer = setTimeout(next, PRUNE_EVERY_MS / 60).unref();
    },
    async close() {
      isClosed = true;
      clearTimeout(pruneTimer);
      await flush();
    },
  };
}
