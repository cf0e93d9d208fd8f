import { eq, sql } from 'drizzle-orm';
import type { Db } from '../store/database.ts';
import { flow, flowShare } from '../store/flow-schema.ts';
import { announceFlow, type FlowNotice, noticeOf } from './announce-flow.ts';
import { withLockedFlow } from './locked-flow.ts';

/**
 * Replaces the tags of a flow. Of tags that differ in case only, the first stays.
 *
 * @throws Problem `not_found`, `read_only`
 */
export async function setTags(
  db: Db,
  { userId, flowId, tags }: { readonly userId: string; readonly flowId: string; readonly tags: readonly string[] },
): Promise<{ tags: string[]; notice: FlowNotice }> {
  const byName = new Map<string, string>();
  for (const tag of tags) if (!byName.has(tag.toLowerCase())) byName.set(tag.toLowerCase(), tag);
  const kept = [...byName.values()];
  return withLockedFlow(db, { userId, flowId }, async (tx, { version }) => {
    await tx.update(flow).set({ tags: kept }).where(eq(flow.id, flowId));
    const notice = await noticeOf(tx, flowId, version);
    await announceFlow(tx, notice);
    return { tags: kept, notice };
  });
}

/** The tags of all flows that a user can read, by name. */
export async function listTags(db: Db, userId: string): Promise<{ name: string; flows: number }[]> {
  const { rows } = await db.execute<{ name: string; flows: number }>(sql`
    SELECT tag AS name, count(*)::int AS flows
    FROM (
      SELECT unnest(${flow.tags}) AS tag FROM ${flow} WHERE ${flow.userId} = ${userId} AND ${flow.deletedAt} IS NULL
      UNION ALL
      SELECT unnest(${flow.tags}) FROM ${flowShare} JOIN ${flow} ON ${flow.id} = ${flowShare.flowId}
      WHERE ${flowShare.userId} = ${userId} AND ${flow.userId} <> ${userId} AND ${flow.deletedAt} IS NULL
    ) AS tags
    GROUP BY tag ORDER BY lower(tag), tag`);
  return rows;
}
