import { createHash } from 'node:crypto';
import { eq, lt, sql } from 'drizzle-orm';
import type { Db } from './database.ts';
import { signInCount } from './schema.ts';

/** Number of allowed attempts, and the wait after them. */
export type TryRule =
  /** Attempts from the first one until the window ends. */
  | { readonly kind: 'window'; readonly tries: number; readonly windowMs: number }
  /**
   * Attempts at once; then one at a time, with a wait that doubles every ten attempts, up to `mostMs`. Reset after a window
   * without attempts.
   */
  | { readonly kind: 'wait'; readonly tries: number; readonly windowMs: number; readonly mostMs: number };

const FIRST_WAIT_MS = 1_000;
const DOUBLES_EVERY = 10;

/**
 * Counts an attempt if one is left. Uses one statement, so that concurrent attempts, also on several servers, count like sequential
 * ones.
 *
 * @returns 0 for a counted attempt; for a refused one, milliseconds until the next is allowed
 */
export async function takeTry(db: Db, what: string, rule: TryRule, now: Date): Promise<number> {
  const key = keyOf(what);
  const windowEnd = new Date(now.getTime() + rule.windowMs);
  const { count, freeAt, expiresAt } = signInCount;
  const isOver = sql`${expiresAt} <= ${now.toISOString()}::timestamptz`;
  const next = sql`CASE WHEN ${isOver} THEN 1 ELSE ${count} + 1 END`;
  const end = sql`CASE WHEN ${isOver} THEN ${windowEnd.toISOString()}::timestamptz ELSE ${expiresAt} END`;
  const plain = sql`${now.toISOString()}::timestamptz`;
  const change =
    rule.kind === 'window'
      ? {
          count: next,
          expiresAt: end,
          freeAt: sql`CASE WHEN ${next} >= ${rule.tries} THEN ${end} ELSE ${plain} END`,
        }
      : {
          count: next,
          expiresAt: windowEnd,
          freeAt: sql`CASE WHEN ${next} >= ${rule.tries} THEN ${plain} + make_interval(secs => ${waitSeconds(next, rule)}) ELSE ${plain} END`,
        };
  const counted = await db
    .insert(signInCount)
    .values({ key, count: 1, freeAt: now, expiresAt: windowEnd })
    .onConflictDoUpdate({
      target: signInCount.key,
      set: change,
      setWhere: sql`${isOver} OR ${freeAt} <= ${now.toISOString()}::timestamptz`,
    })
    .returning({ count });
  if (counted.length > 0) return 0;
  const [row] = await db.select({ freeAt }).from(signInCount).where(eq(signInCount.key, key));
  return Math.max(1, (row?.freeAt.getTime() ?? 0) - now.getTime());
}

function waitSeconds(count: ReturnType<typeof sql>, { tries, mostMs }: Extract<TryRule, { kind: 'wait' }>) {
  // The exponent has a bound of its own, or the power would leave what a number holds.
  const doubled = sql`power(2, least(30, floor((${count} - ${tries}) / ${DOUBLES_EVERY}::float)))`;
  return sql`least(${mostMs / 1_000}::float, ${FIRST_WAIT_MS / 1_000}::float * ${doubled})`;
}

/** Removes one counted attempt, because it was not a guess. */
export async function giveTryBack(db: Db, what: string, now: Date): Promise<void> {
  await db
    .update(signInCount)
    .set({ count: sql`greatest(0, ${signInCount.count} - 1)`, freeAt: now })
    .where(eq(signInCount.key, keyOf(what)));
}

/** Removes the counts. */
export async function forgetTries(db: Db, what: string): Promise<void> {
  await db.delete(signInCount).where(eq(signInCount.key, keyOf(what)));
}

/** Stores a mark with an expiry time among the counts. */
export async function remember(db: Db, what: string, until: Date, now: Date): Promise<void> {
  const row = { count: 0, freeAt: now, expiresAt: until };
  await db
    .insert(signInCount)
    .values({ key: keyOf(what), ...row })
    .onConflictDoUpdate({ target: signInCount.key, set: row });
}

/** Whether a mark exists and has not expired. */
export async function isRemembered(db: Db, what: string, now: Date): Promise<boolean> {
  const [row] = await db
    .select({ expiresAt: signInCount.expiresAt })
    .from(signInCount)
    .where(eq(signInCount.key, keyOf(what)));
  return row !== undefined && row.expiresAt > now;
}

/** Removes expired rows. */
export async function sweepTries(db: Db, now: Date): Promise<void> {
  await db.delete(signInCount).where(lt(signInCount.expiresAt, now));
}

/** Hashes a subject, so that the table has no names or addresses and keys have one length. */
function keyOf(what: string): string {
  return createHash('sha256').update(what).digest('base64url');
}
