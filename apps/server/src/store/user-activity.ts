import { count, isNull, sql } from 'drizzle-orm';
import type { IncomingMessage } from 'node:http';
import type { Identified } from '../identify.ts';
import type { Db } from './database.ts';
import { flow } from './flow-schema.ts';
import { user, userActivity } from './schema.ts';
import { createTouches, type Touches } from './touches.ts';

/** How often the times are written. */
const WRITE_EVERY_MS = 60_000;

/** Remembers when users sent their last requests, also those of their keys. */
export const createUserTouches = (db: Db, onError: (error: unknown) => void): Touches =>
  createTouches((touches) => writeActivity(db, touches), { everyMs: WRITE_EVERY_MS, onError });

/** Touches the user of each request. A request that is identified again while it lasts counts once. */
export function touching(
  identify: (request: IncomingMessage) => Promise<Identified | undefined>,
  touches: Pick<Touches, 'touch'>,
): (request: IncomingMessage) => Promise<Identified | undefined> {
  const seen = new WeakSet<IncomingMessage>();
  return async (request) => {
    const found = await identify(request);
    if (found === undefined || seen.has(request)) return found;
    seen.add(request);
    touches.touch(found.caller.userId);
    return found;
  };
}

/** The last activity and the flows of all users, by id. Two queries. */
export async function readUserActivity(
  db: Db,
): Promise<(userId: string) => { readonly lastActiveAt: Date | null; readonly flows: number }> {
  const [active, owners] = await Promise.all([
    db.select().from(userActivity),
    db.select({ userId: flow.userId, flows: count() }).from(flow).where(isNull(flow.deletedAt)).groupBy(flow.userId),
  ]);
  const lastOf = new Map(active.map(({ userId, at }) => [userId, at]));
  const flowsOf = new Map(owners.map(({ userId, flows }) => [userId, flows]));
  return (userId) => ({ lastActiveAt: lastOf.get(userId) ?? null, flows: flowsOf.get(userId) ?? 0 });
}

/** Users who were removed meanwhile are left out. */
async function writeActivity(db: Db, touches: readonly (readonly [string, Date])[]): Promise<void> {
  const ids = sql.param(touches.map(([id]) => id));
  const times = sql.param(touches.map(([, at]) => at.toISOString()));
  await db.execute(sql`
    INSERT INTO ${userActivity} (user_id, at)
    SELECT touched.id, touched.at FROM unnest(${ids}::text[], ${times}::timestamptz[]) AS touched (id, at)
    JOIN ${user} ON ${user.id} = touched.id ORDER BY touched.id
    ON CONFLICT (user_id) DO UPDATE SET at = greatest(${userActivity.at}, excluded.at)`);
}
