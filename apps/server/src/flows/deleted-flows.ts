import { and, desc, eq, inArray, isNotNull, lt } from 'drizzle-orm';
import { notFound } from '../problem.ts';
import type { Db, Transaction } from '../store/database.ts';
import { flow, frozenOutput, webhook, webhookListener } from '../store/flow-schema.ts';
import { announceFlow, type FlowNotice, noticeOf } from './announce-flow.ts';
import { checkRoom } from './create-flow.ts';
import { FLOW_LIMITS } from './flow-limits.ts';
import { lockOwnFlow } from './get-flow.ts';
import { fitRestoredTool } from './published-tools.ts';
import { fitRestoredWebhooks } from '../webhooks/webhook-room.ts';

/** A deleted flow that can be restored. */
export interface DeletedFlow {
  readonly id: string;
  readonly name: string;
  readonly deletedAt: Date;
}

/** The outcome of a deletion. */
export interface Deletion {
  readonly notice: FlowNotice;
  /** Whether the flow itself is kept. A very large one is not. */
  readonly isKept: boolean;
  /** Flows that are gone for good, to make room. */
  readonly gone: readonly string[];
}

const DAY_MS = 86_400_000;

/**
 * Deletes a flow, and keeps it for its owner with its edits, restore points, shares, webhooks and chats. Until it is
 * restored, it is not read, listed or run. The caller removes its schedules. Kept flows are bounded by number, size and time: older ones go first.
 *
 * @throws Problem `not_found`, `forbidden`
 */
export async function deleteFlow(db: Db, userId: string, flowId: string): Promise<Deletion> {
  return db.transaction(async (tx) => {
    await lockOwnFlow(tx, userId, flowId);
    const notice = await noticeOf(tx, flowId, null);
    await tx.update(flow).set({ deletedAt: new Date() }).where(eq(flow.id, flowId));
    // Kept requests of others are data that nothing shows any more.
    const hooks = tx.select({ id: webhook.id }).from(webhook).where(eq(webhook.flowId, flowId));
    await tx.delete(webhookListener).where(inArray(webhookListener.webhookId, hooks));
    await tx.delete(frozenOutput).where(eq(frozenOutput.flowId, flowId));
    const gone = await dropAboveLimits(tx, userId);
    await announceFlow(tx, notice);
    return { notice, isKept: !gone.includes(flowId), gone };
  });
}

/** Deletes a flow that cannot be restored. @throws Problem `not_found`, `forbidden` */
export async function deleteForGood(db: Db, userId: string, flowId: string): Promise<FlowNotice> {
  return db.transaction(async (tx) => {
    await lockOwnFlow(tx, userId, flowId);
    const notice = await noticeOf(tx, flowId, null);
    await tx.delete(flow).where(eq(flow.id, flowId));
    await announceFlow(tx, notice);
    return notice;
  });
}

/** Lists the deleted flows that a user can restore, the newest deletion first. */
export async function listDeletedFlows(db: Db, userId: string): Promise<DeletedFlow[]> {
  const rows = await db
    .select({ id: flow.id, name: flow.name, deletedAt: flow.deletedAt })
    .from(flow)
    .where(and(eq(flow.userId, userId), isNotNull(flow.deletedAt)))
    .orderBy(desc(flow.deletedAt), desc(flow.id));
  return rows.flatMap(({ deletedAt, ...row }) => (deletedAt === null ? [] : [{ ...row, deletedAt }]));
}

/** Takes the deletion of a flow back. @throws Problem `not_found`, `quota_exceeded` */
export async function restoreDeletedFlow(db: Db, userId: string, flowId: string): Promise<FlowNotice> {
  return db.transaction(async (tx) => {
    const [row] = await tx
      .select({ bytes: flow.storedBytes, version: flow.version })
      .from(flow)
      .where(ownDeleted(userId, flowId))
      .for('update');
    if (row === undefined) throw notFound('You have no such deleted flow.');
    await checkRoom(tx, userId, { flows: 1, bytes: row.bytes });
    await tx.update(flow).set({ deletedAt: null }).where(eq(flow.id, flowId));
    await fitRestoredWebhooks(tx, userId, flowId);
    await fitRestoredTool(tx, userId, flowId);
    const notice = await noticeOf(tx, flowId, row.version);
    await announceFlow(tx, notice);
    return notice;
  });
}

/** Removes deleted flows of all users for good after their time. @returns how many */
export async function dropOldDeletedFlows(db: Db, now: Date): Promise<number> {
  const before = new Date(now.getTime() - FLOW_LIMITS.deletedDays * DAY_MS);
  const gone = await db.delete(flow).where(lt(flow.deletedAt, before)).returning({ id: flow.id });
  return gone.length;
}

const ownDeleted = (userId: string, flowId: string) =>
  and(eq(flow.id, flowId), eq(flow.userId, userId), isNotNull(flow.deletedAt));

/** Removes the oldest deleted flows of a user above the limits for good. @returns their ids */
async function dropAboveLimits(tx: Transaction, userId: string): Promise<string[]> {
  const kept = await tx
    .select({ id: flow.id, bytes: flow.storedBytes })
    .from(flow)
    .where(and(eq(flow.userId, userId), isNotNull(flow.deletedAt)))
    .orderBy(desc(flow.deletedAt), desc(flow.id));
  let bytes = 0;
  const gone = kept.flatMap(({ id, bytes: own }, at) => {
    bytes += own;
    return at >= FLOW_LIMITS.deletedFlows || bytes > FLOW_LIMITS.deletedBytes ? [id] : [];
  });
  if (gone.length > 0) await tx.delete(flow).where(inArray(flow.id, gone));
  return gone;
}
