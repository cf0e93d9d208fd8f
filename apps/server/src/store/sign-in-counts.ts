import { createHash } from 'node:crypto';
import { eq, lt, sql } from 'drizzle-orm';
import type { Db } from './database.ts';
import { signInCount } from './schema.ts';

/** How many tries there are, and how long one then waits. */
export type TryRule =
  /** So many from the first one on until the window ends. */
  | { readonly kind: 'window'; readonly tries: number; readonly windowMs: number }
  /**
   * So many at once, then one at a time with a wait between them that doubles every ten tries, up to `mostMs`. Forgotten
   * when nobody tried for as long as the window.
   */
  | { readonly kind: 'wait'; readonly tries: number; readonly windowMs: number; readonly mostMs: number };

const FIRST_WAIT_MS = 1_000;
const DOUBLES_EVERY = 10;

/**
 * Counts a try, unless there is none left: one statement, so that many at once are no more than many in a row, whichever
 * server they come to.
 *
 * @returns milliseconds until the next is free, for one that was refused; 0 for one that was counted
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

/** Takes one try back: it was no guess. */
export async function giveTryBack(db: Db, what: string, now: Date): Promise<void> {
  await db
    .update(signInCount)
    .set({ count: sql`greatest(0, ${signInCount.count} - 1)`, freeAt: now })
    .where(eq(signInCount.key, keyOf(what)));
}

/** Forgets what was counted. */
export async function forgetTries(db: Db, what: string): Promise<void> {
  await db.delete(signInCount).where(eq(signInCount.key, keyOf(what)));
}

/** Remembers something for a time, among the counts. */
export async function remember(db: Db, what: string, until: Date, now: Date): Promise<void> {
  const row = { count: 0, freeAt: now, expiresAt: until };
  await db
    .insert(signInCount)
    .values({ key: keyOf(what), ...row })
    .onConflictDoUpdate({ target: signInCount.key, set: row });
}

/** Whether it is remembered still. */
export async function isRemembered(db: Db, what: string, now: Date): Promise<boolean> {
  const [row] = await db
    .select({ expiresAt: signInCount.expiresAt })
    .from(signInCount)
    .where(eq(signInCount.key, keyOf(what)));
  return row !== undefined && row.expiresAt > now;
}

/** Removes what says nothing any more. */
export async function sweepTries(db: Db, now: Date): Promise<void> {
  await db.delete(signInCount).where(lt(signInCount.expiresAt, now));
}

/** Names and addresses are nobody's to read in a table, and are of one length. */
function keyOf(what: string): string {
  return createHash('sha256').update(what).digest('base64url');
}
