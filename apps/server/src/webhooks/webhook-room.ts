import { and, count, eq, ne, sql } from 'drizzle-orm';
import { problem } from '../routes/route.ts';
import type { Transaction } from '../store/database.ts';
import { flow, webhook } from '../store/flow-schema.ts';

/** Webhooks of one user. Those of deleted flows do not count. */
const MAX_WEBHOOKS = 100;
/** Of an advisory lock, with the user's id: requests at once would each find room for one more. */
const ADD_LOCK_ID = 7_860_018_013;

/** Its flow is not deleted. */
export const isReachable = sql`NOT EXISTS (SELECT FROM ${flow} WHERE ${flow.id} = ${webhook.flowId} AND ${flow.deletedAt} IS NOT NULL)`;

/** Counts the webhooks of a user, and adds none of them elsewhere until the transaction ends. */
async function countLocked(tx: Transaction, userId: string): Promise<number> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${userId}, ${ADD_LOCK_ID}::bigint))`);
  const [held] = await tx
    .select({ all: count() })
    .from(webhook)
    .where(and(eq(webhook.userId, userId), isReachable));
  return held?.all ?? 0;
}

/** @throws Problem `quota_exceeded` where the user has too many webhooks for another one */
export async function requireWebhookRoom(tx: Transaction, userId: string): Promise<void> {
  if ((await countLocked(tx, userId)) >= MAX_WEBHOOKS)
    throw problem('quota_exceeded', `You have ${MAX_WEBHOOKS} webhooks. Delete one first.`);
}

/**
 * Call it after a deleted flow was restored: its webhooks count again. Deletes those of other users who have too many then.
 *
 * @throws Problem `quota_exceeded` where its owner has too many
 */
export async function fitRestoredWebhooks(tx: Transaction, ownerId: string, flowId: string): Promise<void> {
  const above = (await countLocked(tx, ownerId)) - MAX_WEBHOOKS;
  if (above > 0)
    throw problem('quota_exceeded', `With those of this flow you have ${above} webhooks too many. Delete them first.`);
  const all = sql`(SELECT count(*) FROM ${webhook} AS held WHERE held.user_id = ${webhook.userId} AND NOT EXISTS (
    SELECT FROM ${flow} WHERE ${flow.id} = held.flow_id AND ${flow.deletedAt} IS NOT NULL))`;
  await tx
    .delete(webhook)
    .where(and(eq(webhook.flowId, flowId), ne(webhook.userId, ownerId), sql`${all} > ${MAX_WEBHOOKS}`));
}
