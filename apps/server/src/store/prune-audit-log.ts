import { and, count, desc, eq, isNotNull, isNull, lt, lte, type SQL, sql } from 'drizzle-orm';
import type { Db } from './database.ts';
import { auditEvent } from './schema.ts';

export interface AuditLimits {
  readonly days: number;
  /** Events of users who were signed in. */
  readonly ofUsers: number;
  /** Of others, such as refused sign-ins. They have a bound of their own, so that strangers cannot push out events of users. */
  readonly ofOthers: number;
}

const DAY_MS = 86_400_000;
const isOk = sql<boolean>`(${auditEvent.outcome} = 'ok')`;
const address = sql<string>`coalesce(${auditEvent.address}, '')`;

/**
 * Deletes events beyond the limits.
 *
 * The largest groups lose their oldest events first: a group has one action of one user, with success or without, or one
 * address of callers who were not signed in. A caller who repeats an action cannot push out other events.
 */
export async function pruneAuditLog(db: Db, limits: AuditLimits, now: Date): Promise<void> {
  await db.delete(auditEvent).where(lt(auditEvent.at, new Date(now.getTime() - limits.days * DAY_MS)));
  await shortenGroups(db, isNotNull(auditEvent.userId), limits.ofUsers, [auditEvent.userId, auditEvent.action, isOk]);
  await shortenGroups(db, isNull(auditEvent.userId), limits.ofOthers, [address]);
}

type Column = typeof auditEvent.userId | typeof auditEvent.action | SQL;

async function shortenGroups(db: Db, who: SQL, most: number, columns: readonly Column[]): Promise<void> {
  const key = Object.fromEntries(columns.map((column, index) => [index, column]));
  const groups = await db
    .select({ ...key, size: count() })
    .from(auditEvent)
    .where(who)
    .groupBy(...columns);
  const sizes = groups.map(({ size }) => Number(size));
  if (sizes.reduce((sum, size) => sum + size, 0) <= most) return;
  const kept = longestGroup(sizes, most);
  for (const { size, ...values } of groups) {
    if (Number(size) <= kept) continue;
    const same = columns.map((column, index) => eq(column as SQL, (values as Record<number, unknown>)[index]));
    await keepLatest(db, and(who, ...same) as SQL, kept);
  }
  // More groups than events that are kept.
  await keepLatest(db, who, most);
}

/** The events that each group may keep, so that all of them have at most `most`: at least one. */
export function longestGroup(sizes: readonly number[], most: number): number {
  let left = most;
  const ascending = sizes.toSorted((a, b) => a - b);
  for (const [index, size] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - index));
    if (size > share) return Math.max(share, 1);
    left -= size;
  }
  return most;
}

async function keepLatest(db: Db, which: SQL, most: number): Promise<void> {
  const [oldest] = await db
    .select({ id: auditEvent.id })
    .from(auditEvent)
    .where(which)
    .orderBy(desc(auditEvent.id))
    .offset(most)
    .limit(1);
  if (oldest !== undefined) await db.delete(auditEvent).where(and(which, lte(auditEvent.id, oldest.id)));
}
